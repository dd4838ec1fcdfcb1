/** How a request body is written. A generated operation names the function that it needs. */

/** What `fetch` sends; named through it, because Node's types and a browser's know no common name. */
export type RequestBody = NonNullable<RequestInit['body']>;

/** Bytes that no other thread can change, as `Blob` and `fetch` ask for; written so that compilers before 5.7 know it too. */
export type Bytes = Uint8Array & { readonly buffer: ArrayBuffer };

export type BodyWriter = (value: unknown) => RequestBody;

export const json: BodyWriter = (value) => JSON.stringify(value);

export const text: BodyWriter = (value) => String(value);

/** A Blob, an ArrayBuffer or a view of one, as it is. */
export const binary: BodyWriter = (value) => {
  if (value instanceof Blob || value instanceof ArrayBuffer || isBytes(value)) return value;
  throw new TypeError('the body must be a Blob, an ArrayBuffer or a typed array');
};

/** `application/x-www-form-urlencoded`: lists repeat their name, objects are written as JSON. */
export const urlEncoded: BodyWriter = (value) => {
  const fields = new URLSearchParams();
  for (const [name, item] of entries(value)) fields.append(name, plain(item));
  return fields;
};

/** `multipart/form-data`: lists repeat their name, bytes become files, objects become parts of JSON. */
export const multipart: BodyWriter = (value) => {
  const fields = new FormData();
  for (const [name, item] of entries(value)) {
    if (item instanceof Blob) fields.append(name, item);
    else if (item instanceof ArrayBuffer || isBytes(item)) fields.append(name, new Blob([item]));
    else if (typeof item === 'object') {
      fields.append(name, new Blob([JSON.stringify(item)], { type: 'application/json' }));
    } else fields.append(name, plain(item));
  }
  return fields;
};

// --- internal ---

function entries(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) throw new TypeError('the body must be an object');
  return Object.entries(value)
    .flatMap(([name, item]: [string, unknown]): [string, unknown][] =>
      Array.isArray(item) ? item.map((one: unknown) => [name, one]) : [[name, item]],
    )
    .filter(([, item]) => item !== undefined && item !== null);
}

function isBytes(value: unknown): value is Bytes {
  return ArrayBuffer.isView(value);
}

function plain(item: unknown): string {
  return typeof item === 'object' ? JSON.stringify(item) : String(item);
}
