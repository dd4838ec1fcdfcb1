import type { ByteReader } from './byte-reader.ts';
import { headerOf } from '../exchanges/exchange.ts';
import type { WireRequest } from './transport.ts';

export interface ResponseHead {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly informational: readonly number[];
}

/**
 * The bytes of a request. Targets and header values are not validated, because the suite sends invalid ones
 * on purpose.
 */
export function writeRequest(request: WireRequest): Uint8Array {
  const lines = [`${request.method} ${request.target} HTTP/1.1`];
  for (const [name, value] of request.headers) lines.push(`${name}: ${value}`);
  const unsafe = lines.find((line) => /[\r\n]/.test(line));
  if (unsafe !== undefined)
    throw new Error(`a line break in a request line or header: ${JSON.stringify(unsafe)}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
  if (request.body === undefined) return head;
  const isChunked = /\bchunked$/i.test(headerOf(request.headers, 'transfer-encoding')?.trim() ?? '');
  return Buffer.concat([head, isChunked ? inChunks(request.body) : request.body]);
}

/** Reads a status line and headers; preceding 1xx responses are noted and skipped. */
export async function readResponse(reader: ByteReader): Promise<ResponseHead> {
  reader.received = 0;
  const informational: number[] = [];
  for (;;) {
    const line = await reader.line();
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line)?.[1]);
    if (!Number.isInteger(status))
      throw new Error(`${JSON.stringify(line.slice(0, 60))} is not an HTTP/1.1 status line`);
    const headers = await readHeaders(reader);
    if (status >= 200 || status === 101) return { status, headers, informational };
    informational.push(status);
    if (informational.length > MOST_INFORMATIONAL)
      throw new Error(`more than ${MOST_INFORMATIONAL} informational answers and no other`);
  }
}

// --- internal ---

/** Odd, so that multi-byte characters are split. */
const CHUNK_BYTES = 13;

/** RFC 9112, section 7.1. */
function inChunks(body: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < body.length; start += CHUNK_BYTES) {
    const chunk = body.subarray(start, start + CHUNK_BYTES);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

const MOST_INFORMATIONAL = 20;
const MOST_HEADERS = 500;
/** For all headers of an answer together; common servers and clients accept 8 to 64 KiB. */
const MOST_HEADER_BYTES = 256 * 1024;

async function readHeaders(reader: ByteReader): Promise<ResponseHead['headers']> {
  const headers: [string, string][] = [];
  let length = 0;
  for (;;) {
    const line = await reader.line();
    if (line === '') return headers;
    length += line.length;
    if (length > MOST_HEADER_BYTES) throw new Error(`the headers are longer than ${MOST_HEADER_BYTES} bytes`);
    if (headers.length === MOST_HEADERS) throw new Error(`more than ${MOST_HEADERS} headers`);
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`${JSON.stringify(line.slice(0, 60))} is not a header`);
    headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
  }
}
