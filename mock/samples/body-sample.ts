import { isRecord } from '../../contract/index.ts';
import { bodyFormatOf, isBytes, orderedContents } from '../../contract/judge/body-format.ts';
import type { Json, JsonObject, RequestBody, Schema } from '../../contract/model.ts';
import { followed } from '../../contract/pointer.ts';
import { mediaTypeOf } from '../prism/accepted.ts';
import { lifelike } from './lifelike.ts';
import { schemaSample } from './schema-sample.ts';
import { isXml, xmlOf } from './xml.ts';

/** A body as text. */
export interface BodySample {
  readonly contentType: string;
  readonly text: string;
  /** The value of a JSON text; `undefined` for other bodies. */
  readonly json?: Json;
}

/**
 * Candidate bodies for a request, in the first JSON media type of the document, or else in its first media
 * type: the examples, and then some generated from the schema, each when it is asked for. They may still be invalid.
 */
export function* bodySamples({ content }: RequestBody, root: JsonObject): Generator<BodySample> {
  const [first] = orderedContents(content);
  if (first === undefined) return;
  const { mediaType, schema, examples } = first;
  const sample = (value: Json): BodySample => written(value, mediaType, { schema, root });
  for (const { value } of examples.slice(0, MOST_EXAMPLES))
    if (value !== undefined) yield sample(value as Json);
  yield sample(schemaSample(schema, root));
  for (const branch of [0, 1, 2])
    yield sample(lifelike(schema, root, { seed: mediaType, sparse: true, branch }));
}

/** A value as a JSON body. */
export function jsonBody(json: Json, contentType = 'application/json'): BodySample {
  return { contentType, text: JSON.stringify(json), json };
}

// --- internal ---

interface Described {
  readonly schema: Schema | undefined;
  readonly root: JsonObject;
}

function written(value: Json, mediaType: string, described: Described): BodySample {
  const contentType = mediaTypeOf(mediaType, value) ?? mediaType;
  switch (bodyFormatOf(mediaType, described.schema)) {
    case 'json':
      return jsonBody(value, contentType);
    case 'lines':
      return { contentType, text: itemsOf(value, '') };
    case 'sequence':
      return { contentType, text: itemsOf(value, '\u001E') };
    case 'form':
      return { contentType, text: new URLSearchParams(membersOf(value)).toString() };
    case 'multipart':
      return {
        contentType: `${contentType}; boundary=${BOUNDARY}`,
        text: `${partsOf(value, described).join('')}--${BOUNDARY}--\r\n`,
      };
    case 'text':
      return {
        contentType,
        text: isXml(mediaType) && typeof value !== 'string' ? xmlOf(value) : plain(value),
      };
    default:
      return { contentType, text: plain(value) };
  }
}

const BOUNDARY = 'part';
const MOST_EXAMPLES = 5;

/** JSON values that follow one another; the sample may be all of them or one. */
function itemsOf(value: Json, before: string): string {
  const items = Array.isArray(value) ? (value as Json[]) : [value];
  return items.map((item) => `${before}${JSON.stringify(item)}\n`).join('');
}

function membersOf(value: Json): [string, string][] {
  return isRecord(value) ? Object.entries(value).map(([name, member]) => [name, textOf(member as Json)]) : [];
}

function partsOf(value: Json, { schema, root }: Described): readonly string[] {
  const found = followed(root, schema);
  // The objects of a list have the parts.
  if (Array.isArray(value)) {
    const items = isRecord(found) ? (found['items'] as Schema | undefined) : undefined;
    return value.flatMap((item: Json) => partsOf(item, { schema: items, root }));
  }
  const properties = isRecord(found) && isRecord(found['properties']) ? found['properties'] : {};
  return membersOf(value).map(([name, text]) => {
    const member = followed(root, properties[name] as Schema | undefined);
    const isFile = isRecord(member) && isBytes(member as Schema);
    const type = isFile ? '; filename="sample.bin"\r\nContent-Type: application/octet-stream' : '';
    const quoted = name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted}"${type}\r\n\r\n${text}\r\n`;
  });
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The sample of an unrestricted schema is an empty object, which is not text. */
function plain(value: Json): string {
  return isRecord(value) && Object.keys(value).length === 0 ? 'sample' : textOf(value);
}
