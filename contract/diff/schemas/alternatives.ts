import type { Json } from '../../model.ts';
import { parsePointer, localPointer } from '../../pointer.ts';
import { isRecord } from '../../record.ts';
import type { Comparing } from './comparing.ts';
import type { FlatSchema, Group, Node } from './flat-schema.ts';
import type { Schemas } from './flat.ts';
import { EVERY_TYPE, pointerOf } from './flat-schema.ts';
import { canonical } from '../../canonical-json.ts';
import { compareNull } from './values.ts';

/**
 * If one of the schemas is only a list of alternatives, compares the alternatives and returns true. A schema
 * that is not a list counts as its only alternative.
 */
export function compareBareAlternatives(comparing: Comparing): boolean {
  const { old, new: next, nodes } = comparing;
  const [was, is] = [bareGroup(old), bareGroup(next)];
  if (was === undefined && is === undefined) return false;
  const isSingle = (flat: FlatSchema): boolean =>
    flat.groups.length === 0 && flat.types.size < EVERY_TYPE.length;
  if ((was === undefined && !isSingle(old)) || (is === undefined && !isSingle(next))) return false;
  compareNull(comparing, old.types, next.types);
  compareDiscriminated(comparing);
  const alone = (node: Node, keyword: Group['keyword'] = 'oneOf'): Group => ({
    keyword,
    branches: [node],
    pointer: pointerOf(node),
  });
  compareBranches(
    comparing,
    was ?? alone(old.single ?? nodes.old, is?.keyword),
    is ?? alone(next.single ?? nodes.new, was?.keyword),
  );
  return true;
}

/** Compares `oneOf` and `anyOf`: added and removed alternatives, and changes within the others. */
export function compareAlternatives(comparing: Comparing): void {
  const { old, new: next, report } = comparing;
  compareDiscriminated(comparing);
  const [before, after] = [old.groups, next.groups];
  if (before.length === 0 && after.length === 0) return;
  if (before.length > 1 || after.length > 1) {
    compareSeveral(comparing);
    return;
  }
  const [was, is] = [before[0], after[0]];
  if (was !== undefined && is !== undefined) {
    compareBranches(comparing, was, is);
    return;
  }
  const isNew = is !== undefined;
  const pair = { before: was?.pointer ?? old.pointer, after: is?.pointer ?? next.pointer };
  const says = `${next.label}: ${isNew ? 'it has to fit' : 'it need no longer fit'} one of several alternatives`;
  report(isNew ? 'condition-added' : 'condition-removed', isNew ? 'narrowed' : 'widened', { says }, pair);
}

// --- internal ---

function bareGroup({ groups, members, required, others, values, keywords }: FlatSchema): Group | undefined {
  const [group, second] = groups;
  if (second !== undefined || members.size > 0 || required.size > 0 || values !== undefined) return undefined;
  if (others.closed || others.node !== undefined) return undefined;
  return [...keywords.keys()].every((keyword) => NOTES.has(keyword)) ? group : undefined;
}

const NOTES: ReadonlySet<string> = new Set([
  'discriminator',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

function compareSeveral(comparing: Comparing): void {
  const { old, new: next, report } = comparing;
  const shape = (flat: FlatSchema, schemas: Schemas): string =>
    flat.groups
      .map(({ keyword, branches }) =>
        [keyword, ...branches.map((branch) => signOf(branch, schemas))].join(' '),
      )
      .join('\n');
  if (shape(old, comparing.schemas.old) !== shape(next, comparing.schemas.new)) {
    const reason = 'several lists of alternatives apply together';
    const pair = {
      before: old.groups[0]?.pointer ?? old.pointer,
      after: next.groups[0]?.pointer ?? next.pointer,
    };
    report(
      'alternatives-changed',
      'unknown',
      { says: `the alternatives of ${next.label} changed`, reason },
      pair,
    );
    return;
  }
  old.groups.forEach((group, index) => {
    const other = next.groups[index];
    if (other !== undefined) compareBranches(comparing, group, other);
  });
}

function compareBranches(comparing: Comparing, was: Group, is: Group): void {
  const { new: next, schemas, report, compare } = comparing;
  const { pairs, gone, added } = matched(was.branches, is.branches, schemas);
  for (const [before, after] of pairs) compare(before, after);
  const isOverlapping = was.keyword !== is.keyword && !areApart(is.branches, schemas.new);
  if (isOverlapping) {
    const says = `${next.label}: ${was.keyword} became ${is.keyword}`;
    const reason = 'whether a value fits several alternatives cannot be decided in general';
    report('alternatives-changed', 'unknown', { says, reason }, { before: was.pointer, after: is.pointer });
  }
  for (const branch of gone)
    report(
      'alternative-removed',
      'narrowed',
      { says: `${next.label} is no longer ${nameOf(branch, comparing.schemas.old)}`, receiver: 'code' },
      { before: pointerOf(branch), after: is.pointer },
    );
  for (const branch of added)
    report(
      'alternative-added',
      'widened',
      { says: `${next.label} can be ${nameOf(branch, comparing.schemas.new)}` },
      { before: was.pointer, after: pointerOf(branch) },
    );
}

/**
 * Pairs alternatives by name, content, discriminating tag, and type; if one is left on each side, pairs these
 * too.
 */
function matched(
  old: readonly Node[],
  next: readonly Node[],
  schemas: { readonly old: Schemas; readonly new: Schemas },
): { pairs: (readonly [Node, Node])[]; gone: readonly Node[]; added: readonly Node[] } {
  let [gone, added] = [old, next];
  const pairs: (readonly [Node, Node])[] = [];
  for (const sign of [signOf, tagOf, typeOf]) {
    const bySign = groupBy(added, (branch) => sign(branch, schemas.new));
    const left: Node[] = [];
    for (const branch of gone) {
      const key = sign(branch, schemas.old);
      const found = key === undefined ? undefined : bySign.get(key)?.shift();
      if (found === undefined) left.push(branch);
      else pairs.push([branch, found]);
    }
    const taken = new Set(pairs.map(([, branch]) => branch));
    [gone, added] = [left, added.filter((branch) => !taken.has(branch))];
  }
  const [last, lastNew] = [gone[0], added[0]];
  const isObject = (branch: Node | undefined, side: Schemas): boolean =>
    branch !== undefined && side.flat(branch).types.has('object');
  if (
    gone.length === 1 &&
    added.length === 1 &&
    last &&
    lastNew &&
    isObject(last, schemas.old) &&
    isObject(lastNew, schemas.new)
  )
    return { pairs: [...pairs, [last, lastNew]], gone: [], added: [] };
  return { pairs, gone, added };
}

function groupBy(branches: readonly Node[], sign: (branch: Node) => string | undefined): Map<string, Node[]> {
  const found = new Map<string, Node[]>();
  for (const branch of branches) {
    const key = sign(branch);
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), branch]);
  }
  return found;
}

/** The name of a component, else the content of an alternative. */
function signOf({ parts }: Node, _schemas?: Schemas): string | undefined {
  const [part] = parts;
  if (part === undefined) return 'anything';
  const component = /^\/components\/schemas\/[^/]+$/.exec(part.pointer)?.[0];
  if (component !== undefined) return component;
  const text = canonical(part.schema);
  return text.length > LONGEST_SIGN ? undefined : text;
}

/** The members with only one value, which discriminate between alternatives. */
function tagOf(node: Node, schemas: Schemas): string | undefined {
  const { members, types } = schemas.flat(node);
  if (!types.has('object')) return undefined;
  const tags = [...members].flatMap(([name, parts]) => {
    const { values } = schemas.flat(schemas.nodeOf(parts, name, ''));
    return values?.length === 1 ? [`${name}=${canonical(values[0] ?? null)}`] : [];
  });
  return tags.length === 0 ? undefined : tags.sort().join('&');
}

/** A key for pairing alternatives of different types; `undefined` for objects, whose type is not enough. */
function typeOf(node: Node, schemas: Schemas): string | undefined {
  const { types, values } = schemas.flat(node);
  if (types.has('object') || types.size === 0) return undefined;
  return values === undefined ? [...types].join(' ') : undefined;
}

function areApart(branches: readonly Node[], schemas: Schemas): boolean {
  const seen = new Set<string>();
  const tags = branches.map((branch) => tagOf(branch, schemas));
  if (tags.every((tag) => tag !== undefined) && new Set(tags).size === tags.length) return true;
  return branches.every((branch) =>
    [...schemas.flat(branch).types].every((type) => {
      if (seen.has(type)) return false;
      seen.add(type);
      return true;
    }),
  );
}

function nameOf(node: Node, schemas: Schemas): string {
  const component = parsePointer(pointerOf(node));
  if (component?.length === 3 && component[1] === 'schemas') return component[2] ?? '';
  const tag = tagOf(node, schemas);
  if (tag !== undefined) return `an object with ${tag}`;
  const types = [...schemas.flat(node).types];
  return types.includes('fraction') ? 'number' : types.join(' or ');
}

/** A base schema that names its subtypes by tags, and the discriminating member. */
function compareDiscriminated(comparing: Comparing): void {
  const { old, new: next, schemas, report, compare } = comparing;
  const [was, is] = [discriminatorOf(old), discriminatorOf(next)];
  if (was === undefined && is === undefined) return;
  const pair = { before: was?.pointer ?? old.pointer, after: is?.pointer ?? next.pointer };
  const reason = 'the document does not say which tags are sent';
  if (was?.property !== is?.property) {
    const shown = [was, is].map((side) => (side === undefined ? 'absent' : JSON.stringify(side.property)));
    const says = `${next.label}: the member that tells alternatives apart was ${shown[0] ?? ''} and is ${shown[1] ?? ''}`;
    report('discriminator-changed', 'unknown', { says, reason }, pair);
    return;
  }
  for (const tag of new Set([...(was?.mapping.keys() ?? []), ...(is?.mapping.keys() ?? [])])) {
    const [from, to] = [was?.mapping.get(tag), is?.mapping.get(tag)];
    if (from !== to) {
      const says = `${next.label}: the tag ${JSON.stringify(tag)} meant ${from ?? 'nothing'} and means ${to ?? 'nothing'}`;
      report('discriminator-changed', 'unknown', { says, reason }, pair);
    } else if (from !== undefined && to !== undefined) {
      const [before, after] = [schemas.old.named(from), schemas.new.named(to)];
      if (before !== undefined && after !== undefined) compare(before, after);
    }
  }
}

interface Discriminator {
  readonly property: string;
  readonly pointer: string;
  /** Names of components, by their tags. */
  readonly mapping: ReadonlyMap<string, string>;
}

function discriminatorOf({ discriminator: found }: FlatSchema): Discriminator | undefined {
  if (found === undefined || !isRecord(found.value)) return undefined;
  const { propertyName, mapping } = found.value as Record<string, Json>;
  const names = Object.entries(isRecord(mapping) ? mapping : {}).flatMap(([tag, reference]) => {
    const name = parsePointer(localPointer(String(reference)) ?? '')?.at(-1);
    return name === undefined ? [] : [[tag, name] as const];
  });
  return { property: String(propertyName), pointer: found.pointer, mapping: new Map(names) };
}

const LONGEST_SIGN = 100_000;
