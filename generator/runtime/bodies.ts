/** How a request body is written. A generated operation names the function that it needs. */
import type { BodyDescription, BodyOfOperation, BodyWriter, RequestBody } from './body-description.ts';
import { own, type Input } from './input.ts';

/** Bytes that no other thread can change, as `Blob` and `fetch` require. Compilers before 5.7 accept this form, too. */
export type Bytes = Uint8Array & { readonly buffer: ArrayBuffer };

export const json: BodyWriter = (value) => JSON.stringify(value);

/** @throws {TypeError} when the value is an object, for example where the document describes XML */
export const text: BodyWriter = (value) => {
  if (typeof value === 'object') throw new TypeError('the body must be a text');
  return String(value);
};

/** Sends a Blob, an ArrayBuffer, a view of one, or a stream of bytes unchanged. */
export const binary: BodyWriter = (value) => {
  if (
    value instanceof Blob ||
    value instanceof ArrayBuffer ||
    value instanceof ReadableStream ||
    isBytes(value)
  )
    return value;
  throw new TypeError('the body must be a Blob, an ArrayBuffer, a typed array or a ReadableStream');
};

/** JSON values, one to a line: `application/jsonl`, `application/x-ndjson`. */
export const jsonLines: BodyWriter = (value) => listed(value, '');

/** JSON values, each after a record separator: `application/json-seq`, RFC 7464. */
export const jsonSequence: BodyWriter = (value) => listed(value, '\u001E');

/**
 * `application/x-www-form-urlencoded`: lists repeat their name and objects are written as JSON, unless the document gives the
 * member a style of its own.
 */
export const urlEncoded: BodyWriter = (value, { members = {} } = {}) =>
  membersOf(value)
    .flatMap(([name, item]) => {
      const { style, explode = true, encode = encodeURIComponent, mediaType } = own(members, name) ?? {};
      if (style !== undefined) return style(name, item, explode, encode);
      const isWhole = mediaType !== undefined && isJson(mediaType);
      const texts = isWhole ? [JSON.stringify(item)] : itemsOf(item).map(plain);
      return texts.map((one) => new URLSearchParams([[name, one]]).toString());
    })
    .filter((pair) => pair !== '')
    .join('&');

/** The media type of a body that carries one, such as a Blob. */
export function typeOfBlob(written: RequestBody): string {
  return (written instanceof Blob && written.type) || 'application/octet-stream';
}

/**
 * The body of an operation from its input, with its media type in the headers.
 *
 * @throws {TypeError} when the body is missing or cannot be written
 */
export function prepareBody(
  { id, body }: { readonly id: string; readonly body?: BodyOfOperation },
  input: Input,
  headers: Headers,
): RequestBody | undefined {
  const chosen = body?.choose?.(body, input) ?? body;
  const value = own(input, chosen?.member ?? 'body');
  if (chosen === undefined || value === undefined) {
    if (chosen?.required === true) throw new TypeError(`${id} needs a body`);
    return undefined;
  }
  const written = chosen.write(value, chosen);
  headers.set('content-type', chosen.typeOf?.(written) ?? chosen.mediaType ?? '');
  return written;
}

/**
 * Chooses among several bodies of an operation: the one that the input names, else the one with the media type of a
 * Blob, else the first one.
 */
export function chosenBody(body: BodyDescription, input: Input): BodyDescription {
  const chosen = own(input, 'contentType');
  const all = [body, ...(body.others ?? [])];
  if (chosen === undefined) {
    const value = own(input, body.member ?? 'body');
    const type = value instanceof Blob && value.type;
    return all.find(({ mediaType }) => mediaType === type) ?? body;
  }
  const found =
    all.find(({ mediaType }) => mediaType === chosen) ?? all.find(({ mediaType }) => mediaType === undefined);
  if (found === undefined) throw new TypeError(`no body of the type ${String(chosen)} is taken`);
  return found;
}

/** The members of a body with parts, without those that have no value. Dates are written as in JSON. */
export function membersOf(value: unknown): [string, unknown][] {
  // A list has no names; its objects have the parts.
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (typeof value !== 'object' || value === null) throw new TypeError('the body must be an object');
  if (value instanceof FormData || value instanceof URLSearchParams) {
    // A name can occur several times.
    const entries: [string, unknown][] = [];
    value.forEach((item, name) => entries.push([name, item]));
    return entries;
  }
  return Object.entries(value)
    .map(([name, item]: [string, unknown]): [string, unknown] => [
      name,
      item instanceof Date ? item.toISOString() : item,
    ])
    .filter(([, item]) => item !== undefined && item !== null);
}

/** The items of a list, and any other value as the only item. */
export function itemsOf(item: unknown): unknown[] {
  return Array.isArray(item) ? item.filter((one) => one !== undefined && one !== null) : [item];
}

export function isBytes(value: unknown): value is Bytes {
  return ArrayBuffer.isView(value);
}

export function plain(item: unknown): string {
  if (item instanceof Date) return item.toISOString();
  return typeof item === 'object' ? JSON.stringify(item) : String(item);
}

export function isJson(mediaType: string): boolean {
  return /[/+]json\s*(?:;|$)/i.test(mediaType);
}

// --- internal ---

function listed(value: unknown, before: string): string {
  if (!Array.isArray(value)) throw new TypeError('the body must be a list');
  return value.map((item) => `${before}${JSON.stringify(item)}\n`).join('');
}
