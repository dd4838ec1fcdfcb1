import type { ErrorBody, OtherMember } from '../../engine/error-bodies.ts';
import { isJson } from '../judge/body-format.ts';
import { isDefaultSuccess } from '../sheet/declared-facts.ts';
import type { Contract, Json, Operation, Schema } from '../model.ts';
import { PLAIN_ERRORS, type ErrorCodesPolicy, type ErrorPlaces } from '../policies/error-codes.ts';
import { mayLack, partsOf, propertyAt } from './schema-parts.ts';

/**
 * The members of an error that carry its reason, from the declared error bodies; `undefined` if these have no
 * member for a message. The most frequent error body counts. A sheet adds the codes.
 */
export function declaredErrorShape({ operations, document }: Contract): ErrorCodesPolicy | undefined {
  const bodies = new Counts();
  for (const { content } of operations.flatMap(declaredErrors))
    for (const { mediaType, schema } of content) if (isJson(mediaType)) bodies.add(schema);
  const counts = new Map<string, { shape: ErrorCodesPolicy; times: number }>();
  for (const { schema, times } of bodies.all()) {
    const shape = shapeOf(schema, document.root);
    if (shape === undefined) continue;
    const name = JSON.stringify(shape);
    counts.set(name, { shape, times: (counts.get(name)?.times ?? 0) + times });
  }
  const [most] = [...counts.values()].sort((one, other) => other.times - one.times);
  return most?.shape;
}

/**
 * The required members of declared error bodies for errors that the server produces itself, by status: the
 * values for them, and the members that the body does not allow. If a status has several bodies, the most
 * frequent one counts. A status without a body uses the most frequent one of all, at `*`.
 *
 * @param policy the paths of the members of an error; `error` and `message` without a policy
 */
export function errorBodiesOf(
  { operations, document: { root } }: Contract,
  policy: ErrorPlaces = PLAIN_ERRORS,
): Readonly<Record<string, ErrorBody>> | undefined {
  const counts = new Map<string, Counts>();
  for (const { status, content } of operations.flatMap(declaredErrors)) {
    for (const { mediaType, schema } of content)
      for (const key of isJson(mediaType) && schema !== undefined ? [status.toUpperCase(), '*'] : []) {
        const known = counts.get(key) ?? new Counts();
        counts.set(key, known);
        known.add(schema);
      }
  }
  const bodies = [...counts].flatMap(([key, schemas]): [string, ErrorBody][] => {
    // A body that does not describe an error, such as a declined payment, is used only for its own status.
    const told = schemas.all().filter(({ schema }) => key !== '*' || saysWhy(schema, root, policy));
    const [most] = told.sort((one, other) => other.times - one.times);
    return most === undefined ? [] : [[key, errorBodyOf(most.schema, root, policy)]];
  });
  const distinct = new Set(bodies.map(([, body]) => JSON.stringify(body)));
  const isOne = distinct.size === 1 && bodies.some(([key]) => key === '*');
  const all = Object.fromEntries(isOne ? bodies.filter(([key]) => key === '*') : bodies);
  return Object.values(all).every((body) => Object.keys(body).length === 0) ? undefined : all;
}

/** The place of the code in declared errors that list all codes; `undefined` if none does. */
export function declaredCodes({
  operations,
  document: { root },
}: Contract): { readonly code: string; readonly names: readonly string[] } | undefined {
  const schemas = operations
    .flatMap(declaredErrors)
    .flatMap(({ content }) =>
      content.flatMap(({ mediaType, schema }) => (isJson(mediaType) ? [schema] : [])),
    );
  for (const schema of schemas)
    for (const code of schema === undefined ? [] : CODES) {
      const names = propertyAt(schema, code, root).length === 0 ? [] : codesAt(schema as Schema, code, root);
      if (names !== undefined && names.length > 0) return { code, names };
    }
  return undefined;
}

// --- internal ---

/** How often each schema is declared. Each operation has its own copy of a response that it shares. */
class Counts {
  readonly #known = new Map<string, { readonly schema: Schema; times: number }>();

  add(schema: Schema | undefined): void {
    if (schema === undefined) return;
    const text = JSON.stringify(schema);
    const known = this.#known.get(text) ?? { schema, times: 0 };
    known.times += 1;
    this.#known.set(text, known);
  }

  all(): { readonly schema: Schema; readonly times: number }[] {
    return [...this.#known.values()];
  }
}

function declaredErrors(operation: Operation): Operation['responses'] {
  const isDefault = (status: string): boolean => /^default$/i.test(status) && !isDefaultSuccess(operation);
  return operation.responses.filter(({ status }) => /^[45]/.test(status) || isDefault(status));
}

function saysWhy(schema: Schema, root: Json, { code, message, title }: ErrorPlaces): boolean {
  return [code, message, title].some((path) => path !== undefined && takesMember(schema, path, root));
}

function errorBodyOf(schema: Schema, root: Json, policy: ErrorPlaces): ErrorBody {
  const { code, message, status, title } = policy;
  const codes = code === status ? [] : codesAt(schema, code, root);
  const others = othersIn(schema, root, '', new Set([code, message, status, title]));
  const absent = [message, status, title].filter(
    (path) => path !== undefined && !takesMember(schema, path, root),
  ) as string[];
  return {
    ...(codes === undefined ? {} : { codes }),
    ...(codes !== undefined && codes.length > 0 && mayLack(schema, code, root)
      ? { isCodeOptional: true as const }
      : {}),
    ...(others.length === 0 ? {} : { others }),
    ...(absent.length === 0 ? {} : { absent }),
  };
}

/** Whether a body allows a member at a path: the member is declared, or undeclared members are allowed. */
function takesMember(schema: Schema, path: string, root: Json): boolean {
  if (propertyAt(schema, path, root).length > 0) return true;
  const owner = path.split('.').slice(0, -1).join('.');
  const around = owner === '' ? [schema] : propertyAt(schema, owner, root);
  return !around.some((each) =>
    [...partsOf(each, root, 'all')].some(
      (part) =>
        part['additionalProperties'] === false || ![part['type'] ?? 'object'].flat().includes('object'),
    ),
  );
}

/**
 * The codes that a body allows: an empty list if it has no member for them, `undefined` if it allows any
 * code.
 */
function codesAt(schema: Schema, code: string, root: Json): readonly string[] | undefined {
  const found = propertyAt(schema, code, root).filter((each) => typeof each !== 'boolean');
  const listed = found.flatMap(
    ({ enum: values, const: only }) => values ?? (only === undefined ? [] : [only]),
  );
  const texts = listed.filter((value) => typeof value === 'string');
  if (texts.length > 0) return texts;
  if (found.length > 0)
    return found.some((each) => isOf(each, ['string'])) || !found.some(isTyped) ? undefined : [];
  return takesMember(schema, code, root) ? undefined : [];
}

function isTyped(schema: Schema): boolean {
  return typeof schema !== 'boolean' && schema['type'] !== undefined;
}

/** Required members other than those that every error fills, including those of nested objects. */
function othersIn(
  schema: Schema,
  root: Json,
  owner: string,
  known: ReadonlySet<string | undefined>,
): readonly OtherMember[] {
  const depth = owner.split('.').length;
  const required = [...partsOf(schema, root, 'all')].flatMap((part) =>
    Array.isArray(part['required']) ? (part['required'] as unknown[]) : [],
  );
  const names = new Set(required.filter((name) => typeof name === 'string'));
  const isProblem = owner === '' && known.has('title') && known.has('status');
  return [...names].flatMap((name): OtherMember[] => {
    const path = owner === '' ? name : `${owner}.${name}`;
    if (known.has(path) || name.includes('.')) return [];
    const [member] = propertyAt(schema, name, root);
    const inner = member === undefined || depth > DEEPEST ? [] : othersIn(member, root, path, known);
    const isFilled = [...known].some((each) => each?.startsWith(`${path}.`) === true);
    if (inner.length > 0 || isFilled) return [...inner];
    // RFC 9457, section 4.2.1: the type of a problem that has no specific type.
    if (name === 'type' && isProblem && isOf(member ?? true, ['string'])) return [{ path, value: NO_TYPE }];
    return [{ path, ...sampleOf(member, root) }];
  });
}

const DEEPEST = 4;

/** An address, for a member that has to be one. */
const NO_TYPE = 'about:blank';

/** A valid value for such a member. */
function sampleOf(
  schema: Schema | undefined,
  root: Json,
): { readonly value: Json } | { readonly isTime: true } {
  const [whole] = schema === undefined ? [] : [...partsOf(schema, root, 'all')].toReversed();
  const { const: only, enum: values, example, default: usual, type, format, minimum } = whole ?? {};
  if (format === 'date-time') return { isTime: true };
  const told = only ?? (Array.isArray(values) ? values[0] : undefined) ?? example ?? usual;
  if (told !== undefined) return { value: told };
  const kinds = [type].flat();
  if (kinds.includes('null')) return { value: null };
  if (kinds.includes('integer') || kinds.includes('number')) return { value: minimum ?? 0 };
  if (kinds.includes('boolean')) return { value: false };
  if (kinds.includes('array')) return { value: [] };
  if (kinds.includes('object')) return { value: {} };
  if (typeof format === 'string' && /^(?:uri|iri|url)/.test(format)) return { value: NO_TYPE };
  return { value: format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : 'unknown' };
}

const MESSAGES = [
  'detail',
  'message',
  'error.message',
  'error_description',
  'errorMessage',
  'msg',
  'error.detail',
];
const CODES = ['code', 'error.code', 'errorCode', 'error_code', 'error', 'type', 'error.type'];
const STATUSES = ['status', 'statusCode', 'error.status', 'code'];
const TITLES = ['title'];

function shapeOf(
  schema: Schema | undefined,
  root: Contract['document']['root'],
): ErrorCodesPolicy | undefined {
  const found = (paths: readonly string[], types: readonly string[]): string | undefined =>
    paths.find((path) => propertyAt(schema, path, root).some((each) => isOf(each, types)));
  const title = found(TITLES, ['string']);
  const message = found(MESSAGES, ['string']) ?? found(['error'], ['string']) ?? title;
  if (message === undefined) return undefined;
  const codes = CODES.filter((path) => path !== message);
  const status = found(STATUSES, ['integer', 'number']);
  return {
    kind: 'error-codes',
    // A document without a code still allows one, because bodies may have undeclared members.
    code: found(codes, ['string']) ?? 'code',
    message,
    ...(status === undefined ? {} : { status }),
    ...(title === undefined || title === message ? {} : { title }),
    codes: [],
    roles: {},
  };
}

/**
 * Whether the schema of the code is more specific than text, such as an enum or a format: then not every text
 * is a valid code.
 */
function isOf(schema: Schema, types: readonly string[]): boolean {
  if (typeof schema === 'boolean') return false;
  const { type, enum: listed, format } = schema;
  const isFormatted = typeof format === 'string' && /^(?:uri|iri|url|date|time|uuid)/.test(format);
  return listed === undefined && !isFormatted && [type].flat().some((each) => types.includes(String(each)));
}
