import type {
  ErrorShape,
  ServedApi,
  ServedContent,
  ServedGuard,
  ServedHeader,
  ServedMember,
  ServedOperation,
  ServedParameter,
  ServedReserved,
  ServedScheme,
  ServedUnique,
  SheetRefusal,
  WireType,
} from '../engine/served-api.ts';
import { bodyFormatOf, isBodiless, isJson, orderedContents } from './body-format.ts';
import { declaredErrorShape, errorBodiesOf } from './error-shape.ts';
import { findPolicy, pagesPolicyOf, policyFor } from './find-policy.ts';
import type {
  Contract,
  Document,
  MediaType,
  Operation,
  Parameter,
  ResponseHeader,
  Schema,
  SecurityScheme,
} from './model.ts';
import { type ResourcePolicy, roleOf } from './policies/resource.ts';
import { allowsAnyText, isText, UNKNOWN_MEMBER, wireType } from './wire-type.ts';

/**
 * The contract as the engine needs it: its document, and the policies of its sheet, as plain data.
 *
 * @param memberOf the member of the input that carries a parameter; `undefined` for one that the engine reads
 * by itself
 */
export function servedApiOf(
  contract: Contract,
  memberOf: (operation: Operation, parameter: Parameter) => string | undefined,
): ServedApi {
  const policies = contract.sheet?.policies ?? [];
  const headers = findPolicy(contract, 'headers');
  const presence = policies.filter((policy) => policy.kind === 'presence');
  const lifecycle = findPolicy(contract, 'lifecycle');
  return withoutGaps<ServedApi>({
    name: contract.name,
    errors: errorsOf(contract),
    requestIdHeader: headers?.requestId,
    creditsHeader: headers?.credits,
    spendHeaders: headers?.spend,
    keyPrefix: keyPrefixOf(contract),
    presence: presence.length === 0 ? undefined : presence,
    lifecycle: lifecycle && {
      schema: lifecycle.schema,
      property: lifecycle.property,
      terminal: lifecycle.terminal,
    },
    operations: contract.operations.map((operation) => servedOperation(contract, operation, memberOf)),
  });
}

/**
 * The names of schemas in a `ServedApi`: the name of the component if a schema is only a reference to one,
 * else a name made from its place.
 */
export const schemaNames = {
  parameter: ({ id }: Operation, { in: place, name, schema }: Parameter): string =>
    componentName(schema) ?? `${id} ${place} ${name}`,
  body: ({ id }: Operation, { mediaType, schema }: MediaType): string =>
    componentName(schema) ?? `${id} body ${mediaType}`,
  response: ({ id }: Operation, status: string, { mediaType, schema }: MediaType): string =>
    componentName(schema) ?? `${id} ${status} ${mediaType}`,
  header: ({ id }: Operation, status: string, { name, schema }: ResponseHeader): string =>
    componentName(schema) ?? `${id} ${status} ${name}`,
};

/** The schemas of a contract's parameters, bodies and headers under these names. */
export function servedSchemas({ operations }: Contract): ReadonlyMap<string, Schema> {
  const schemas = new Map<string, Schema>();
  const put = (name: string, schema: Schema | undefined): void => {
    if (schema !== undefined) schemas.set(name, schema);
  };
  for (const operation of operations) {
    for (const parameter of operation.parameters)
      put(schemaNames.parameter(operation, parameter), parameter.schema);
    for (const content of operation.requestBody?.content ?? [])
      put(schemaNames.body(operation, content), content.schema);
    for (const { status, content, headers } of operation.responses) {
      for (const each of content) put(schemaNames.response(operation, status, each), each.schema);
      for (const header of headers) put(schemaNames.header(operation, status, header), header.schema);
    }
  }
  return schemas;
}

/**
 * Whether the engine adds a version tag to the answers of an operation: to reads of a resource whose changes
 * name the version, and to changes whose answer has the same schema as the read.
 */
export function isTagged(contract: Contract, operation: Operation): boolean {
  const guarded = contract.operations.filter((other) => policyFor(other, 'conditional-write') !== undefined);
  const reads = guarded.flatMap((other) => readOf(contract, other) ?? []);
  if (reads.includes(operation)) return true;
  const creation = contract.sheet?.policies.find(
    (policy) => policy.kind === 'resource' && policy.operations.create === operation.id,
  );
  const read =
    creation?.kind === 'resource'
      ? reads.find(({ id }) => id === creation.operations.read)
      : guarded.includes(operation)
        ? readOf(contract, operation)
        : undefined;
  return read !== undefined && shownBy(read) !== undefined && shownBy(read) === shownBy(operation);
}

/** The headers that the engine sends itself for every operation, so that no handler has to. */
export function isOwnHeader(contract: Contract): (name: string) => boolean {
  const key = findPolicy(contract, 'idempotency');
  const own = [
    findPolicy(contract, 'headers')?.requestId,
    findPolicy(contract, 'error-buckets')?.header,
    key?.mode === 'replay' ? key.replayHeader.name : undefined,
    ...OF_THE_TRANSPORT,
  ].map((name) => name?.toLowerCase());
  return (name) => own.includes(name.toLowerCase());
}

/** The style of a parameter; the default of its position if OpenAPI does not allow the style there. */
export function styleOf({ style, in: place }: Parameter): string {
  const known = STYLES[place];
  return known.includes(style) ? style : (known[0] ?? 'simple');
}

// --- internal ---

const STYLES: Readonly<Record<Parameter['in'], readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

const OF_THE_TRANSPORT = ['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

function componentName(schema: Schema | undefined): string | undefined {
  if (typeof schema !== 'object' || Object.keys(schema).length !== 1) return undefined;
  const { $ref: reference } = schema;
  return typeof reference === 'string' && reference.startsWith(COMPONENTS)
    ? reference.slice(COMPONENTS.length)
    : undefined;
}

const COMPONENTS = '#/components/schemas/';

/** Removes members without a value, because people read the printed result. */
function withoutGaps<Whole extends object>(members: {
  [Name in keyof Whole]: Whole[Name] | undefined;
}): Whole {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Whole;
}

function errorsOf(contract: Contract): ErrorShape {
  const buckets = findPolicy(contract, 'error-buckets');
  if (buckets !== undefined) return { kind: 'buckets', policy: buckets };
  const codes = findPolicy(contract, 'error-codes') ?? declaredErrorShape(contract);
  const bodies = errorBodiesOf(contract, codes);
  const more = bodies === undefined ? {} : { bodies };
  return codes === undefined ? { kind: 'plain', ...more } : { kind: 'codes', policy: codes, ...more };
}

function keyPrefixOf(contract: Contract): ServedApi['keyPrefix'] {
  const policy = findPolicy(contract, 'credentials');
  if (policy?.keyPrefix === undefined || policy.keyHeader === undefined) return undefined;
  const header = policy.keyHeader.toLowerCase();
  const schemes = contract.operations.flatMap(({ security }) => security.flatMap(({ schemes }) => schemes));
  const scheme = schemes.find(({ parameterName }) => parameterName?.toLowerCase() === header);
  return scheme && { prefix: policy.keyPrefix, scheme: scheme.name };
}

function servedOperation(
  contract: Contract,
  operation: Operation,
  memberOf: (operation: Operation, parameter: Parameter) => string | undefined,
): ServedOperation {
  const parameters = operation.parameters.flatMap((parameter) => {
    const member = memberOf(operation, parameter);
    return member === undefined ? [] : [servedParameter(contract, operation, parameter, member)];
  });
  const requiredHeaders = operation.parameters
    .filter((parameter) => parameter.required && parameter.in === 'header')
    .filter((parameter) => memberOf(operation, parameter) === undefined)
    .map(({ name }) => name);
  const stream = policyFor(operation, 'event-stream');
  return withoutGaps<ServedOperation>({
    id: operation.id,
    method: operation.method.toUpperCase(),
    path: operation.path,
    parameters: parameters.length === 0 ? undefined : parameters,
    requiredHeaders: requiredHeaders.length === 0 ? undefined : requiredHeaders,
    body: servedBody(contract, operation),
    responses: Object.fromEntries(
      operation.responses.map(({ status, content }) => [
        status,
        content.map((one) => servedContent(one, schemaNames.response(operation, status, one))),
      ]),
    ),
    responseHeaders: servedHeaders(contract, operation),
    security: servedSecurity(operation),
    pagination: pagesPolicyOf(operation),
    plainSegments: policyFor(operation, 'plain-segments'),
    refusedFormat: policyFor(operation, 'refused-format'),
    idempotency: policyFor(operation, 'idempotency'),
    deadline: policyFor(operation, 'deadline'),
    capacity: policyFor(operation, 'capacity'),
    conditional: policyFor(operation, 'conditional-get'),
    isTagged: isTagged(contract, operation) ? true : undefined,
    guard: servedGuard(contract, operation),
    reserved: servedReserved(operation),
    unique: servedUnique(contract, operation),
    stream: stream && { events: stream.events },
  });
}

/** The operation that reads the resource that another operation of the same path changes. */
function readOf({ operations }: Contract, { path }: Operation): Operation | undefined {
  return operations.find((operation) => operation.path === path && operation.method === 'get');
}

/** The schema of a successful answer of an operation, if it has a name. */
function shownBy({ responses }: Operation): string | undefined {
  const shown = responses.find(({ status }) => status === '200' || status === '201');
  return componentName(shown?.content.find(({ mediaType }) => isJson(mediaType))?.schema);
}

function servedGuard(contract: Contract, operation: Operation): ServedGuard | undefined {
  const policy = policyFor(operation, 'conditional-write');
  if (policy === undefined) return undefined;
  const collection = collectionOf(contract, operation);
  const mayCreate =
    collection === undefined
      ? operation.method === 'put' && operation.responses.some(({ status }) => status === '201')
      : collection.upsert === true && collection.operations.replace === operation.id;
  return withoutGaps<ServedGuard>({
    mismatch: policy.mismatch,
    required: policy.required,
    read: readOf(contract, operation)?.id,
    mayCreate: mayCreate ? true : undefined,
  });
}

function servedReserved(operation: Operation): ServedReserved | undefined {
  const policy = policyFor(operation, 'reserved-fields');
  if (policy === undefined || policy.checkedBy === 'handler') return undefined;
  return { members: policy.members, refusal: policy.refusal ?? usualRefusal(operation, [422, 400]) };
}

function servedUnique(contract: Contract, operation: Operation): readonly ServedUnique[] | undefined {
  const collection = collectionOf(contract, operation);
  const all = operation.policies.flatMap((policy): ServedUnique[] => {
    if (policy.kind !== 'uniqueness' || policy.checkedBy === 'handler') return [];
    const { member, within, refusal = collection?.taken ?? usualRefusal(operation, [409, 422]) } = policy;
    return [{ member, within, refusal, ...(collection === undefined ? {} : { isOfThings: true }) }];
  });
  return all.length === 0 ? undefined : all;
}

/** The collection whose resources an operation creates, changes or deletes. */
function collectionOf({ sheet }: Contract, { id }: Operation): ResourcePolicy | undefined {
  return sheet?.policies.find(
    (policy): policy is ResourcePolicy => policy.kind === 'resource' && roleOf(policy, id) !== undefined,
  );
}

/** The first of these statuses that the document declares, else the first one. */
function usualRefusal(
  { responses }: Operation,
  wanted: readonly [number, ...(readonly number[])],
): SheetRefusal {
  const declared = responses.map(({ status }) => status);
  return { status: wanted.find((status) => declared.includes(String(status))) ?? wanted[0] };
}

function servedParameter(
  { document }: Contract,
  operation: Operation,
  parameter: Parameter,
  member: string,
): ServedParameter {
  const { name, in: place, required, mediaType, schema, explode } = parameter;
  const reads = wireType(schema, document, styleOf(parameter) === 'deepObject' ? DEEP : undefined);
  // A page size out of bounds is clamped, not refused.
  const isLimit = pagesPolicyOf(operation)?.limitParameter === name;
  return withoutGaps<ServedParameter>({
    name,
    in: place,
    member: member === name ? undefined : member,
    required: required ? true : undefined,
    style: mediaType === undefined ? styleOf(parameter) : isJson(mediaType) ? 'json' : 'simple',
    explode: mediaType === undefined && explode,
    reads: isText(reads) ? undefined : reads,
    others: takesAnyNames(parameter, reads) ? otherNames(document, operation, parameter) : undefined,
    schema: isLimit || allowsAnyText(schema) ? undefined : schemaNames.parameter(operation, parameter),
  });
}

/** Objects inside objects: `name[k][l]=v`. */
const DEEP = 8;

/** Whether an object is serialised as pairs with names that the document does not list. */
function takesAnyNames({ in: place, style, explode, mediaType }: Parameter, reads: WireType): boolean {
  const isSpread =
    explode && style !== 'deepObject' && mediaType === undefined && (place === 'query' || place === 'cookie');
  return (
    isSpread && reads.kinds.includes('object') && (reads.members === undefined || reads.rest !== undefined)
  );
}

/** The names of pairs that belong to other parameters, to credentials and to the path. */
function otherNames(
  document: Document,
  { parameters, security, path }: Operation,
  { in: place, name }: Parameter,
): readonly string[] | undefined {
  const query = place === 'query' ? path.split('#', 1)[0]?.split('?')[1] : undefined;
  const names = [
    ...parameters
      .filter((other) => other.in === place && other.name !== name)
      .flatMap((other) => pairNames(document, other)),
    ...security
      .flatMap(({ schemes }) => schemes)
      .flatMap((scheme) => (scheme.in === place ? (scheme.parameterName ?? []) : [])),
    ...(query ?? '').split('&').flatMap((pair) => pair.split('=', 1)),
  ].filter((each) => each !== '');
  return names.length === 0 ? undefined : [...new Set(names)];
}

/** The names under which a parameter is sent; `filter[` means all names with this prefix. */
function pairNames(document: Document, parameter: Parameter): readonly string[] {
  const { name, style, explode, mediaType, schema } = parameter;
  if (mediaType !== undefined) return [name];
  if (style === 'deepObject') return [name, `${name}[`];
  const { kinds, members = {} } = wireType(schema, document);
  return explode && kinds.includes('object') ? Object.keys(members) : [name];
}

/** The default, unless the caller chooses another, comes first. */
function servedBody(contract: Contract, operation: Operation): ServedOperation['body'] {
  const { requestBody } = operation;
  if (requestBody === undefined || requestBody.content.length === 0) return undefined;
  return {
    required: requestBody.required && !isBodiless(operation.method),
    contents: orderedContents(requestBody.content).map((content) => {
      const served = servedContent(content, schemaNames.body(operation, content));
      const isForm = served.bodyFormat === 'form' || served.bodyFormat === 'multipart';
      return isForm ? { ...served, ...servedForm(contract, content, served.bodyFormat) } : served;
    }),
  };
}

/** How the members of a form are parsed. */
function servedForm(
  { document }: Contract,
  { schema, encoding }: MediaType,
  bodyFormat: ServedContent['bodyFormat'],
): Partial<ServedContent> {
  const reads = wireType(schema, document, BODY_DEPTH, UNKNOWN_MEMBER);
  const members = encoding.flatMap(({ name, style, explode, contentType }): [string, ServedMember][] => {
    if (style !== undefined) return [[name, { style, explode }]];
    // In multipart, each item of a list is a part with the media type; in a urlencoded form the list is one
    // value.
    const isJsonText = contentType !== undefined && isJson(contentType) && bodyFormat === 'form';
    return isJsonText ? [[name, { style: 'json', explode: false }]] : [];
  });
  return {
    ...(reads.members === undefined && reads.rest === undefined ? {} : { reads }),
    ...(members.length === 0 ? {} : { members: Object.fromEntries(members) }),
  };
}

/** The members of a form, and the members inside them. */
const BODY_DEPTH = 5;

function servedContent({ mediaType, schema }: MediaType, name: string): ServedContent {
  const bodyFormat = bodyFormatOf(mediaType, schema);
  const isJudged = ['json', 'form', 'multipart'].includes(bodyFormat) && schema !== undefined;
  return withoutGaps<ServedContent>({
    mediaType,
    bodyFormat,
    schema: isJudged ? name : undefined,
  });
}

/** By status: the declared headers that handlers provide, if their values can be invalid. */
function servedHeaders(contract: Contract, operation: Operation): ServedOperation['responseHeaders'] {
  const isOwn = isOwnHeader(contract);
  const statuses = operation.responses.flatMap(({ status, headers }) => {
    const served = headers
      .filter(({ name, required, schema }) => !isOwn(name) && (required || !allowsAnyText(schema)))
      .map((header) => {
        const { name, required, explode, mediaType, schema } = header;
        const reads = wireType(schema, contract.document);
        return withoutGaps<ServedHeader>({
          name,
          required: required ? true : undefined,
          style: mediaType !== undefined && isJson(mediaType) ? 'json' : undefined,
          explode: explode ? true : undefined,
          reads: isText(reads) ? undefined : reads,
          schema: allowsAnyText(schema) ? undefined : schemaNames.header(operation, status, header),
        });
      });
    return served.length === 0 ? [] : [[status, served] as const];
  });
  return statuses.length === 0 ? undefined : Object.fromEntries(statuses);
}

function servedSecurity({ security }: Operation): ServedOperation['security'] {
  if (security.length === 0) return undefined;
  return security.map(({ schemes }) => schemes.filter(({ type }) => type !== 'mutualTLS').map(servedScheme));
}

function servedScheme({ name, type, in: place, parameterName, scheme }: SecurityScheme): ServedScheme {
  if (type === 'apiKey') return { name, kind: place ?? 'header', parameter: parameterName ?? '' };
  const kind = type === 'http' ? scheme?.toLowerCase() : 'bearer';
  return kind === 'basic' || kind === 'bearer'
    ? { name, kind }
    : { name, kind: 'header', parameter: 'Authorization' };
}
