import {
  type MemberEncoding,
  policyFor,
  type Schema,
  type SecurityRequirement,
  type SecurityScheme,
  type ServerObject,
} from '../../contract/index.ts';
import { isJson } from '../../contract/judge/body-format.ts';
import { requestPath } from '../../contract/sheet/request-path.ts';
import { styleOf } from '../../contract/served/served-parameters.ts';
import type { BodyFormat } from '../../engine/served-api.ts';
import { clientTimeoutMs } from '../../contract/policies/deadline.ts';
import type { RetryPolicy } from '../../contract/policies/retry.ts';
import { type Code, code, type Expression, jsString, layout, valueExpression } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import {
  alternatives,
  type ApiBody,
  type ApiContent,
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  hasPartHeaders,
  sentType,
} from './api.ts';

/** A member of an object literal. */
export interface Member {
  readonly name: string;
  readonly value: Code;
}

/** The data of one operation for the runtime, and the functions of the runtime that it names. */
export interface OperationObject {
  readonly members: readonly Member[];
  /** Exports of the runtime, by module. */
  readonly uses: readonly RuntimeUse[];
}

export interface RuntimeUse {
  readonly module:
    | 'addresses'
    | 'answers'
    | 'bodies'
    | 'keys'
    | 'multipart'
    | 'parameters'
    | 'patience'
    | 'policies/retry'
    | 'secrets'
    | 'streams';
  readonly name: string;
}

/**
 * @param security the name of the constant with the operation's alternatives of credentials, if it has any
 * @param table the target of references in schemas of parameters
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
    // A fragment is never sent; documents use it to distinguish operations with the same path.
    ['path', jsString(requestPath(operation).split('#')[0] ?? '')],
    ['parameters', list(api.parameters.map((parameter) => object(parameterMembers(parameter, table, use))))],
    ['body', api.body && bodyObject(api.body, use)],
    [
      'server',
      operation.servers[0] && serverObject(operation.servers[0], [['find', use('addresses', 'ownAddress')]]),
    ],
    ['security', security],
    ['accept', accepted(api.responses)],
    ['read', api.operation.method === 'head' ? undefined : readerOf(api.responses, table, use)],
    ['results', statuses(resultsOf(api.responses).filter(({ status }) => /^3\d\d$/.test(status)))],
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

/** An address of the document as data. */
export function serverObject(
  { url, variables }: ServerObject,
  more: readonly (readonly [string, Expression])[] = [],
): Expression {
  const usual = variables.map((variable) => [variable.name, jsString(variable.default)] as const);
  return object([
    ['url', jsString(url)],
    ['variables', usual.length === 0 ? undefined : object(usual)],
    ...more,
  ]);
}

/** The responses that are results: 2xx and 304; without a 2xx `default`, and without that redirects. */
export function resultsOf(responses: readonly ApiResponse[]): ApiResponse[] {
  const results = responses.filter(({ status }) => /^2/.test(status));
  const kept = responses.filter(({ status }) => status === '304');
  if (results.length > 0) return [...results, ...kept];
  const others = responses.filter(({ status }) => status === 'default');
  return others.length > 0 ? [...others, ...kept] : responses.filter(({ status }) => /^3\d\d$/.test(status));
}

/** The alternatives of credentials as data; `undefined` if a request cannot carry any of them. */
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
    // The first alternative with available credentials is used. An empty one is always available, so it comes
    // last.
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
  // A single value needs no joining, so a client without lists and objects does not include that code.
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

/** Whether all values are texts, numbers and similar: neither lists nor objects. */
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

function isString(schema: Schema | undefined, table: SchemaTable): boolean {
  if (!isObject(schema)) return false;
  const { $ref, type } = schema;
  return typeof $ref === 'string' ? isString(table.follow($ref)?.schema, table) : type === 'string';
}

const WRITERS: Record<BodyFormat, string> = {
  json: 'json',
  form: 'urlEncoded',
  multipart: 'multipart',
  text: 'text',
  events: 'text',
  lines: 'jsonLines',
  sequence: 'jsonSequence',
  binary: 'binary',
};

function bodyObject(body: ApiBody, use: Use): Expression {
  const { content, required } = body;
  const others = alternatives(body);
  const further = others.map((other) => object(contentMembers(other, use)));
  return object([
    ['prepare', use('bodies', 'prepareBody')],
    ...contentMembers(content, use),
    ['others', list(further)],
    ['choose', chooserOf([content, ...others], use)],
    ['required', required ? 'true' : undefined],
  ]);
}

function chooserOf(contents: readonly ApiContent[], use: Use): string | undefined {
  if (contents.some(hasPartHeaders)) return use('multipart', 'withPartHeaders');
  return contents.length === 1 ? undefined : use('bodies', 'chosenBody');
}

function contentMembers(content: ApiContent, use: Use): [string, Expression | undefined][] {
  const { bodyFormat, encoding } = content;
  const named = sentType(content);
  const members = encoding.flatMap((member): [string, Expression][] => {
    const described = memberObject(member, use);
    return described === undefined ? [] : [[member.name, described]];
  });
  return [
    ['write', use(bodyFormat === 'multipart' ? 'multipart' : 'bodies', WRITERS[bodyFormat])],
    ['mediaType', named === undefined ? undefined : jsString(named)],
    ['typeOf', named === undefined || bodyFormat === 'multipart' ? use('bodies', 'typeOfBlob') : undefined],
    ['members', members.length === 0 ? undefined : object(members)],
  ];
}

function memberObject(
  { contentType, style, explode, allowReserved, headers }: MemberEncoding,
  use: Use,
): Expression | undefined {
  const needed = headers.filter(({ required }) => required).map(({ name }) => jsString(name));
  const needs = ['needs', list(needed)] as const;
  if (style !== undefined) {
    const known = ['spaceDelimited', 'pipeDelimited', 'deepObject'].includes(style) ? style : 'form';
    return object([
      ['style', use('parameters', known)],
      ['explode', explode ? undefined : 'false'],
      ['encode', allowReserved ? use('parameters', 'keepReserved') : undefined],
      needs,
    ]);
  }
  if (contentType === undefined && needed.length === 0) return undefined;
  return object([['mediaType', contentType === undefined ? undefined : jsString(contentType)], needs]);
}

function accepted(responses: readonly ApiResponse[]): string | undefined {
  // Of equally acceptable types, many servers choose the first, and only JSON has a type.
  const contents = resultsOf(responses).flatMap((response) => response.contents);
  const inOrder = [...contents].sort(
    (left, right) => Number(right.bodyFormat === 'json') - Number(left.bodyFormat === 'json'),
  );
  const types = [...new Set(inOrder.map(({ mediaType }) => mediaType))];
  return types.length === 0 || (types.length === 1 && types[0] === 'application/json')
    ? undefined
    : jsString(types.join(', '));
}

function readerOf(responses: readonly ApiResponse[], table: SchemaTable, use: Use): string | undefined {
  const read = reader(responses, table, use);
  const empty = withoutBody(responses);
  if (empty === undefined) return read;
  return `${use('answers', 'readExcept')}(${empty}${read === undefined ? '' : `, ${read}`})`;
}

function reader(responses: readonly ApiResponse[], table: SchemaTable, use: Use): string | undefined {
  const withBody = resultsOf(responses).filter(({ contents }) => contents.length > 0);
  const contents = withBody.flatMap((response) => response.contents);
  const bodyFormats = new Set(contents.map(({ bodyFormat }) => bodyFormat));
  const [only, ...more] = bodyFormats;
  if (only === undefined) return use('answers', 'readNothing');
  const events = contents.find(({ bodyFormat }) => bodyFormat === 'events');
  const isText = events !== undefined && events.schema === undefined;
  if (more.length > 0) {
    if (!['events', 'lines', 'sequence'].some((bodyFormat) => bodyFormats.has(bodyFormat as BodyFormat)))
      return use('answers', 'readByMediaType');
    const read = use('streams', 'streamedReader');
    return `${read}(${isText ? use('streams', 'textEventsReader') : ''})`;
  }
  switch (only) {
    case 'json':
      // Under a range of media types, a server can send a string as text.
      return contents.some(({ mediaType, schema }) => mediaType.includes('*') && isString(schema, table))
        ? use('answers', 'readByMediaType')
        : undefined;
    case 'events':
      return isText ? use('answers', 'readStream') : use('streams', 'eventsReader');
    case 'lines':
      return use('streams', 'linesReader');
    case 'sequence':
      return use('streams', 'sequenceReader');
    case 'text':
    case 'form':
      return use('answers', 'readText');
    case 'binary':
    case 'multipart':
      return use('answers', 'readBlob');
  }
}

/**
 * The statuses of results without a body, if others have one; for some the protocol itself forbids a body.
 */
function withoutBody(responses: readonly ApiResponse[]): string | undefined {
  const results = resultsOf(responses);
  if (results.every(({ contents }) => contents.length === 0)) return undefined;
  return statuses(
    results.filter(
      ({ status, contents }) =>
        contents.length === 0 && /^\d{3}$/.test(status) && !['204', '205', '304'].includes(status),
    ),
  );
}

function statuses(responses: readonly ApiResponse[]): string | undefined {
  return responses.length === 0 ? undefined : `[${responses.map(({ status }) => status).join(', ')}]`;
}

function keyObject({ operation }: ApiOperation, use: Use): Expression | undefined {
  const policy = policyFor(operation, 'idempotency');
  if (policy === undefined) return undefined;
  const replayed =
    policy.mode === 'replay' && policy.replayHeader !== undefined
      ? valueExpression(policy.replayHeader)
      : undefined;
  return object([
    ['header', jsString(policy.requestHeader)],
    ['create', use('keys', 'randomKey')],
    ['replayed', replayed],
  ]);
}

function retryRules({ operation }: ApiOperation, use: Use): Expression {
  const policy = policyFor(operation, 'retry');
  if (policy !== undefined) return valueExpression(rulesOf(policy));
  const isRepeatable = ['get', 'head', 'put', 'delete', 'options', 'trace', 'query'].includes(
    operation.method,
  );
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

/**
 * Whether a request can carry the credential of a scheme; a client certificate is part of the connection, not
 * of a request.
 */
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
  // For an unusual scheme, the user provides the whole value of the header.
  return kind === 'basic' ? member('basic') : member('keyInHeader', 'Authorization');
}
