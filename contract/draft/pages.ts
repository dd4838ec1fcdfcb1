import { isSuccess } from '../sheet/declared-facts.ts';
import type { Contract, Operation, Parameter, Schema } from '../model.ts';
import type { PagesPolicy } from '../policies/pagination.ts';
import { partsOf } from '../schemas/schema-parts.ts';
import { bodyOf, membersOf, operationName, type Proposal } from './proposal.ts';

/** Proposes how lists are paginated: by a cursor, a page number or an offset, and with which page sizes. */
export function* draftPages(contract: Contract): Generator<Proposal> {
  for (const operation of contract.operations) {
    if (operation.method !== 'get') continue;
    const limit = named(operation, LIMIT);
    const [cursor, page, offset] = [CURSOR, PAGE, OFFSET].map((pattern) => named(operation, pattern));
    const start = cursor ?? page ?? offset;
    if (limit === undefined || start === undefined) continue;
    const [defaultLimit, maximumLimit] = ['default', 'maximum'].map((keyword) =>
      saysNumber(contract, limit.schema, keyword),
    );
    const doubts = [
      ...(defaultLimit === undefined ? [`the size of a page without ${limit.name}`] : []),
      ...(maximumLimit === undefined ? ['the size of the longest page'] : []),
    ];
    const sizes = {
      limitParameter: limit.name,
      defaultLimit: defaultLimit ?? Math.min(20, maximumLimit ?? 20),
      maximumLimit: maximumLimit ?? Math.max(100, defaultLimit ?? 100),
    };
    const members = pageMembers(contract, operation, start.name);
    const isLinked = operation.responses.some(
      ({ status, headers }) => isSuccess(status) && headers.some(({ name }) => name.toLowerCase() === 'link'),
    );
    if (members.isUnknown) doubts.push('which member of the answer is the list');
    if (cursor !== undefined && members.next === undefined && !isLinked)
      doubts.push('where the cursor of the next page is');
    const { items, more, next, place, count, echo } = members;
    const total = members.total ?? count;
    if (cursor === undefined && members.total === undefined && count !== undefined)
      doubts.push(`whether ${count} counts all items or those of the page`);
    const said = {
      ...(items === undefined ? {} : { items }),
      ...(more === undefined ? {} : { more }),
      ...(echo === undefined ? {} : { limit: echo }),
    };
    const link = isLinked && (cursor === undefined || next === undefined) ? { link: true } : {};
    const policy: PagesPolicy =
      cursor !== undefined
        ? {
            kind: 'pagination',
            operations: [operation.id],
            cursorParameter: cursor.name,
            ...sizes,
            ...link,
            page: { ...said, ...(next === undefined ? {} : { next }) },
          }
        : {
            kind: 'numbered-pages',
            operations: [operation.id],
            ...(page === undefined ? { offsetParameter: start.name } : { pageParameter: page.name }),
            ...firstPage(contract, page),
            ...sizes,
            ...link,
            ...totalHeader(operation),
            page: {
              ...said,
              ...(total === undefined ? {} : { total }),
              ...(place === undefined ? {} : { place }),
            },
          };
    yield {
      policy,
      reasons: [start, limit].map(({ name, pointer }) => ({
        says: `${operationName(operation)} takes ${name}`,
        pointer,
      })),
      ...(doubts.length === 0 ? {} : { doubt: `the document does not say ${doubts.join(', and not ')}` }),
    };
  }
}

// --- internal ---

const CURSOR =
  /^(?:cursor|after|page_?token|starting_?after|next_?token|continuation(?:_?token)?|page_?cursor)$/i;
const LIMIT = /^(?:limit|per_?page|page_?size|size|count|first|max_?results|page_?limit)$/i;
const PAGE = /^(?:page|page_?number|page_?no)$/i;
const OFFSET = /^(?:offset|skip|start)$/i;

function named(operation: Operation, pattern: RegExp): Parameter | undefined {
  return operation.parameters.find(({ name, in: place }) => place === 'query' && pattern.test(name));
}

function saysNumber({ document }: Contract, schema: Schema, keyword: string): number | undefined {
  const said = [...partsOf(schema, document.root, 'all')].map((part) => part[keyword]);
  return said.find(
    (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 1,
  );
}

/** A header with the number of all items. */
function totalHeader({ responses }: Operation): { readonly totalHeader?: string } {
  const found = responses
    .filter(({ status }) => isSuccess(status))
    .flatMap(({ headers }) => headers)
    .find(({ name }) => /^(?:x-)?total(?:-?(?:count|items|results))?$/i.test(name));
  return found === undefined ? {} : { totalHeader: found.name };
}

/** Page numbers that may start at 0. */
function firstPage({ document }: Contract, page: Parameter | undefined): { readonly firstPage?: number } {
  if (page === undefined) return {};
  const said = [...partsOf(page.schema, document.root, 'all')].flatMap((part) => [
    part['default'],
    part['minimum'],
  ]);
  return said.includes(0) ? { firstPage: 0 } : {};
}

function pageMembers(contract: Contract, operation: Operation, start: string) {
  const schema = bodyOf(operation, isSuccess);
  const isList = [...partsOf(schema, contract.document.root, 'any')].some(({ type }) => type === 'array');
  const members = [...membersOf(contract, schema)];
  const lists = members.filter(([, { types }]) => types.includes('array')).map(([name]) => name);
  // Such as `meta.total`.
  const inner = members.flatMap(([around, { types, schema: described }]) =>
    types.includes('object') && AROUND.test(around)
      ? [...membersOf(contract, described)].map(([name, member]) => ({
          path: `${around}.${name}`,
          name,
          ...member,
        }))
      : [],
  );
  const all = [...members.map(([name, member]) => ({ path: name, name, ...member })), ...inner];
  const find = (pattern: RegExp, type: string): string | undefined =>
    all.find(({ name, types }) => pattern.test(name) && types.includes(type))?.path;
  return {
    isUnknown: !isList && lists.length !== 1,
    items: isList || lists.length !== 1 ? undefined : lists[0],
    more: find(/^(?:has_?(?:more|next)(?:_?page)?|more)$/i, 'boolean'),
    next:
      find(/^next(?:_?(?:cursor|page_?token|token|page))?$/i, 'string') ??
      all.find(({ name, types }) => name === start && types.includes('string'))?.path,
    place: all.find(({ name, types }) => name === start && types.includes('integer'))?.path,
    total: find(/^total(?:_?(?:count|items|results))?$/i, 'integer'),
    count: find(/^count$/i, 'integer'),
    echo: find(LIMIT, 'integer'),
  };
}

/** Members that contain the facts of a page. */
const AROUND = /^(?:meta(?:data)?|page(?:_?info)?|paging|pagination)$/i;
