import type { BodyFormat } from '../../engine/served-api.ts';
import type { MediaType, Schema } from '../model.ts';
import { framingOf } from '../sequential/framing.ts';

/**
 * How generated code represents a body of this media type. If the media type does not decide, the schema
 * does.
 */
export function bodyFormatOf(mediaType: string, schema?: Schema): BodyFormat {
  const essence = essenceOf(mediaType);
  const framing = framingOf(essence);
  if (framing !== undefined && framing !== 'parts') return framing;
  if (essence === '*/*' || essence === 'application/*')
    return schema === undefined || isBytes(schema) ? 'binary' : 'json';
  // A schema of bytes takes precedence over a media type of JSON.
  if (/[/+]json$/.test(essence)) return schema !== undefined && isBytes(schema) ? 'binary' : 'json';
  // A form with a schema of type string is not split into its members.
  if (essence === 'application/x-www-form-urlencoded') return isText(schema) ? 'text' : 'form';
  if (essence.startsWith('multipart/') && essence !== 'multipart/form-data' && isText(schema)) return 'text';
  if (essence.startsWith('multipart/')) return 'multipart';
  if (!isTextual(essence)) return 'binary';
  // Text with a schema of bytes can be in any encoding.
  return schema !== undefined && !essence.startsWith('text/') && !/[/+]xml$/.test(essence) && isBytes(schema)
    ? 'binary'
    : 'text';
}

/** The contents of a request body, with the default first: JSON if the operation accepts it. */
export function orderedContents<Content extends MediaType>(contents: readonly Content[]): readonly Content[] {
  const first = contents.find(({ mediaType, schema }) => bodyFormatOf(mediaType, schema) === 'json');
  return first === undefined ? contents : [first, ...contents.filter((content) => content !== first)];
}

/**
 * Whether browsers refuse to send a body with this method (Fetch standard, constructor of `Request`), even if
 * a document requires one.
 */
export function isBodiless(method: string): boolean {
  return method === 'get' || method === 'head';
}

/** A media type without its parameters, in small letters. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

/** Whether the value of a parameter or header is written as JSON. */
export function isJson(mediaType: string): boolean {
  return /[/+]json\s*(?:;|$)/i.test(mediaType);
}

/** Whether a schema describes bytes: `binary` as its format or encoding, or a binary media type without an encoding as text. */
export function isBytes(schema: Schema): boolean {
  if (typeof schema === 'boolean') return false;
  const { type, format, contentMediaType, contentEncoding } = schema;
  if (type !== undefined && ![type].flat().includes('string')) return false;
  if (format === 'binary' || contentEncoding === 'binary') return true;
  return (
    typeof contentMediaType === 'string' &&
    contentEncoding === undefined &&
    !isTextual(contentMediaType.split(';')[0] ?? '') &&
    !/[/+]json\b/i.test(contentMediaType)
  );
}

/** Whether an encoding leaves bytes as they are: `binary` of RFC 2045 does. */
export function isUnchanged(contentEncoding: unknown): boolean {
  return contentEncoding === undefined || contentEncoding === 'binary';
}

/** Whether a media type other than JSON is text, so that its bodies are strings. */
export function isTextual(essence: string): boolean {
  return (
    /^text\//i.test(essence) ||
    /[/+](?:xml|(?:x-)?yaml|toml|graphql|sql|jwt|(?:x-)?javascript)$/i.test(essence)
  );
}

// --- internal ---

function isText(schema: Schema | undefined): boolean {
  return typeof schema === 'object' && schema['type'] === 'string' && !isBytes(schema);
}
