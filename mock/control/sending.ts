import { randomUUID } from 'node:crypto';
import { ControlMistake } from './api-control.ts';
import type { Assembly } from '../assembly.ts';
import { formed } from './reading.ts';
import type { FollowedLine, SentExchange } from './calls-shape.ts';
import { isBytes, type RawRequest, type SentReply } from '../call/exchange.ts';
import type { Mock } from '../mock.ts';

type Sender = Pick<Mock, 'handle' | 'journal'>;

/** Sends a request of the journal again with its credential, which never leaves the mock. */
export async function replayExchange(
  mock: Sender,
  assembly: Assembly,
  number: number,
  body: unknown,
): Promise<SentExchange> {
  const original = mock.journal.request(number);
  if (original === undefined) throw new ControlMistake(`The journal has no exchange ${String(number)}.`, 404);
  const { key = 'same' } = formed(body ?? {}, { members: { key: { oneOf: ['same', 'new', 'none'] } } });
  if (key === 'same') return send(mock, { ...original });
  const header = keyHeaderOf(assembly);
  const others = pairsOf(original.rawHeaders).filter(
    ([name]) => name.toLowerCase() !== header?.toLowerCase(),
  );
  const headers = key === 'none' || header === undefined ? others : [...others, [header, randomUUID()]];
  return send(mock, { ...original, rawHeaders: headers.flat() });
}

/** Sends a hand-written request; links in the answer begin with the address of the API. */
export function sendRequest(mock: Sender, baseUrl: string, wanted: unknown): Promise<SentExchange> {
  return send(mock, { ...readRequestToSend(wanted), baseUrl });
}

/** Sends a hand-written request, and forwards the answer as it arrives. Ends when the reader disconnects. */
export async function followRequest(
  { handle, journal }: Sender,
  baseUrl: string,
  wanted: unknown,
  write: (line: FollowedLine) => void,
  reader: AbortSignal,
): Promise<void> {
  const request: RawRequest = { ...readRequestToSend(wanted), baseUrl, signal: reader };
  const { reply, settle } = await handle(request);
  const { status, headers, body, cut } = reply;
  write({ number: journal.numberOf(request) ?? 0, status: cut === true ? 0 : status, headers });
  let delivery: FollowedDelivery = cut === true ? 'dropped' : 'delivered';
  let left = LONGEST_FOLLOWED;
  const decoder = new TextDecoder();
  try {
    if (cut === true) return;
    for await (const chunk of isBytes(body) ? [body] : body) {
      left -= chunk.length;
      if (left < 0 || reader.aborted) {
        delivery = 'short';
        break;
      }
      write({ text: decoder.decode(chunk, { stream: true }) });
    }
  } catch {
    delivery = 'short';
  } finally {
    settle(delivery);
    write({ delivery });
  }
}

// --- internal ---

type FollowedDelivery = SentExchange['delivery'];

/** In bytes. A page shows less. */
const LONGEST_FOLLOWED = 2 ** 20;

const requestForm = {
  members: { method: 'string', target: 'string', headers: { listOf: { listOf: 'string' } }, body: 'string' },
  required: ['method', 'target'],
} as const;

/** @throws {ControlMistake} for an invalid request */
function readRequestToSend(wanted: unknown): RawRequest {
  const { method, target, headers = [], body = '' } = formed(wanted, requestForm);
  if (!/^[A-Za-z]{1,20}$/.test(method))
    throw new ControlMistake('"method" must be an HTTP method such as POST.');
  if (!target.startsWith('/'))
    throw new ControlMistake('"target" must be a path with its query, such as /v1/models?limit=3.');
  if (headers.some((pair) => pair.length !== 2))
    throw new ControlMistake('"headers" must be a list of pairs of name and value.');
  return {
    method: method.toUpperCase(),
    target,
    rawHeaders: headers.flat(),
    body: new TextEncoder().encode(body),
  };
}

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
  // A stream is not followed here: only its beginning is shown.
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
