import { isRecord } from '../../../contract/index.ts';
import type { Json, Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { plainName } from '../../../contract/text/plain-name.ts';
import { singular } from '../../../contract/text/singular.ts';
import { isIdWord, wordsOf } from '../../writes/names.ts';
import type { MadeId } from '../../target/fixtures.ts';
import type { OwnApi } from '../own-api.ts';
import { itemOf, pathParameters, sentContent } from '../own-api.ts';
import { nounOfNamed } from './path-nouns.ts';
import { makerByName, thingPlace } from './thing-places.ts';

/** A value in the body of a request that names a thing. */
export interface BodyReference {
  readonly path: readonly string[];
  readonly value: string | number;
  /** The word of a path for what it names, if the document has one. */
  readonly noun?: string | undefined;
  /** The operation that makes what it names, if the sheet says which one. */
  readonly maker?: string | undefined;
}

/**
 * The things that a body names: by the name of a member, by a word of the paths, by the usual form of an id, or by a value
 * that the document uses as an id elsewhere. The own id of a thing that is created names nothing that exists.
 */
export function referencesIn(api: OwnApi, operation: Operation, body: unknown): readonly BodyReference[] {
  const found: BodyReference[] = [];
  const own = thingPlace(api, operation);
  const visit = (value: unknown, path: readonly string[], schema: Schema | undefined): void => {
    if (path.length > DEEPEST || found.length >= MOST) return;
    if (Array.isArray(value)) {
      const items = schemaOf(api, schema)?.['items'] as Schema | undefined;
      for (const [index, item] of value.slice(0, MOST).entries())
        visit(item, [...path, String(index)], items);
      return;
    }
    if (isRecord(value)) {
      for (const [name, inner] of Object.entries(value))
        visit(inner, [...path, name], propertyAt(schema, name, api.root)[0]);
      return;
    }
    if (!isId(value) || isListed(api, schema)) return;
    if (own?.in === 'body' && path.length === 1 && path[0] === own.name) {
      found.push({ path, value, maker: own.resource.operations.create });
      return;
    }
    const names = path.filter((part) => !/^\d+$/.test(part));
    if (names.length <= 1 && OWN_ID.test(plainName(names[0] ?? 'id'))) return;
    const noun = nounOfNamed(api, operation, names, schema);
    if (
      noun !== undefined ||
      isNameOfOther(names) ||
      looksLikeId(value) ||
      isDocumentedId(api, String(value))
    )
      found.push({ path, value, noun });
  };
  visit(body, [], sentContent(operation)?.schema);
  return found;
}

/** The body without the optional members that name things, as far as it stays valid. */
export function withoutReferences(
  api: OwnApi,
  operation: Operation,
  body: Json,
  isValid: (body: Json) => boolean,
): Json {
  return referencesIn(api, operation, body).reduce<Json>((left, { path }) => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const smaller = withMember(left, path.slice(0, depth));
      if (isValid(smaller)) return smaller;
    }
    return left;
  }, body);
}

/**
 * The operation that makes what a member of a body names: `customerId` and `customer.id` name something of `POST /customers`.
 * What is made below another thing would have to be below the right one.
 */
export function makerOf(
  api: OwnApi,
  { path, noun: known, maker }: Pick<BodyReference, 'path' | 'noun' | 'maker'>,
): Operation | undefined {
  if (maker !== undefined) return api.operation(maker);
  const names = path.filter((part) => !/^\d+$/.test(part));
  const words = names.slice(-2).flatMap(wordsOf);
  const own = wordsOf(names.at(-1) ?? '');
  const noun = (isIdWord(own.at(-1)) && own.length === 1 ? words : own).filter((word) => !isIdWord(word));
  if (noun.length === 0 && known === undefined) return undefined;
  const wanted = known ?? singular(noun.join(''));
  const byPath = api.operations.find(
    (operation) =>
      operation.method === 'post' &&
      pathParameters(operation).length === 0 &&
      singular(plainName(operation.path.split('/').at(-1) ?? '')) === wanted &&
      itemOf(api, operation) !== undefined,
  );
  return byPath ?? makerByName(api, names.at(-1) ?? '');
}

/** The body with the ids of these things, as far as it has a place for them. */
export function withIds(body: Json, made: readonly MadeId[], isValid: (body: Json) => boolean): Json {
  return made.reduce<Json>((known, { path, id }) => {
    const forms = [id, String(id), Number(id)].map((form) => withMember(known, path, form));
    return forms.find(isValid) ?? known;
  }, body);
}

/** Whether a body names other things than those that were made for it. */
export function namesOthers(
  api: OwnApi,
  operation: Operation,
  body: unknown,
  made: readonly MadeId[] = [],
): boolean {
  return referencesIn(api, operation, body).some(
    ({ path, value }) =>
      !made.some((one) => String(one.path) === String(path) && String(one.id) === String(value)),
  );
}

/** Whether a value has a member that means all things. */
export function hasAll(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).some(
      ([name, inner]) => inner === true && wordsOf(name).some((word) => ALL.has(word)),
    )
  );
}

/** Values by which the document names things that exist: of path parameters, and of members that are called an id. */
export function documentedIds(api: OwnApi): ReadonlySet<string> {
  const known = knownIds.get(api);
  if (known !== undefined) return known;
  const ids = new Set<string>();
  knownIds.set(api, ids);
  const add = (value: unknown): void => {
    if (isId(value) && ids.size < MOST_KNOWN) ids.add(String(value));
  };
  const visit = (value: unknown, name: string, depth: number): void => {
    if (depth > DEEPEST || ids.size >= MOST_KNOWN) return;
    if (Array.isArray(value)) for (const item of value.slice(0, MOST)) visit(item, singular(name), depth + 1);
    else if (isRecord(value)) for (const [own, inner] of Object.entries(value)) visit(inner, own, depth + 1);
    else if (/(?:^|[a-z_-])(?:id|uuid|guid)$/i.test(name) && !/valid$/i.test(name)) add(value);
  };
  for (const { parameters, requestBody, responses } of api.operations) {
    for (const { in: place, schema } of parameters) {
      const described = followed(api.root, schema);
      if (place !== 'path' || !isRecord(described)) continue;
      add(described['example']);
      if (Array.isArray(described['examples'])) described['examples'].forEach(add);
    }
    for (const { examples } of [
      ...(requestBody?.content ?? []),
      ...responses.flatMap(({ content }) => content),
    ])
      for (const { value } of examples) visit(value, '', 0);
  }
  return ids;
}

// --- internal ---

const ALL = new Set(['all', 'every', 'everything', 'everyone', 'any', 'alle', 'todos', 'tous', 'toutes']);

/** Whether a value can only be an id of the document: short numbers and words are also other members. */
function isDocumentedId(api: OwnApi, value: string): boolean {
  return !TOO_PLAIN.test(value) && documentedIds(api).has(value);
}

const knownIds = new WeakMap<OwnApi, ReadonlySet<string>>();

const DEEPEST = 8;
const MOST = 50;
const MOST_KNOWN = 5000;

/** Values that an id shares with other members. */
const TOO_PLAIN = /^.{0,1}$|^\d{1,2}$|^(?:true|false|text|string)$/;

const OWN_ID = /^(?:id|uuid|guid|key|slug|code|name)$/;

/** Members that name a thing without saying so by an ending. */
const RELATIONS = new Set([
  ...[
    'from',
    'to',
    'source',
    'target',
    'destination',
    'owner',
    'parent',
    'assignee',
    'sender',
    'recipient',
    'creator',
  ],
  ...['author', 'manager', 'customer', 'client', 'tenant', 'workspace', 'account', 'user', 'member', 'group'],
  ...['organisation', 'organization', 'actor', 'payer', 'payee', 'debtor', 'beneficiary', 'supplier'],
]);

/** Whether the name of a member says that it names another thing. */
function isNameOfOther(names: readonly string[]): boolean {
  const own = wordsOf(names.at(-1) ?? '');
  const last = own.at(-1) ?? '';
  if (isIdWord(last)) return own.length > 1 || names.length > 1 || last.endsWith('s');
  return own.length === 1 && (RELATIONS.has(last) || RELATIONS.has(singular(last)));
}

function isId(value: unknown): value is string | number {
  return (
    (typeof value === 'string' && value !== '') || (typeof value === 'number' && Number.isInteger(value))
  );
}

/** Whether the document lists all values, or says that it is no id: such a value names no thing. */
function isListed(api: OwnApi, schema: Schema | undefined): boolean {
  const described = schemaOf(api, schema);
  return (
    described !== undefined &&
    ('enum' in described || 'const' in described || FORMATS.has(String(described['format'])))
  );
}

const FORMATS = new Set(['date', 'date-time', 'time', 'duration', 'byte', 'binary', 'uri', 'url', 'email']);

function schemaOf(api: OwnApi, schema: Schema | undefined): Readonly<Record<string, unknown>> | undefined {
  const described = schema === undefined ? undefined : followed(api.root, schema);
  return isRecord(described) ? described : undefined;
}

/** Texts in the usual forms of ids: `acc-1`, `cus_8Hf2`, a UUID. */
function looksLikeId(value: string | number): boolean {
  return (
    typeof value === 'string' &&
    ((/^[A-Za-z]{1,10}[-_:][A-Za-z0-9]+$/.test(value) && /\d/.test(value)) ||
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value))
  );
}

/** The same value with another one at a path, or without what is there. */
function withMember(value: Json, [name, ...rest]: readonly string[], other?: Json): Json {
  if (name === undefined || value === null || typeof value !== 'object' || !Object.hasOwn(value, name))
    return value;
  const entries = Object.entries(value).flatMap(([own, inner]): [string, Json][] => {
    if (own !== name) return [[own, inner as Json]];
    if (rest.length > 0) return [[own, withMember(inner as Json, rest, other)]];
    return other === undefined ? [] : [[own, other]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : (Object.fromEntries(entries) as Json);
}
