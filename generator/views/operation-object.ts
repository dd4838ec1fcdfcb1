import {
  policyFor,
  type Schema,
  type SecurityRequirement,
  type SecurityScheme,
} from '../../contract/index.ts';
import { isJson } from '../../contract/carriage.ts';
import { styleOf } from '../../contract/served.ts';
import type { Carriage } from '../../engine/served-api.ts';
import { clientTimeoutMs } from '../../contract/policies/deadline.ts';
import type { RetryPolicy } from '../../contract/policies/retry.ts';
import { type Code, code, type Expression, jsString, layout, valueExpression } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import type { ApiBody, ApiOperation, ApiParameter, ApiResponse } from './api.ts';

/** A member of an object literal. */
export interface Member {
  readonly name: string;
  readonly value: Code;
}

/** The data of one operation for the runtime, and which of the runtime's functions it names. */
export interface OperationObject {
  readonly members: readonly Member[];
  /** Exports of the runtime by module. */
  readonly uses: readonly RuntimeUse[];
}

export interface RuntimeUse {
  readonly module: 'answers' | 'bodies' | 'keys' | 'parameters' | 'patience' | 'policies/retry' | 'secrets';
  readonly name: string;
}

/**
 * @param security the name of the constant that holds the operation's alternatives of credentials, if it has any
 * @param table what schemas of parameters refer to
 */
export function operationObject(
  api: ApiOperation,
  security: string | undefined,
  table: SchemaTable,
): OperationObject {
  const { operation } = api;
  const uses: RuntimeUse[] = [];
  const use = (module: RuntimeUse['module'], name: string): string => {
    uses.push({ module, name });
    return name;
  };
  const members: [string, Expression | undefined][] = [
    ['id', jsString(operation.id)],
    ['method', jsString(operation.method.toUpperCase())],
    ['path', jsString(operation.path)],
    ['parameters', list(api.parameters.map((parameter) => object(parameterMembers(parameter, table, use))))],
    ['body', api.body && bodyObject(api.body, use)],
    ['security', security],
    ['accept', accepted(api.responses)],
    ['read', reader(api.responses, use)],
    ['results', api.responses.some(({ status }) => status === '304') ? '[304]' : undefined],
    ['key', keyObject(api, use)],
    ['retry', retryRules(api, use)],
    ['timeoutMs', timeout(api)],
    ['patiently', timeout(api) === undefined ? undefined : use('patience', 'patiently')],
  ];
  return {
    members: members.flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value: code(layout(value, 2, 4 + name.length)) }],
    ),
    uses,
  };
}

/** The responses that are results: 2xx and 304; `default` where the document names no 2xx. */
export function resultsOf(responses: readonly ApiResponse[]): ApiResponse[] {
  const results = responses.filter(({ status }) => /^2/.test(status));
  const kept = responses.filter(({ status }) => status === '304');
  return results.length > 0
    ? [...results, ...kept]
    : [...responses.filter(({ status }) => status === 'default'), ...kept];
}

/** The alternatives of credentials as data; `undefined` where there are none that a request can carry. */
export function securityList(
  requirements: readonly SecurityRequirement[],
  uses: RuntimeUse[],
): Expression | undefined {
  const use = (module: RuntimeUse['module'], name: string): string => {
    uses.push({ module, name });
    return name;
  };
  const alternatives = requirements
    .filter(({ schemes }) => schemes.every(isCarried))
    // The first one for which there are credentials is used; none at all is always at hand, so it comes last.
    .sort((left, right) => Number(left.schemes.length === 0) - Number(right.schemes.length === 0))
    .map(({ schemes }) => list(schemes.map((scheme) => object(schemeMembers(scheme, use)))) ?? '[]');
  return alternatives.every((alternative) => alternative === '[]') ? undefined : list(alternatives);
}

// --- internal ---

type Use = (module: RuntimeUse['module'], name: string) => string;

function object(members: readonly (readonly [string, Expression | undefined])[]): Expression {
  return {
    members: members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  };
}

function list(items: readonly Expression[]): Expression | undefined {
  return items.length === 0 ? undefined : { list: items };
}

function parameterMembers(
  { parameter, member, schema }: ApiParameter,
  table: SchemaTable,
  use: Use,
): [string, string | undefined][] {
  const { name, in: place, mediaType } = parameter;
  const asJson = mediaType !== undefined && isJson(mediaType);
  const inPair = place === 'query' || place === 'cookie';
  const usual = inPair ? 'form' : 'simple';
  const named = styleOf(parameter);
  // Of one value nothing is to be joined: a client without lists and objects does without the code for them.
  const single = named === usual && isSingle(schema, table);
  const style = asJson ? JSON_STYLES[usual] : single ? SINGLE_STYLES[usual] : named;
  return [
    ['name', jsString(name)],
    ['in', jsString(place)],
    ['member', member === name ? undefined : jsString(member)],
    ['style', use('parameters', style)],
    ['explode', asJson || single || parameter.explode === inPair ? undefined : String(parameter.explode)],
    ['encode', parameter.allowReserved && place === 'query' ? use('parameters', 'keepReserved') : undefined],
  ];
}

const JSON_STYLES = { form: 'jsonPair', simple: 'jsonText' };
const SINGLE_STYLES = { form: 'singlePair', simple: 'singleText' };

/** Whether all values are texts, numbers and the like: none a list or an object. */
function isSingle(schema: Schema, table: SchemaTable, depth = 0): boolean {
  if (!isObject(schema) || depth > 10) return false;
  const { $ref, type, const: value, enum: values } = schema;
  if (typeof $ref === 'string') {
    const target = table.follow($ref);
    return target !== undefined && isSingle(target.schema, table, depth + 1);
  }
  if (type !== undefined)
    return (Array.isArray(type) ? type : [type]).every((one) => one !== 'array' && one !== 'object');
  const known = value === undefined ? values : [value];
  return Array.isArray(known) && known.every((one) => typeof one !== 'object');
}

const WRITERS: Record<Carriage, string> = {
  json: 'json',
  form: 'urlEncoded',
  multipart: 'multipart',
  text: 'text',
  events: 'text',
  binary: 'binary',
};

function bodyObject(body: ApiBody, use: Use): Expression {
  const { mediaType, carriage } = body.content;
  // The platform adds the boundary of a multipart body, and the type of a Blob, by itself.
  const bringsItsOwn = carriage === 'multipart' || mediaType.includes('*');
  return object([
    ['write', use('bodies', WRITERS[carriage])],
    [
      'mediaType',
      bringsItsOwn ? (carriage === 'json' ? jsString('application/json') : undefined) : jsString(mediaType),
    ],
    ['required', body.required ? 'true' : undefined],
  ]);
}

function accepted(responses: readonly ApiResponse[]): string | undefined {
  const types = [
    ...new Set(resultsOf(responses).flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType))),
  ];
  return types.length === 0 || (types.length === 1 && types[0] === 'application/json')
    ? undefined
    : jsString(types.join(', '));
}

function reader(responses: readonly ApiResponse[], use: Use): string | undefined {
  const withBody = resultsOf(responses).filter(({ status }) => status !== '204' && status !== '304');
  const carriages = new Set(withBody.flatMap(({ contents }) => contents.map(({ carriage }) => carriage)));
  const [only, ...more] = carriages;
  if (only === undefined) return use('answers', 'readNothing');
  if (more.length > 0) return use('answers', 'readByMediaType');
  // One result without a body beside one with JSON: JSON cannot be read of nothing.
  if (only === 'json')
    return withBody.every(({ contents }) => contents.length > 0)
      ? undefined
      : use('answers', 'readByMediaType');
  return use(
    'answers',
    { text: 'readText', events: 'readStream', binary: 'readBlob', form: 'readText', multipart: 'readBlob' }[
      only
    ],
  );
}

function keyObject({ operation }: ApiOperation, use: Use): Expression | undefined {
  const policy = policyFor(operation, 'idempotency');
  if (policy === undefined) return undefined;
  const replayed = 'replayHeader' in policy ? valueExpression(policy.replayHeader) : undefined;
  return object([
    ['header', jsString(policy.requestHeader)],
    ['create', use('keys', 'randomKey')],
    ['replayed', replayed],
  ]);
}

function retryRules({ operation }: ApiOperation, use: Use): Expression {
  const policy = policyFor(operation, 'retry');
  if (policy !== undefined) return valueExpression(rulesOf(policy));
  const isRepeatable = ['get', 'head', 'put', 'delete', 'options', 'trace'].includes(operation.method);
  return use('policies/retry', isRepeatable ? 'idempotentMethodRules' : 'otherMethodRules');
}

function rulesOf({ kind: _kind, operations: _operations, ...rules }: RetryPolicy): object {
  void _kind;
  void _operations;
  return rules;
}

function timeout({ operation }: ApiOperation): string | undefined {
  const policy = policyFor(operation, 'deadline');
  return policy && clientTimeoutMs(policy).toLocaleString('en').replaceAll(',', '_');
}

/** Whether a request can carry what the scheme asks for; a certificate of the connection is none of its business. */
function isCarried(scheme: SecurityScheme): boolean {
  return (
    scheme.type !== 'mutualTLS' &&
    (scheme.type !== 'apiKey' || (scheme.in !== undefined && scheme.parameterName !== undefined))
  );
}

const KEY_WRITERS = { header: 'keyInHeader', query: 'keyInQuery', cookie: 'keyInCookie' } as const;

function schemeMembers(scheme: SecurityScheme, use: Use): [string, string | undefined][] {
  const { name, type } = scheme;
  const member = (writer: string, parameter?: string): [string, string | undefined][] => [
    ['name', jsString(name)],
    ['write', use('secrets', writer)],
    ['parameter', parameter === undefined ? undefined : jsString(parameter)],
  ];
  if (type === 'apiKey') return member(KEY_WRITERS[scheme.in ?? 'header'], scheme.parameterName ?? '');
  const kind = scheme.scheme?.toLowerCase();
  if (type !== 'http' || kind === 'bearer') return member('bearer');
  // Of an unusual scheme its user gives the whole value of the header.
  return kind === 'basic' ? member('basic') : member('keyInHeader', 'Authorization');
}
