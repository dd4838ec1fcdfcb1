import { essenceOf, isJson } from '../../../contract/judge/body-format.ts';
import { isRecord } from '../../../contract/index.ts';
import type { Json, MediaType } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import type { OwnApi } from '../own-api.ts';

/** How a body is serialised. */
export interface BodyForm {
  /** For the request header, with the boundary of the parts if there are parts. */
  readonly mediaType: string;
  /** For a multipart body: the media types of the parts that are files, by the names of their members. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * How the body of an operation is serialised: as JSON if any type is accepted.
 *
 * @param given the body that the user gave: a text has its parts already, and names their boundary
 */
export function bodyForm(api: OwnApi, content: MediaType, given?: Json): BodyForm {
  const { mediaType } = content;
  if (/^text\/\*/.test(mediaType)) return { mediaType: 'text/plain', files: new Map() };
  if (!isMultipart(mediaType))
    return { mediaType: mediaType.includes('*') ? 'application/json' : mediaType, files: new Map() };
  const files = filesOf(api, content);
  const essence = (mediaType.split(';')[0] ?? '').trim().replace('*', 'form-data');
  const own =
    typeof given === 'string' ? /(?:^|\n)--([^\r\n]{1,70})\r?\n/.exec(given)?.[1]?.trimEnd() : undefined;
  const boundary = own === undefined ? BOUNDARY : /^[\w'+.-]+$/.test(own) ? own : `"${own}"`;
  return { mediaType: `${essence}${rootType(api, content, files)}; boundary=${boundary}`, files };
}

export function isMultipart(mediaType: string): boolean {
  return /^multipart\//i.test(mediaType);
}

export function isForm(mediaType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(mediaType) || isMultipart(mediaType);
}

/** A body, serialised in its media type. */
export function written(value: Json, { mediaType, files }: BodyForm): string {
  // Of other types, such as XML, a person gives the text.
  if (isPlainText(mediaType) || (!isForm(mediaType) && !isJson(essenceOf(mediaType)))) return plain(value);
  if (!isForm(mediaType)) return JSON.stringify(value);
  // A document may describe a form as one text, and a user may give one.
  if (typeof value === 'string' && !mediaType.endsWith(BOUNDARY)) return value;
  if (isMultipart(mediaType)) return parts(membersOf(value), files);
  const pairs = membersOf(value).map(([name, item]): [string, string] => [name, plain(item)]);
  return new URLSearchParams(pairs).toString();
}

/** A body without a structure: text or bytes. */
export function isPlainText(mediaType: string): boolean {
  return /^text\/|^application\/octet-stream\b/i.test(mediaType);
}

// --- internal ---

const BOUNDARY = 'tallystick-5b1f0c94e27a';

/** The type of the first part, which must be stated (RFC 2387, section 3.1). */
function rootType(api: OwnApi, { mediaType, schema }: MediaType, files: BodyForm['files']): string {
  if (!/^multipart\/related\b/i.test(mediaType)) return '';
  const [name = '', first] = propertiesOf(schema, api.root)[0] ?? [];
  const target = followed(api.root, first);
  const isObject = isRecord(target) && [target['type']].flat().includes('object');
  return `; type="${files.get(name) ?? (isObject ? 'application/json' : 'text/plain')}"`;
}

/** The objects of a list have the parts; other items are parts without a name. */
function membersOf(value: Json): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return (value as Json[]).flatMap(membersOf);
  return isRecord(value) ? (Object.entries(value) as [string, Json][]) : [['', value]];
}

/** RFC 7578, sections 4.2 and 4.4; OpenAPI 3.1, "Special Considerations for multipart Content". */
function parts(members: readonly (readonly [string, Json])[], files: ReadonlyMap<string, string>): string {
  const all = members.flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as Json[]) : [value]).map((item) => {
      const type = files.get(name) ?? (isRecord(item) ? 'application/json' : undefined);
      const file = files.has(name) ? '; filename="tallystick.bin"' : '';
      const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`;
      const named = name === '' ? '' : `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n`;
      return `--${BOUNDARY}\r\n${named}${typed}\r\n${plain(item)}\r\n`;
    }),
  );
  return `${all.join('')}--${BOUNDARY}--\r\n`;
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function filesOf(api: OwnApi, { schema, encoding }: MediaType): ReadonlyMap<string, string> {
  const declared = new Map(encoding.map(({ name, contentType }) => [name, contentType]));
  const files = propertiesOf(schema, api.root).flatMap(([name, property]): [string, string][] => {
    const target = followed(api.root, property);
    const item =
      isRecord(target) && target['type'] === 'array' ? followed(api.root, target['items']) : target;
    if (!isRecord(item) || item['type'] === 'object') return [];
    const type = declared.get(name) ?? item['contentMediaType'];
    const isText = typeof type === 'string' && /^(?:text\/plain|application\/json)\b/i.test(type);
    if (isText || (type === undefined && item['format'] !== 'binary')) return [];
    const [first = ''] = String(type ?? '').split(',');
    return [[name, first === '' || first.includes('*') ? 'application/octet-stream' : first.trim()]];
  });
  return new Map(files);
}
