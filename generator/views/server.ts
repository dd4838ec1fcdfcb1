import {
  findPolicy,
  type Parameter,
  policyFor,
  type PolicyOf,
  type Schema,
  type SecurityScheme,
} from '../../contract/index.ts';
import type { Policy } from '../../contract/policies/policy.ts';
import { nameTable, typeName, valueName } from '../names.ts';
import { type Expression, jsString, objectExpression, prose, valueExpression } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import { referredName, type SchemaTable } from '../schemas/schema-table.ts';
import type { Api, ApiContent, ApiOperation, ApiParameter } from './api.ts';
import type { ErrorsView } from './errors.ts';
import type { GuardView } from './guards.ts';
import {
  ownHeaders,
  replyHeadersExpression,
  type ReplyHeadersView,
  replyHeadersView,
} from './reply-headers.ts';
import { saysNothing, wireType } from './wire-type.ts';

/** What `server.ts` holds: an interface of handlers, and the data of the API for the machinery. */
export interface ServerView {
  readonly title: string;
  readonly handlersType: string;
  /** What a refusal can name as its reason, as a type. */
  readonly reasons: string;
  readonly api: Expression;
  /** What the machinery knows of each operation. Each is a constant: compilers give up on a long list of literals. */
  readonly served: readonly { readonly name: string; readonly value: Expression }[];
  readonly operations: readonly ServedView[];
  /** The type with the names of headers that no handler has to give; `undefined` where there are none. */
  readonly ownHeaders: { readonly type: string; readonly names: readonly string[] } | undefined;
  /** Parameters with a schema of their own, to be checked by a function of this module. */
  readonly checks: readonly { readonly name: string; readonly schema: Schema }[];
}

export interface ServedView {
  readonly name: string;
  readonly comment: readonly string[];
  readonly replyType: string;
  /** The type of its input; `undefined` where it takes none. */
  readonly inputType: string | undefined;
  readonly responsesType: string;
  readonly headers: ReplyHeadersView | undefined;
  /** Statuses whose body is a stream of events. */
  readonly streams: readonly string[];
}

export function serverView(api: Api, errors: ErrorsView, guards: readonly GuardView[]): ServerView {
  const names = nameTable(['api', 'createServer', 'refuse', 'runtime', 'types', 'validators', 'errors']);
  const checkOf = new Map(guards.map(({ type, check }) => [type, `validators.${check}`]));
  const checks: { name: string; schema: Schema }[] = [];
  const checkOnce = eachOnce((schema, wish) => check(schema, wish));
  const check = (schema: Schema | undefined, wish: string): Expression | undefined => {
    if (schema === undefined || saysNothing(schema)) return undefined;
    const named =
      isObject(schema) && Object.keys(schema).length === 1 ? referredName(schema['$ref']) : undefined;
    if (named !== undefined) return checkOf.get(named);
    const name = names.claim(valueName(wish, 'check'));
    checks.push({ name, schema });
    return `(value) => check(${name}, value)`;
  };
  const handlersType = names.claim(`${api.title}Handlers`);
  const replies = api.operations.map(({ operation }) =>
    names.claim(`${typeName(operation.id, 'Call')}Reply`),
  );
  const own = ownHeaders(api);
  const served = api.operations.map((operation) => ({
    name: names.claim(`${operation.name}Operation`),
    value: operationExpression(api, operation, check, checkOnce),
  }));
  return {
    title: api.contract.title,
    handlersType,
    reasons: reasonsOf(errors),
    api: apiExpression(
      api,
      served.map(({ name }) => name),
    ),
    served,
    operations: api.operations.map((operation, index) => servedView(api, operation, replies[index] ?? '')),
    checks,
    ownHeaders: own.length === 0 ? undefined : { type: names.claim('OwnHeaders'), names: own },
  };
}

// --- internal ---

type CheckOf = (schema: Schema | undefined, wish: string) => Expression | undefined;

/** One check where the same is asked for again: a document repeats its headers with every answer. */
function eachOnce(check: CheckOf): CheckOf {
  const made = new Map<string, Expression | undefined>();
  return (schema, wish) => {
    const key = JSON.stringify([wish, schema ?? true]);
    if (!made.has(key)) made.set(key, check(schema, wish));
    return made.get(key);
  };
}

function servedView(api: Api, served: ApiOperation, replyType: string): ServedView {
  const { name, operation, parameters, body, parametersType, responsesType, responses } = served;
  const { summary, description, method, path, deprecated } = operation;
  return {
    name,
    comment: [
      ...prose(summary),
      ...(description === undefined || description === summary ? [] : ['', ...prose(description)]),
      '',
      `\`${method.toUpperCase()} ${prose(path).join('')}\``,
      ...(deprecated ? ['@deprecated'] : []),
    ],
    replyType,
    inputType: parameters.length > 0 || body !== undefined ? parametersType : undefined,
    responsesType,
    headers: replyHeadersView(api, served),
    streams: responses
      .filter(({ contents }) => contents.some(({ carriage }) => carriage === 'events'))
      .map(({ status }) => status),
  };
}

function reasonsOf({ buckets, codes }: ErrorsView): string {
  if (buckets !== undefined) return `errors.${buckets.bucketType}`;
  const known = (codes?.classes ?? []).map(({ bucket }) => jsString(bucket));
  return known.length === 0 ? 'string' : [...known, '(string & {})'].join(' | ');
}

function apiExpression(api: Api, operations: readonly string[]): Expression {
  const { contract } = api;
  const headers = contract.sheet?.policies.find((policy) => policy.kind === 'headers');
  const presence = presencePolicies(api).map((policy) => ({
    ...policy,
    operations: policy.operations.flatMap(
      (id) => api.operations.find(({ operation }) => operation.id === id)?.name ?? [],
    ),
  }));
  const data = (value: unknown): Expression | undefined =>
    value === undefined ? undefined : valueExpression(value);
  return objectExpression([
    ['name', jsString(contract.name)],
    ['errors', errorsExpression(api)],
    ['requestIdHeader', data(headers?.requestId)],
    ['creditsHeader', data(headers?.credits)],
    ['spendHeaders', data(headers?.spend)],
    ['keyPrefix', data(keyPrefixOf(api))],
    ['presence', presence.length === 0 ? undefined : valueExpression(presence)],
    ['lifecycle', data(lifecycleOf(api))],
    ['operations', { list: operations }],
  ]);
}

/** Where the members stand that only some answers may carry. */
function presencePolicies({ contract }: Api): readonly PolicyOf<'presence'>[] {
  return (contract.sheet?.policies ?? []).filter((policy) => policy.kind === 'presence');
}

function lifecycleOf({
  contract,
}: Api): Pick<PolicyOf<'lifecycle'>, 'schema' | 'property' | 'terminal'> | undefined {
  const policy = findPolicy(contract, 'lifecycle');
  return policy && { schema: policy.schema, property: policy.property, terminal: policy.terminal };
}

function errorsExpression({ contract, errorBuckets }: Api): Expression {
  const codes = findPolicy(contract, 'error-codes');
  const policy = errorBuckets ?? codes;
  if (policy === undefined) return objectExpression([['kind', jsString('plain')]]);
  return objectExpression([
    ['kind', jsString(policy.kind === 'error-buckets' ? 'buckets' : 'codes')],
    ['policy', valueExpression(policy)],
  ]);
}

function keyPrefixOf({ contract }: Api): { prefix: string; scheme: string } | undefined {
  const policy = findPolicy(contract, 'credentials');
  if (policy?.keyPrefix === undefined || policy.keyHeader === undefined) return undefined;
  const header = policy.keyHeader.toLowerCase();
  const schemes = contract.operations.flatMap(({ security }) => security.flatMap(({ schemes }) => schemes));
  const scheme = schemes.find(({ parameterName }) => parameterName?.toLowerCase() === header);
  return scheme === undefined ? undefined : { prefix: policy.keyPrefix, scheme: scheme.name };
}

function operationExpression(api: Api, served: ApiOperation, check: CheckOf, checkOnce: CheckOf): Expression {
  const { operation, name, parameters, body, responses } = served;
  const policy = <Kind extends Policy['kind']>(kind: Kind): Expression | undefined => {
    const found = policyFor(operation, kind);
    return found === undefined ? undefined : valueExpression(found);
  };
  const stream = policyFor(operation, 'event-stream');
  const ruled = presencePolicies(api).map(({ schema }) => schema);
  // A page size is brought into its bounds and not refused.
  const limit = policyFor(operation, 'pagination')?.limitParameter;
  const checkUnlessClamped =
    (name: string): CheckOf =>
    (schema, wish) =>
      name === limit ? undefined : check(schema, wish);
  const contents = bodyContents(
    operation.requestBody?.content.map(({ mediaType }) => mediaType) ?? [],
    body?.content,
  );
  return objectExpression([
    ['id', jsString(name)],
    ['method', jsString(operation.method.toUpperCase())],
    ['path', jsString(operation.path)],
    [
      'parameters',
      listOf(
        parameters.map((each) =>
          parameterExpression(name, each, api.table, checkUnlessClamped(each.parameter.name)),
        ),
      ),
    ],
    [
      'body',
      body &&
        objectExpression([
          ['required', String(body.required)],
          [
            'contents',
            { list: contents.map((content) => contentExpression(content, `${name} body`, check)) },
          ],
        ]),
    ],
    [
      'responses',
      {
        members: responses.map(({ status, contents: described }) => [
          status,
          { list: described.map((content) => contentExpression(content, `${name} ${status}`, check, ruled)) },
        ]),
      },
    ],
    ['responseHeaders', replyHeadersExpression(api, served, checkOnce)],
    ['security', securityExpression(operation.security.map(({ schemes }) => schemes))],
    ['pagination', policy('pagination')],
    ['plainSegments', policy('plain-segments')],
    ['refusedFormat', policy('refused-format')],
    ['idempotency', policy('idempotency')],
    ['deadline', policy('deadline')],
    ['capacity', policy('capacity')],
    ['conditional', policy('conditional-get')],
    ['stream', stream && valueExpression({ events: stream.events })],
  ]);
}

function listOf(items: readonly Expression[]): Expression | undefined {
  return items.length === 0 ? undefined : { list: items };
}

/** The one that the input's type describes, and others that carry the same in another way. */
function bodyContents(mediaTypes: readonly string[], typed: ApiContent | undefined): ApiContent[] {
  if (typed === undefined) return [];
  const forms = mediaTypes.flatMap((mediaType): ApiContent[] => {
    const carriage = /^application\/x-www-form-urlencoded/i.test(mediaType)
      ? 'form'
      : /^multipart\/form-data/i.test(mediaType)
        ? 'multipart'
        : undefined;
    return carriage === undefined || mediaType === typed.mediaType
      ? []
      : [{ mediaType, carriage, schema: undefined }];
  });
  return [typed, ...forms];
}

function contentExpression(
  { mediaType, carriage, schema }: ApiContent,
  wish: string,
  check: CheckOf,
  ruled: readonly string[] = [],
): Expression {
  const named = isObject(schema) ? referredName(schema['$ref']) : undefined;
  return objectExpression([
    ['mediaType', jsString(mediaType)],
    ['schema', named !== undefined && ruled.includes(named) ? jsString(named) : undefined],
    ['carriage', jsString(carriage)],
    ['check', carriage === 'json' || carriage === 'form' ? check(schema, wish) : undefined],
  ]);
}

function parameterExpression(
  operation: string,
  { parameter, member, schema }: ApiParameter,
  table: SchemaTable,
  check: CheckOf,
): Expression {
  const { name, in: place, required, mediaType } = parameter;
  const reads = wireType(schema, table, 3);
  return objectExpression([
    ['name', jsString(name)],
    ['in', jsString(place)],
    ['member', member === name ? undefined : jsString(member)],
    ['required', required ? 'true' : undefined],
    [
      'style',
      jsString(
        mediaType === undefined
          ? styleOf(parameter)
          : /[/+]json\s*(?:;|$)/i.test(mediaType)
            ? 'json'
            : 'simple',
      ),
    ],
    ['explode', String(mediaType === undefined && parameter.explode)],
    ['reads', JSON.stringify(reads) === '{"kinds":["string"]}' ? undefined : valueExpression(reads)],
    ['check', check(schema, `${operation} ${name}`)],
  ]);
}

function styleOf({ style, in: place }: Parameter): string {
  const known = {
    path: ['simple', 'label', 'matrix'],
    query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
    header: ['simple'],
    cookie: ['form'],
  }[place];
  return known.includes(style) ? style : (known[0] ?? 'simple');
}

function securityExpression(alternatives: readonly (readonly SecurityScheme[])[]): Expression | undefined {
  if (alternatives.length === 0) return undefined;
  return {
    list: alternatives.map((schemes) => ({
      list: schemes.filter(({ type }) => type !== 'mutualTLS').map(schemeExpression),
    })),
  };
}

function schemeExpression({ name, type, in: place, parameterName, scheme }: SecurityScheme): Expression {
  const kind = type === 'apiKey' ? (place ?? 'header') : schemeKind(type, scheme);
  return objectExpression([
    ['name', jsString(name)],
    ['kind', jsString(kind)],
    [
      'parameter',
      type === 'apiKey'
        ? jsString(parameterName ?? '')
        : kind === 'header'
          ? jsString('Authorization')
          : undefined,
    ],
  ]);
}

function schemeKind(type: SecurityScheme['type'], scheme: string | undefined): string {
  if (type !== 'http') return 'bearer';
  const named = scheme?.toLowerCase();
  return named === 'basic' || named === 'bearer' ? named : 'header';
}
