import type { Transport, WireRequest, WireResponse } from '../../conformance/index.ts';

/** What becomes of one answer between the server and the suite. */
export type Change = (response: WireResponse, request: WireRequest) => WireResponse | Promise<WireResponse>;

/** A line on which answers to some requests are changed; `holds` is asked once for each request, in order. */
export function changing(
  inner: Transport,
  holds: (request: WireRequest) => boolean,
  change: Change,
): Transport {
  return async (request) => {
    const isMeant = holds(request);
    const response = await inner(request);
    return isMeant ? change(response, request) : response;
  };
}

/** Another status and another JSON body; headers of the body and of its meaning are left out. */
export function answered(status: number, value: unknown, headers: WireResponse['headers'] = []): Change {
  return async (response) => {
    await response.body[Symbol.asyncIterator]().return?.(undefined);
    const kept = response.headers.filter(([name]) => !ABOUT_THE_BODY.test(name));
    return {
      ...response,
      status,
      headers: [...kept, ['Content-Type', 'application/json'], ...headers],
      body: bodyOf(JSON.stringify(value)),
    };
  };
}

/** The same answer with another text as its body. */
export function withText(text: string): Change {
  return async (response) => {
    await response.body[Symbol.asyncIterator]().return?.(undefined);
    const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    return { ...response, headers, body: bodyOf(text) };
  };
}

/** The same answer with another JSON body, where it is a success. */
export function withJson<Value>(change: (value: Value) => unknown): Change {
  return async (response) => {
    if (response.status < 200 || response.status > 299) return response;
    const bytes = await drain(response.body);
    let value: Value;
    try {
      value = JSON.parse(bytes.toString()) as Value;
    } catch {
      return { ...response, body: bodyOf(bytes.toString()) };
    }
    const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    return { ...response, headers, body: bodyOf(JSON.stringify(change(value))) };
  };
}

/** The same stream with other frames; one that is `undefined` is left out. */
export function withFrames(change: (frame: string) => string | undefined): Change {
  return (response) =>
    response.status === 200 ? { ...response, body: changedFrames(response.body, change) } : response;
}

/** Whether a request has a header. */
export function has({ headers }: WireRequest, name: string): boolean {
  return headers.some(([candidate]) => candidate.toLowerCase() === name.toLowerCase());
}

// --- internal ---

const ABOUT_THE_BODY =
  /^(?:content-type|content-length|etag|idempotent-replayed|x-service-credits-used|x-service-error-type)$/i;

async function drain(body: WireResponse['body']): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

async function* bodyOf(text: string): AsyncGenerator<Uint8Array, void> {
  if (text !== '') yield Buffer.from(text);
}

async function* changedFrames(
  body: WireResponse['body'],
  change: (frame: string) => string | undefined,
): AsyncGenerator<Uint8Array, void> {
  let rest = '';
  for await (const chunk of body) {
    const frames = `${rest}${Buffer.from(chunk).toString()}`.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const changed = change(frame);
      if (changed !== undefined) yield Buffer.from(`${changed}\n\n`);
    }
  }
}
