import { isObject, member } from '../exchanges/exchange.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Why a value is not an OpenAPI document of its stated version; `undefined` if it is one. */
export function openApiFault(document: unknown): string | undefined {
  if (!isObject(document)) return 'not an object';
  const version = document['openapi'];
  if (typeof version !== 'string') return 'no string member openapi';
  const minor = /^3\.([0-9]+)\.[0-9]+/.exec(version)?.[1];
  if (minor === undefined) return `openapi ${JSON.stringify(version)} is not a version 3`;
  const { info, paths, components } = document;
  if (typeof member(info, 'title') !== 'string' || typeof member(info, 'version') !== 'string') {
    return 'no info with title and version';
  }
  const mayLackPaths = minor !== '0' && (isObject(components) || isObject(document['webhooks']));
  if (!isObject(paths) && !(paths === undefined && mayLackPaths)) return 'no object paths';
  for (const [path, item] of Object.entries(isObject(paths) ? paths : {})) {
    if (!path.startsWith('/') && !path.startsWith('x-'))
      return `the path ${JSON.stringify(path)} does not begin with a slash`;
    const fault = path.startsWith('x-') ? undefined : itemFault(item, minor);
    if (fault !== undefined) return `${path}: ${fault}`;
  }
  const misnamed = Object.keys(
    isObject(member(components, 'schemas')) ? (member(components, 'schemas') as object) : {},
  );
  const odd = misnamed.find((name) => !/^[A-Za-z0-9._-]+$/.test(name));
  return odd === undefined ? undefined : `the component ${JSON.stringify(odd)} has no legal name`;
}

/** The JSON schemas of all request bodies. */
export function bodySchemas(document: unknown): readonly unknown[] {
  const items = Object.values(
    isObject(member(document, 'paths')) ? (member(document, 'paths') as JsonRecord) : {},
  );
  return items
    .flatMap((item) => METHODS.map((method) => member(item, method)))
    .map((operation) => resolve(document, member(operation, 'requestBody')))
    .flatMap((body) => {
      const content = member(body, 'content');
      return isObject(content) ? Object.values(content) : [];
    })
    .map((media) => member(media, 'schema'))
    .filter((schema) => schema !== undefined);
}

/** A reference, found on the way from a request body, that has no target in the document itself. */
export function danglingReference(document: unknown): string | undefined {
  const paths = member(document, 'paths');
  // A loop and not a recursion: a chain of references may be as long as the document.
  const waiting = Object.values(isObject(paths) ? paths : {})
    .flatMap((item) => METHODS.map((method) => member(member(item, method), 'requestBody')))
    .reverse();
  const seen = new Set<unknown>();
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const reference = member(value, '$ref');
    if (typeof reference !== 'string') {
      for (const item of Object.values(value).reverse() as unknown[]) waiting.push(item);
      continue;
    }
    if (seen.has(reference)) continue;
    seen.add(reference);
    if (!reference.startsWith('#/')) return `${reference} is outside of the document`;
    const target = resolve(document, { $ref: reference });
    if (target === undefined) return `nothing is at ${reference}`;
    waiting.push(target);
  }
  return undefined;
}

/** A value, or the target of its local reference. */
export function resolve(document: unknown, value: unknown): unknown {
  let current = value;
  for (let hops = 0; hops < 20; hops += 1) {
    const reference = member(current, '$ref');
    if (typeof reference !== 'string') return current;
    if (!reference.startsWith('#/')) return undefined;
    current = reference
      .slice(2)
      .split('/')
      .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (at, step) => (Array.isArray(at) ? (at as unknown[])[Number(step)] : member(at, step)),
        document,
      );
  }
  return undefined;
}

/** Keywords that could exclude an object. */
const NARROWING = [
  'required',
  'properties',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'enum',
  'const',
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'dependencies',
];

/** Document 1, RouterModelInputSchemaDocument, table: the placeholder accepts any object. */
export function isFallback(document: unknown, schema: unknown): boolean {
  // Combined schemas may refer back to each other.
  const seen = new Set<unknown>();
  const waiting = [schema];
  while (waiting.length > 0) {
    const target = resolve(document, waiting.pop());
    if (target === true || seen.has(target)) continue;
    if (!isObject(target)) return false;
    seen.add(target);
    const { type, additionalProperties } = target;
    const takesObjects =
      type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
    const open =
      additionalProperties === undefined || additionalProperties === true || isEmpty(additionalProperties);
    if (!takesObjects || !open || !NARROWING.every((name) => isHarmless(target[name]))) return false;
    for (const parts of ['allOf', 'anyOf', 'oneOf'].map((name) => target[name]))
      if (Array.isArray(parts)) for (const part of parts as unknown[]) waiting.push(part);
  }
  return true;
}

// --- internal ---

/** A pointer with stray percent signs has no target. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function itemFault(item: unknown, minor: string): string | undefined {
  if (!isObject(item)) return 'not an object';
  for (const method of METHODS) {
    const operation = item[method];
    if (operation === undefined) continue;
    if (!isObject(operation)) return `${method} is not an object`;
    const responses = operation['responses'];
    if (minor === '0' && !isObject(responses)) return `${method} has no responses`;
    for (const [status, response] of Object.entries(isObject(responses) ? responses : {})) {
      if (!/^(?:[1-5](?:XX|\d\d)|default|x-.*)$/.test(status))
        return `${method} has a response ${JSON.stringify(status)}`;
      if (
        typeof member(response, '$ref') !== 'string' &&
        typeof member(response, 'description') !== 'string'
      ) {
        return `${method} has a response without a description`;
      }
    }
    const body = operation['requestBody'];
    if (
      body !== undefined &&
      typeof member(body, '$ref') !== 'string' &&
      !isObject(member(body, 'content'))
    ) {
      return `${method} has a request body without content`;
    }
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function isHarmless(value: unknown): boolean {
  return value === undefined || isEmpty(value) || value === 0 || (Array.isArray(value) && value.length === 0);
}
