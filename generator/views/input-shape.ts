import type { Json, Schema } from '../../contract/index.ts';
import { prose } from '../printing.ts';
import { detailsOf } from '../schemas/comments.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import { literalShape, namedShape, SENT_BYTES, unionShape } from '../schemas/type-shape.ts';
import {
  alternatives,
  type ApiContent,
  type ApiOperation,
  type ApiParameter,
  hasPartHeaders,
  sentType,
} from './api.ts';
import { knownHeader } from './headers.ts';
import { memberAt } from './schema-shapes.ts';
import { contentShape, objectOf, optionalIf } from './shapes.ts';

/** The parameters, and one of the bodies that the operation accepts. */
export function inputShape(
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

/** A parameter as a member of an input. */
export function parameterMember(
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

/** Bytes can be sent as any type that `fetch` accepts for bytes. */
export function sentShape(content: ApiContent, shape: (schema: Schema) => Json): Json {
  return content.bodyFormat === 'binary' ? namedShape(SENT_BYTES) : contentShape(content, shape);
}

// --- internal ---

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
