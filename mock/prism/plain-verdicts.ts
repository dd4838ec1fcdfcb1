/**
 * Most requests and answers are plain: a credential in a header, parameters with one value each, JSON. For
 * these, the facts that Prism looks up for every request are looked up once per operation, and then Prism's
 * own validators are called. All other requests, and those with findings, are validated by Prism as a whole,
 * so that every finding has its words. See docs/adr/0010-plain-verdicts.md.
 */
import { createRequire } from 'node:module';
import type { IHttpOperation, IHttpParam } from '@stoplight/types';
import type filters from '@stoplight/prism-http/dist/utils/filterRequiredProperties.js';
import type { JudgedRequest } from '../call/engine.ts';
import { compiledByPrism, type Validate } from './patches.ts';

/** Whether Prism would certainly find nothing in a request. If `false`, Prism has to be asked. */
export type PlainRequests = (request: JudgedRequest) => boolean;

/** The same for the body and the headers of an answer; header names are in lower case. */
export interface PlainAnswers {
  readonly body: (headers: Headers, body: unknown) => boolean;
  readonly headers: (headers: Headers) => boolean;
}

/** Validates requests to an operation. */
export function plainRequests(operation: IHttpOperation): PlainRequests {
  const { request = {} } = operation;
  const isPermitted = credentials(operation.security ?? []);
  const { required, contents = [] } = request.body ?? {};
  const isJson = request.body === undefined ? never : jsonBody(contents, INPUT, operation);
  const inHeaders = parameters(request.headers ?? [], operation);
  const inPath = parameters(request.path ?? [], operation);
  const inQuery = parameters(request.query ?? [], operation);
  const segmentOf = segments(operation.path);
  return ({ body, headers, path, query }) => {
    const type = headers['content-type'];
    if (!isPermitted(headers) || (type !== undefined && !JSON_TYPE.test(type))) return false;
    const isBody =
      body === undefined
        ? required !== true && (headers['content-length'] ?? '0') === '0'
        : type !== undefined && Boolean(body) && isJson(body);
    return (
      isBody &&
      inHeaders((name) => headers[name]) &&
      inQuery((name) => valueOf(query, name)) &&
      inPath(segmentOf(path))
    );
  };
}

/** Validates answers by a response of an operation. */
export function plainAnswers(
  { contents = [], headers = [] }: IHttpOperation['responses'][number],
  operation: IHttpOperation,
): PlainAnswers {
  const isJson = jsonBody(contents, OUTPUT, operation);
  const inHeaders = parameters(headers, operation);
  return {
    body: ({ 'content-type': type }, body) =>
      contents.length === 0 || (type === JSON_MEDIA && body !== undefined && isJson(body)),
    headers: (sent) => inHeaders((name) => sent[name]),
  };
}

// --- internal ---

type Headers = Readonly<Record<string, string>>;
type Scheme = NonNullable<IHttpOperation['security']>[number][number];
type Side = typeof INPUT | typeof OUTPUT;
type Contents = NonNullable<IHttpOperation['responses'][number]['contents']>;
/** The value of a parameter, by its name in lower case; `null` for several values. */
type Values = (name: string) => string | null | undefined;

const requireAsPrism = createRequire(
  createRequire(import.meta.url).resolve('@stoplight/prism-http/dist/validator/index.js'),
);
const JSON_MEDIA = 'application/json';
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
const INPUT = 0;
const OUTPUT = 1;

const never = (): boolean => false;
const always = (): boolean => true;

/**
 * Whether an alternative of credentials is satisfied. Prism supports other schemes, and checks each
 * separately.
 */
function credentials(alternatives: readonly (readonly Scheme[])[]): (headers: Headers) => boolean {
  if (alternatives.length === 0) return always;
  const tests = alternatives.map((schemes): ((headers: Headers) => boolean) => {
    const each = schemes.map(presented);
    return (headers) => each.every((isPresented) => isPresented(headers));
  });
  return (headers) => tests.some((isMet) => isMet(headers));
}

function presented(scheme: Scheme): (headers: Headers) => boolean {
  if (scheme.type === 'apiKey') {
    const name = scheme.name.toLowerCase();
    return scheme.in === 'header' && !(name in {}) ? (headers) => Boolean(headers[name]) : never;
  }
  const isBearer =
    scheme.type === 'oauth2' ||
    scheme.type === 'openIdConnect' ||
    (scheme.type === 'http' && scheme.scheme === 'bearer');
  return isBearer
    ? ({ authorization }) => authorization !== undefined && /^Bearer\s.+$/.test(authorization)
    : never;
}

/** A body by its only content, which is JSON. */
function jsonBody(contents: Contents, side: Side, operation: IHttpOperation): (body: unknown) => boolean {
  const [content] = contents;
  if (contents.length !== 1 || content?.mediaType !== JSON_MEDIA) return never;
  const schema = content.schema === undefined ? undefined : schemaOf(content.schema, side);
  return schema === undefined ? always : fitting(schema, false, operation);
}

/** The schema of a body with the changes that Prism makes before validation (in its `validators/body.js`). */
function schemaOf(schema: object, side: Side): object | undefined {
  const { stripReadOnlyProperties, stripWriteOnlyProperties } = requireAsPrism(
    '../utils/filterRequiredProperties.js',
  ) as typeof filters;
  const strip = side === INPUT ? stripReadOnlyProperties : stripWriteOnlyProperties;
  const stripped = strip(merged(schema) as never);
  return stripped._tag === 'Some' ? (stripped.value as object) : undefined;
}

function merged(schema: object): object {
  const merge = requireAsPrism('@stoplight/json-schema-merge-allof') as (
    schema: object,
    options: object,
  ) => object;
  try {
    return merge(schema, { deep: true, ignoreAdditionalProperties: true });
  } catch {
    return schema;
  }
}

/** Prism's own validator, compiled on first use. An exception is not a finding, as in Prism. */
function fitting(schema: object, coerce: boolean, operation: IHttpOperation): (value: unknown) => boolean {
  const { __bundled__: bundle } = operation as { readonly __bundled__?: unknown };
  let known: { readonly validate: Validate | undefined } | undefined;
  return (value) => {
    const { validate } = (known ??= { validate: compiledByPrism(schema, coerce, bundle) });
    if (validate === undefined) return true;
    try {
      validate(value);
    } catch {
      return true;
    }
    return (validate.errors ?? []).length === 0;
  };
}

/** Parameters in one position, each with a single value in plain form. */
function parameters(
  declared: readonly IHttpParam[],
  operation: IHttpOperation,
): (valueOf: Values) => boolean {
  if (declared.length === 0) return always;
  const properties = Object.fromEntries(declared.map(({ name, schema }) => [name.toLowerCase(), schema]));
  const names = Object.keys(properties);
  const isPlain = names.length === declared.length && declared.every(isSingle);
  if (!isPlain || names.some((name) => name in {})) return never;
  const required = declared.filter((parameter) => parameter.required).map(({ name }) => name.toLowerCase());
  const areFit = fitting({ type: 'object', properties, required }, true, operation);
  return (valueOf) => {
    const given: Record<string, string> = {};
    let isEmpty = true;
    for (const name of names) {
      const value = valueOf(name);
      if (value === null) return false;
      // Prism treats an empty value as absent.
      if (value === undefined || value === '') continue;
      given[name] = value;
      isEmpty = false;
    }
    return isEmpty ? required.length === 0 : areFit(given);
  };
}

function isSingle({ name, style, deprecated, schema }: IHttpParam): boolean {
  if (schema === undefined) return false;
  const types = [schema.type ?? 'string'].flat();
  const isWritten = (style as string) === 'simple' || (style as string) === 'form';
  const isOwn = !/^content-(?:type|length)$/i.test(name);
  return deprecated !== true && isWritten && isOwn && !types.includes('array') && !types.includes('object');
}

function valueOf(query: JudgedRequest['query'], wanted: string): string | null | undefined {
  let found: string | undefined;
  for (const { name, value } of query) {
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue;
    if (found !== undefined) return null;
    found = value;
  }
  return found;
}

/** The segments of a path by the names in its template; `null` if the path does not plainly match. */
function segments(template: string): (path: string) => Values {
  const parts = template
    .split('/')
    .map((part) => ({ part, name: /^\{([\w-]+)\}$/.exec(part)?.[1]?.toLowerCase() }));
  const isPlain = parts.every(({ part, name }) => name !== undefined || /^[\w.-]*$/.test(part));
  return (path) => {
    const sent = isPlain && /^[\w./~-]*$/.test(path) ? path.split('/') : [];
    const isMatch =
      sent.length === parts.length &&
      parts.every(({ part, name }, i) => name !== undefined || part === sent[i]);
    return (wanted) => (isMatch ? sent[parts.findIndex(({ name }) => name === wanted)] : null);
  };
}
