import { randomUUID } from 'node:crypto';
import { ControlMistake } from './api-control.ts';
import type { Assembly } from '../assembly.ts';
import { membersOf } from './reading.ts';
import type { SentExchange } from './shape.ts';
import { isBytes, type RawRequest, type SentReply } from '../call/exchange.ts';
import type { Mock } from '../mock.ts';

type Sender = Pick<Mock, 'handle' | 'journal'>;

/** Sends a request of the journal again, as its caller did: its credential never leaves the mock. */
export async function replayExchange(
  mock: Sender,
  assembly: Assembly,
  number: number,
  body: unknown,
): Promise<SentExchange> {
  const original = mock.journal.request(number);
  if (original === undefined) throw new ControlMistake(`The journal has no exchange ${String(number)}.`, 404);
  const { key = 'same' } = membersOf(body ?? {}, ['key']);
  if (key === 'same') return send(mock, { ...original });
  if (key !== 'new' && key !== 'none') throw new ControlMistake('"key" is same, new or none.');
  const header = keyHeaderOf(assembly);
  const others = pairsOf(original.rawHeaders).filter(
    ([name]) => name.toLowerCase() !== header?.toLowerCase(),
  );
  const headers = key === 'none' || header === undefined ? others : [...others, [header, randomUUID()]];
  return send(mock, { ...original, rawHeaders: headers.flat() });
}

/** Sends a request that was written by hand. */
export async function sendRequest(mock: Sender, wanted: unknown): Promise<SentExchange> {
  const {
    method,
    target,
    headers = [],
    body = '',
  } = membersOf(wanted, ['method', 'target', 'headers', 'body']);
  if (typeof method !== 'string' || !/^[A-Za-z]{1,20}$/.test(method))
    throw new ControlMistake('"method" is a method such as POST.');
  if (typeof target !== 'string' || !target.startsWith('/'))
    throw new ControlMistake('"target" is a path with its query, such as /v1/models?limit=3.');
  if (typeof body !== 'string') throw new ControlMistake('"body" is a text.');
  if (!isHeaderList(headers)) throw new ControlMistake('"headers" is a list of pairs of name and value.');
  return send(mock, {
    method: method.toUpperCase(),
    target,
    rawHeaders: headers.flat(),
    body: new TextEncoder().encode(body),
  });
}

// --- internal ---

async function send({ handle, journal }: Sender, original: RawRequest): Promise<SentExchange> {
  const gone = new AbortController();
  const request: RawRequest = {
    method: original.method,
    target: original.target,
    rawHeaders: original.rawHeaders,
    body: original.body,
    ...(original.baseUrl === undefined ? {} : { baseUrl: original.baseUrl }),
    signal: gone.signal,
  };
  const { reply, settle } = await handle(request);
  const delivery = reply.cut === true ? 'dropped' : 'delivered';
  const body = await textOf(reply, gone);
  settle(delivery);
  const status = reply.cut === true ? 0 : reply.status;
  return { number: journal.numberOf(request) ?? 0, status, headers: reply.headers, body, delivery };
}

async function textOf({ body }: SentReply, gone: AbortController): Promise<string> {
  if (isBytes(body)) return new TextDecoder().decode(body);
  // Nobody here follows a stream; what it tells at its beginning is shown.
  const chunks = body[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    return first.done === true ? '' : new TextDecoder().decode(first.value);
  } catch {
    return '';
  } finally {
    gone.abort(new Error('the control API reads no further'));
    await chunks.return?.().catch(() => undefined);
  }
}

function keyHeaderOf({ apis }: Assembly): string | undefined {
  return apis.find(({ control }) => control?.keys !== undefined)?.control?.keys?.header;
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return pairs;
}

function isHeaderList(value: unknown): value is readonly (readonly [string, string])[] {
  return (
    Array.isArray(value) &&
    value.every(
      (pair: unknown) =>
        Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'),
    )
  );
}
