import { pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { WireResponse } from './transport.ts';

/** A body without its content coding (RFC 9110, section 8.4). */
export interface PlainBody {
  readonly body: AsyncIterable<Uint8Array>;
  /** The codings as the server named them, such as `gzip`; absent if there is none. */
  readonly compressed?: string;
  /** Set for an unknown coding: the end of a sentence that explains why the body is not read. */
  readonly unreadable?: string;
}

/**
 * Decodes `gzip`, `deflate` and `br` while a body arrives. It uses only a few blocks of memory: the consumer
 * decides how much is decompressed.
 */
export function plainBody({ headers, body }: Pick<WireResponse, 'headers' | 'body'>): PlainBody {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .map(([, value]) => value)
    .join(', ');
  const codings = named
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return { body };
  const unknown = codings.find((coding) => !decoders.has(coding));
  if (unknown !== undefined || codings.length > MOST_CODINGS)
    return {
      body,
      compressed: named,
      unreadable: `is encoded as ${JSON.stringify(named.slice(0, 60))}, which the suite does not decode`,
    };
  const plain = codings.reduceRight<AsyncIterable<Uint8Array>>(
    (coded, coding) => decoded(coded, coding),
    body,
  );
  return { body: plain, compressed: named };
}

// --- internal ---

const MOST_CODINGS = 3;

const decoders = new Map<string, (first: Uint8Array) => Transform>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // Some servers omit the zlib header, whose first byte ends in 8.
  ['deflate', ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
]);

async function* decoded(coded: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array, void> {
  const source = coded[Symbol.asyncIterator]();
  let first = await source.next();
  while (first.done !== true && first.value.length === 0) first = await source.next();
  // An answer to HEAD has a coding and no body.
  if (first.done === true) return;
  const decoder = decoders.get(coding)?.(first.value);
  if (decoder === undefined) return;
  pipeline(resumed(first.value, source), decoder, () => undefined);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    if (!isOfTheDecoder(error)) throw error;
    throw new Error(`the body is not valid ${coding}: ${error.message}`, { cause: error });
  }
}

async function* resumed(
  first: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield first;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  } finally {
    await source.return?.();
  }
}

/** Whether the data is invalid, as opposed to a broken connection. */
function isOfTheDecoder(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(?:Z_|ERR_+(?:ERROR_FORMAT|BROTLI))/.test(String(error.code))
  );
}
