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
    await drain(response.body);
    const kept = response.headers.filter(([name]) => !ABOUT_THE_BODY.test(name));
    return {
      ...response,
      status,
      headers: [...kept, ['Content-Type', 'application/json'], ...headers],
      body: bodyOf(JSON.stringify(value)),
    };
  };
}

/** The same answer with another JSON body, where it is a success. */
export function withJson(change: (value: never, request: WireRequest) => unknown): Change {
  return async (response, request) => {
    if (response.status < 200 || response.status > 299) return response;
    const bytes = await drain(response.body);
    let value: never;
    try {
      value = JSON.parse(bytes.toString()) as never;
    } catch {
      return { ...response, body: bodyOf(bytes.toString()) };
    }
    const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    return { ...response, headers, body: bodyOf(JSON.stringify(change(value, request))) };
  };
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
