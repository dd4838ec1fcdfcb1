import { type Bytes, chosenBody, isBytes, isJson, itemsOf, membersOf, plain } from './bodies.ts';
import { own, type Input } from './input.ts';
import type { BodyWriter, BodyDescription, MemberDescription, PartHeaders } from './body-description.ts';

/**
 * `multipart/form-data` and its relatives: each item of a list is a part, bytes are files, objects are JSON. The
 * platform's `FormData` cannot give a media type to a part that is not a file.
 */
export const multipart: BodyWriter = (value, description = {}) => {
  const { mediaType = 'multipart/form-data', members = {}, partHeaders = {} } = description;
  const boundary = `----part${digits()}${digits()}`;
  const isForm = /^multipart\/form-data/i.test(mediaType);
  let root: string | undefined;
  const pieces = (isPlainList(value) ? [['', value] as const] : membersOf(value)).flatMap(([name, item]) => {
    const described = own(members, name) ?? {};
    const given = own(partHeaders, name);
    return partsOf(name, item, described).flatMap(({ name: partName, type, filename, content }, index) => {
      const further = given instanceof Array ? given[index] : given;
      const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
      const kind = type ?? (isForm ? '' : 'text/plain');
      root ??= kind;
      const head = [
        `--${boundary}`,
        ...(isForm ? [`Content-Disposition: form-data; name="${quoted(partName)}"${file}`] : []),
        ...(kind === '' ? [] : [`Content-Type: ${kind}`]),
        ...headerLines(name, described, further),
      ];
      return [`${head.join('\r\n')}\r\n\r\n`, content, '\r\n'];
    });
  });
  // The type of the first part has to be stated (RFC 2387, section 3.1).
  const needsRoot = root !== undefined && /^multipart\/related(?!.*;\s*type=)/i.test(mediaType);
  const stated = needsRoot ? `${mediaType}; type="${root}"` : mediaType;
  return new Blob([...pieces, `--${boundary}--\r\n`], { type: `${stated}; boundary=${boundary}` });
};

/** The body of an input, with the headers for its parts. */
export function withPartHeaders(body: BodyDescription, input: Input): BodyDescription {
  const partHeaders = own(input, 'partHeaders') as BodyDescription['partHeaders'];
  return { ...chosenBody(body, input), partHeaders };
}

// --- internal ---

/** @throws {TypeError} when one is missing, or contains characters that headers cannot */
function headerLines(part: string, { needs = [] }: MemberDescription, given: PartHeaders = {}): string[] {
  const lines = Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (/[^\t\x20-\x7E\x80-\xFF]/.test(value) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new TypeError(`the header "${name}" of the part "${part}" has characters not allowed in headers`);
    return [[name.toLowerCase(), `${name}: ${value}`] as const];
  });
  const missing = needs.find((name) => !lines.some(([known]) => known === name.toLowerCase()));
  if (missing !== undefined) throw new TypeError(`the part "${part}" needs the header "${missing}"`);
  return lines.map(([, line]) => line);
}

interface Part {
  readonly name: string;
  readonly type?: string | undefined;
  readonly filename?: string;
  readonly content: Blob | string;
}

function partsOf(name: string, item: unknown, described: MemberDescription = {}): Part[] {
  const { style, explode = true, mediaType } = described;
  // A style describes texts; bytes remain files.
  if (style !== undefined && !itemsOf(item).some(isFile)) {
    const written: Part[] = [];
    const pairs = new URLSearchParams(style(name, item, explode, encodeURIComponent));
    pairs.forEach((content, partName) => written.push({ name: partName, content }));
    return written;
  }
  // With several media types or a range, the media type of the value is unknown.
  const only = mediaType === undefined || /[,*]/.test(mediaType) ? undefined : mediaType;
  return itemsOf(item).map((one): Part => {
    if (isFile(one)) {
      const blob = one instanceof Blob ? one : new Blob([one]);
      const filename = 'name' in blob && typeof blob.name === 'string' ? blob.name : 'blob';
      return { name, filename, type: blob.type || (only ?? 'application/octet-stream'), content: blob };
    }
    const isObject = typeof one === 'object' && !(one instanceof Date);
    if (isObject && only !== undefined && !isJson(only))
      throw new TypeError(`the part "${name}" must be a text, because it is ${only}`);
    const content = only !== undefined && isJson(only) ? JSON.stringify(one) : plain(one);
    return { name, content, type: only ?? (isObject ? 'application/json' : undefined) };
  });
}

/** A list of anything but objects: each item is a part, which has no name. */
function isPlainList(value: unknown): value is unknown[] {
  const isMembers = (item: unknown): boolean => typeof item === 'object' && item !== null && !isFile(item);
  return Array.isArray(value) && value.length > 0 && !value.some(isMembers);
}

function isFile(item: unknown): item is Blob | ArrayBuffer | Bytes {
  return item instanceof Blob || item instanceof ArrayBuffer || isBytes(item);
}

/** Escapes names as browsers do, because a line break or a quote would end them. */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

function digits(): string {
  return Math.random().toString(36).slice(2, 14);
}
