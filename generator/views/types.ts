import type { Json, Schema } from '../../contract/index.ts';
import { prose } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import { commentOf, detailsOf } from '../schemas/comments.ts';
import {
  literalShape,
  namedShape,
  saysSomething,
  SENT_BYTES,
  typeShape,
  unionShape,
} from '../schemas/type-shape.ts';
import {
  alternatives,
  type ApiView,
  type ApiContent,
  type ApiIncoming,
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  hasPartHeaders,
  sentType,
} from './api.ts';
import { headersOf, knownHeader } from './headers.ts';

/** A type to declare: its name, its shape, and its comment. */
export interface Declaration {
  readonly name: string;
  readonly shape: Json;
  readonly comment: readonly string[];
  /**
   * Declared as an alias even if it is a plain object, because only an alias is assignable to a record type.
   */
  readonly isAlias?: true;
}

/** All types of an API, in the order in which they are printed. */
export function typeDeclarations(api: ApiView): Declaration[] {
  const shape = shaper(api);
  return [
    ...api.table.entries.map(({ name, schema }) => ({
      name,
      shape: shape(schema),
      comment: commentOf(schema),
    })),
    ...api.operations.flatMap((operation) => [
      ...ofOperation(api, operation, shape),
      ...headersDeclaration(api, operation),
    ]),
    ...api.incoming.map((incoming) => ofIncoming(incoming, shape)),
  ];
}

/** The type of the content of an answer, as a shape: forms are not split into their members. */
export function answeredShape(content: ApiContent, shape: (schema: Schema) => Json): Json {
  if (content.bodyFormat === 'form') return { type: 'string' };
  return content.bodyFormat === 'multipart' ? namedShape('Blob') : contentShape(content, shape);
}

/** The type of a content, as a shape. */
export function contentShape(content: ApiContent, shape: (schema: Schema) => Json): Json {
  switch (content.bodyFormat) {
    case 'text':
    case 'events':
      return { type: 'string' };
    case 'binary':
      return namedShape('Blob');
    case 'lines':
    case 'sequence':
      return { type: 'x-array', 'x-item': content.schema === undefined ? true : shape(content.schema) };
    default:
      return content.schema === undefined ? true : shape(content.schema);
  }
}

/** Returns the shape of a schema of the table. Members with open values by the contract get open types. */
export function shaper(api: ApiView): (schema: Schema) => Json {
  const open = openSchemas(api);
  return (schema) => typeShape(schema, api.table, (inner) => open.get(inner));
}

// --- internal ---

function ofOperation(api: ApiView, operation: ApiOperation, shape: (schema: Schema) => Json): Declaration[] {
  const { member: name, parameters, body, responses } = operation;
  const members = parameters.map((parameter) => parameterMember(parameter, shape));
  const required = parameters.filter(({ parameter }) => parameter.required).map(({ member }) => member);
  return [
    ...(body === undefined
      ? []
      : [
          {
            name: operation.bodyType,
            shape: sentShape(body.content, shape),
            comment: [`What \`${name}\` sends.`],
          },
        ]),
    ...(members.length === 0 && body === undefined
      ? []
      : [
          {
            name: operation.parametersType,
            shape: inputShape(operation, members, required, shape, api.table),
            comment: [`What \`${name}\` takes.`],
            isAlias: true as const,
          },
        ]),
    {
      name: operation.responsesType,
      shape: objectOf(
        responses.map((response): [string, Json] => [response.status, responseMember(response, shape)]),
        responses.map(({ status }) => status),
      ),
      comment: [`What \`${name}\` is answered with, by status.`],
    },
  ];
}

/** The parameters, and one of the bodies that the operation accepts. */
function inputShape(
  { body, bodyType }: ApiOperation,
  parameters: readonly [string, Json][],
  required: readonly string[],
  shape: (schema: Schema) => Json,
  table: SchemaTable,
): Json {
  if (body === undefined) return objectOf(parameters, required);
  const all = sentBodies([body.content, ...alternatives(body)], shape, table);
  const isChoice = all.length > 1 || all.some(({ mediaTypes }) => mediaTypes.length > 1);
  const choices = all.map(({ type, partHeaders, mediaTypes }, index): [[string, Json][], string[]] => {
    const isDefault = index === 0;
    const sent = isDefault ? namedShape(bodyType) : type;
    const members: [string, Json][] = [
      ['body', optionalIf(isDefault && !body.required, sent, prose(body.description))],
      ...(partHeaders === undefined
        ? []
        : [['partHeaders', optionalIf(true, partHeaders, PART_HEADERS)] as [string, Json]]),
      ...(isChoice
        ? [['contentType', optionalIf(isDefault, literalShape(mediaTypes), [])] as [string, Json]]
        : []),
    ];
    return [members, isDefault ? (body.required ? ['body'] : []) : ['body', 'contentType']];
  });
  const [only, ...more] = choices;
  if (only !== undefined && more.length === 0)
    return objectOf([...parameters, ...only[0]], [...required, ...only[1]]);
  const chosen = unionShape(choices.map(([members, needed]) => objectOf(members, needed)));
  return parameters.length === 0 ? chosen : { allOf: [objectOf(parameters, required), chosen] };
}

/** What is sent alike, with the media types that it can have. */
interface SentBody {
  readonly type: Json;
  readonly partHeaders: Json | undefined;
  readonly mediaTypes: string[];
}

function sentBodies(
  contents: readonly ApiContent[],
  shape: (schema: Schema) => Json,
  table: SchemaTable,
): readonly SentBody[] {
  const bodies = new Map<string, SentBody>();
  for (const content of contents) {
    const type = sentShape(content, shape);
    const partHeaders = hasPartHeaders(content) ? partHeadersShape(content, table) : undefined;
    const mediaType = sentType(content) ?? content.mediaType;
    const key = JSON.stringify([type, partHeaders]);
    const twin = bodies.get(key);
    if (twin === undefined) bodies.set(key, { type, partHeaders, mediaTypes: [mediaType] });
    else twin.mediaTypes.push(mediaType);
  }
  return [...bodies.values()];
}

const PART_HEADERS = ['Further headers of the parts, by the names of the members.'];

/**
 * The headers that the document describes for parts: for a list, one set for each item or one for all of
 * them.
 */
function partHeadersShape({ schema, encoding }: ApiContent, table: SchemaTable): Json {
  const members = encoding.flatMap(({ name, headers }): [string, Json][] => {
    if (headers.length === 0) return [];
    const known = headers.map((header): [string, Json] => {
      const { shape, comment } = knownHeader(header, table);
      return [header.name, optionalIf(!header.required, shape, comment)];
    });
    const needed = headers.filter(({ required }) => required).map((header) => header.name);
    const one = objectOf(known, needed);
    const member = memberAt(schema ?? true, [name], table);
    const isList = isObject(member) && member['type'] === 'array';
    return [
      [name, optionalIf(true, isList ? unionShape([one, { type: 'x-array', 'x-item': one }]) : one, [])],
    ];
  });
  return objectOf(members, []);
}

/** Bytes can be sent as any type that `fetch` accepts for bytes. */
function sentShape(content: ApiContent, shape: (schema: Schema) => Json): Json {
  return content.bodyFormat === 'binary' ? namedShape(SENT_BYTES) : contentShape(content, shape);
}

function ofIncoming(
  { incoming, bodyType, content }: ApiIncoming,
  shape: (schema: Schema) => Json,
): Declaration {
  const { kind, name, operation } = incoming;
  const words = prose(operation.description ?? operation.summary);
  return {
    name: bodyType,
    shape: contentShape(content, shape),
    comment: [
      ...(words.length === 0 ? [] : [...words, '']),
      `What the ${kind} \`${prose(name).join('')}\` sends by ${operation.method.toUpperCase()}.`,
      ...(operation.deprecated ? ['@deprecated'] : []),
    ],
  };
}

function headersDeclaration(api: ApiView, operation: ApiOperation): Declaration[] {
  const known = headersOf(api, operation);
  if (known.length === 0) return [];
  const members = known.map(({ status, headers }): [string, Json] => [
    status,
    objectOf(
      headers.map(({ name, shape, comment }) => [name, commented(shape, comment)]),
      headers.map(({ name }) => name),
    ),
  ]);
  return [
    {
      name: operation.headersType,
      shape: objectOf(
        members,
        members.map(([status]) => status),
      ),
      comment: [`The headers that answers to \`${operation.member}\` are known to have, by status.`],
    },
  ];
}

function objectOf(members: readonly [string, Json][], required: readonly string[]): Json {
  return members.length === 0
    ? { type: 'object' }
    : { type: 'object', properties: Object.fromEntries(members), required };
}

function parameterMember(
  { parameter, member, schema }: ApiParameter,
  shape: (schema: Schema) => Json,
): [string, Json] {
  const comment = [
    ...prose(parameter.description),
    ...(member === parameter.name
      ? []
      : prose(`Sent as the ${parameter.in} parameter \`${parameter.name}\`.`)),
    ...detailsOf(schema),
    ...(parameter.deprecated ? ['@deprecated'] : []),
  ];
  return [member, optionalIf(!parameter.required, shape(schema), comment)];
}

/** An optional member may also be `undefined`, regardless of the compiler's options. */
function optionalIf(optional: boolean, shape: Json, comment: readonly string[]): Json {
  return commented(optional ? anyOrUnion([shape, namedShape('undefined')]) : shape, comment);
}

function responseMember(response: ApiResponse, shape: (schema: Schema) => Json): Json {
  const bodies = response.contents.map((content) => answeredShape(content, shape));
  return commented(
    bodies.length === 0 ? namedShape('undefined') : anyOrUnion(bodies),
    prose(response.description),
  );
}

/** Only an object can carry a comment. */
function commented(shape: Json, comment: readonly string[]): Json {
  const object = isObject(shape) ? shape : namedShape(shape === false ? 'never' : 'unknown');
  return { ...(Object.keys(object).length === 0 ? namedShape('unknown') : object), 'x-comment': comment };
}

function anyOrUnion(shapes: readonly Json[]): Json {
  return shapes.every((shape) => saysSomething(shape)) ? unionShape(shapes) : true;
}

/** The schema objects with open sets of values by the contract, with their known values. */
function openSchemas(api: ApiView): Map<Schema, readonly string[]> {
  const { contract, table, errorBuckets } = api;
  const open = new Map<Schema, readonly string[]>();
  for (const policy of contract.sheet?.policies ?? []) {
    if (policy.kind !== 'open-values') continue;
    const named = contract.schemas.find(({ name }) => name === policy.schema);
    const entry = table.entries.find(({ name }) => name === table.nameAt(named?.pointer ?? ''));
    const schema = entry && memberAt(entry.schema, policy.property.split('.'), table);
    if (schema !== undefined) open.set(schema, policy.known);
  }
  if (errorBuckets !== undefined) {
    for (const { schema } of table.entries) {
      const bucket = memberAt(schema, [errorBuckets.bodyMember], table);
      if (isObject(bucket) && bucket['type'] === 'string')
        open.set(
          bucket,
          errorBuckets.buckets.map(({ name }) => name),
        );
    }
  }
  return open;
}

/** The schema of a member of a member of an object. */
export function memberAt(schema: Schema, path: readonly string[], table: SchemaTable): Schema | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return schema;
  if (!isObject(schema)) return undefined;
  if (typeof schema['$ref'] === 'string') {
    const target = table.follow(schema['$ref']);
    return target && memberAt(target.schema, path, table);
  }
  const { properties, allOf } = schema;
  if (isObject(properties) && Object.hasOwn(properties, first))
    return memberAt(properties[first] as Schema, rest, table);
  return (Array.isArray(allOf) ? (allOf as Schema[]) : [])
    .map((member) => memberAt(member, path, table))
    .find((found) => found !== undefined);
}
