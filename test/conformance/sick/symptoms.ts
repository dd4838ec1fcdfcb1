import { STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Call, Faithful, Symptom } from './front.ts';

/** Answers all but some requests; these are never answered, and their connections stay open. */
export function silent(isSilent: (call: Call) => boolean): Symptom {
  return (call) => (isSilent(call) ? undefined : call.pass());
}

/**
 * True for one of so many calls in a row, at a place that a fixed seed chooses: by chance alone, a long run would have more
 * calls in a row that are hit than the suite expects of a server that still runs.
 */
export function oneIn(number: number): () => boolean {
  let state = 7;
  let calls = 0;
  let hit = 0;
  return () => {
    if (calls % number === 0) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      hit = (state >>> 16) % number;
    }
    calls += 1;
    return (calls - 1) % number === hit;
  };
}

export function reset({ request }: Call): void {
  request.socket.resetAndDestroy();
}

export function gatewayPage({ response, count }: Call): void {
  const status = count % 2 === 0 ? 502 : 503;
  const title = `${status} ${STATUS_CODES[status] ?? ''}`;
  const page = `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>`;
  response.writeHead(status, { 'Content-Type': 'text/html', Server: 'a gateway' }).end(page);
}

export function limited({ response }: Call): void {
  response.writeHead(429, { 'Content-Type': 'text/plain', 'Retry-After': '0' }).end('slow down\n');
}

/** What the mock takes as a key; as a bearer it is taken as well. */
export const TOKEN = 'service-mock-ok';

export function unauthorised({ response }: Call): void {
  const error = { code: 'unauthorized', message: 'no' };
  const body = JSON.stringify({ error_type: 'unauthorized', detail: 'no', error, message: 'no' });
  const own = { 'X-Service-Request-Id': 'r', 'X-Service-Error-Type': 'unauthorized' };
  response.writeHead(401, { 'Content-Type': 'application/json', ...own }).end(body);
}

export function unavailable({ response }: Call): void {
  const body = JSON.stringify({ error_type: 'service_unavailable', detail: 'later' });
  const own = {
    'X-Service-Request-Id': 'r',
    'X-Service-Error-Type': 'service_unavailable',
    'Retry-After': '0',
  };
  response.writeHead(503, { 'Content-Type': 'application/json', ...own }).end(body);
}

/** Sends half of some bodies and closes the connection. */
export function cutting(isCut: (reply: Faithful) => boolean): Symptom {
  return async (call) => {
    const reply = await call.reply();
    const { status, headers, body } = reply;
    const own = headers.filter(([name]) => !/^(?:content-length|transfer-encoding)$/i.test(name));
    const isHit = isCut(reply);
    const length: readonly [string, string] = ['Content-Length', String(body.length + (isHit ? 9 : 0))];
    call.response.writeHead(status, [...own, ...(isBodyless(status) ? [] : [length])].flat());
    if (isHit) call.response.write(body, () => call.request.socket.destroy());
    else call.response.end(body);
  };
}

/** Writes each response as raw bytes, with lines that Node would not write. */
export function raw(lines: (reply: Faithful) => readonly string[]): Symptom {
  return async (call) => {
    const reply = await call.reply();
    const { status, headers, body } = reply;
    const own = headers
      .filter(([name]) => !/^(?:content-length|transfer-encoding|connection)$/i.test(name))
      .map(([name, value]) => `${name}: ${value}`);
    const framing = isBodyless(status) ? [] : lines(reply);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      ...own,
      ...framing,
      'Connection: close',
    ];
    call.request.socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
  };
}

function isBodyless(status: number): boolean {
  return status === 204 || status === 304;
}

/** Compresses every body, whatever the request asks for. */
export async function zipping({ response, reply }: Call): Promise<void> {
  const { status, headers, body } = await reply();
  const own = headers.filter(([name]) => !/^(?:content-length|transfer-encoding)$/i.test(name));
  if (isBodyless(status) || body.length === 0) response.writeHead(status, own.flat()).end();
  else response.writeHead(status, [...own, ['Content-Encoding', 'gzip']].flat()).end(gzipSync(body));
}

/** Writes the same piece until the caller goes away, as fast as the caller reads. */
async function flood(
  { response }: Call,
  headers: Readonly<Record<string, string>>,
  piece: string,
): Promise<void> {
  response.writeHead(200, headers);
  const pieces = function* (): Generator<string> {
    for (;;) yield piece;
  };
  await pipeline(pieces, response).catch(() => undefined);
}

export function floodEvents(call: Call): Promise<void> {
  const data = JSON.stringify({
    id: '6f1de4a1-33f3-4a63-8f5a-1e9d1f5c2b10',
    status: 'running',
    text: 'x'.repeat(60_000),
  });
  return flood(call, { 'Content-Type': 'text/event-stream' }, `event: status\ndata: ${data}\n\n`);
}

export function floodBody(call: Call): Promise<void> {
  return flood(call, { 'Content-Type': 'application/json' }, `${'['.repeat(32_768)}`);
}

/** Puts a deep value into every JSON object that the server sends. */
export function nesting(depth: number): Symptom {
  return async (call) => {
    if (call.target.endsWith('/events')) return call.pass();
    const { status, headers, body } = await call.reply();
    const own = headers.filter(([name]) => !/^(?:content-length|transfer-encoding)$/i.test(name));
    const text = body.toString();
    const deep = `${'{"deep":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`;
    const sent = text.startsWith('{')
      ? text.replace(/\}\s*$/, `${text.length > 2 ? ',' : ''}"deep":${deep}}`)
      : text;
    call.response.writeHead(status, own.flat()).end(sent);
  };
}
