import { randomUUID } from 'node:crypto';
import { masker, maskedHeaders, type Masker } from '../../contract/secrecy/index.ts';
import { ControlMistake } from './api-control.ts';
import type { Assembly } from '../assembly.ts';
import { formed } from './reading.ts';
import type { FollowedLine, SentExchange } from './calls-shape.ts';
import { isBytes, type RawRequest, type SentReply } from '../call/exchange.ts';
import type { Mock } from '../mock.ts';

interface Sender {
  readonly mock: Pick<Mock, 'handle' | 'journal'>;
  readonly assembly: Pick<Assembly, 'apis' | 'secrecy'>;
}

/** Sends a request of the journal again with its credential, which never leaves the mock. The answer is shown masked. */
export async function replayExchange(sender: Sender, number: number, body: unknown): Promise<SentExchange> {
  const original = sender.mock.journal.request(number);
  if (original === undefined) throw new ControlMistake(`The journal has no exchange ${String(number)}.`, 404);
  const { key = 'same' } = formed(body ?? {}, { members: { key: { oneOf: ['same', 'new', 'none'] } } });
  if (key === 'same') return send(sender, { ...original });
  const header = keyHeaderOf(sender.assembly);
  const others = pairsOf(original.rawHeaders).filter(
    ([name]) => name.toLowerCase() !== header?.toLowerCase(),
  );
  const headers = key === 'none' || header === undefined ? others : [...others, [header, randomUUID()]];
  return send(sender, { ...original, rawHeaders: headers.flat() });
}

/** Sends a hand-written request; links in the answer begin with the address of the API. The answer is shown masked. */
export function sendRequest(sender: Sender, baseUrl: string, wanted: unknown): Promise<SentExchange> {
  return send(sender, { ...readRequestToSend(wanted), baseUrl });
}

/** Sends a hand-written request, and forwards the answer as it arrives. Ends when the reader disconnects. */
export async function followRequest(
  sender: Sender,
  baseUrl: string,
  wanted: unknown,
  write: (line: FollowedLine) => void,
  reader: AbortSignal,
): Promise<void> {
  const request: RawRequest = { ...readRequestToSend(wanted), baseUrl, signal: reader };
  const { reply, settle } = await sender.mock.handle(request);
  const { body, cut } = reply;
  const { head, hide } = shownHead(sender, request, reply);
  write(head);
  let delivery: FollowedDelivery = cut === true ? 'dropped' : 'delivered';
  let left = LONGEST_FOLLOWED;
  const decoder = new TextDecoder();
  const pieces = new MaskedPieces(hide);
  try {
    if (cut === true) return;
    for await (const chunk of isBytes(body) ? [body] : body) {
      left -= chunk.length;
      if (left < 0 || reader.aborted) {
        delivery = 'short';
        break;
      }
      const text = pieces.add(decoder.decode(chunk, { stream: true }));
      if (text !== '') write({ text });
    }
  } catch {
    delivery = 'short';
  } finally {
    const text = pieces.rest(delivery !== 'delivered');
    if (text !== '') write({ text });
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

/** Masks a text that arrives in chunks. It is shown by events, because a chunk may end within a secret. */
class MaskedPieces {
  readonly #hide: Masker;
  #held: string[] = [];

  constructor(hide: Masker) {
    this.#hide = hide;
  }

  /** What can be shown now: everything up to the last blank line. */
  add(chunk: string): string {
    const before = this.#held.at(-1)?.slice(-1) ?? '';
    if (chunk !== '') this.#held.push(chunk);
    if (!`${before}${chunk}`.includes('\n\n')) return '';
    const text = this.#held.join('');
    const end = text.lastIndexOf('\n\n') + 2;
    this.#held = end === text.length ? [] : [text.slice(end)];
    return this.#hide(text.slice(0, end));
  }

  /** What is left at the end. A text that was cut may end within a secret. */
  rest(isCut: boolean): string {
    const text = this.#held.join('');
    return this.#hide(text, text.length, isCut);
  }
}

async function send(sender: Sender, original: RawRequest): Promise<SentExchange> {
  const gone = new AbortController();
  const request: RawRequest = {
    method: original.method,
    target: original.target,
    rawHeaders: original.rawHeaders,
    body: original.body,
    ...(original.baseUrl === undefined ? {} : { baseUrl: original.baseUrl }),
    signal: gone.signal,
  };
  const { reply, settle } = await sender.mock.handle(request);
  const { head, hide } = shownHead(sender, request, reply);
  const delivery = reply.cut === true ? 'dropped' : 'delivered';
  const { text, isWhole } = await textOf(reply, gone);
  settle(delivery);
  return { ...head, body: hide(text, text.length, !isWhole), delivery };
}

type Head = Pick<SentExchange, 'number' | 'status' | 'headers'>;

/** The head of an answer as the journal shows it, and what hides the secrets of its body. */
function shownHead(
  { mock, assembly }: Sender,
  request: RawRequest,
  { status, headers, cut }: SentReply,
): { readonly head: Head; readonly hide: Masker } {
  // A journal without room has no number.
  const { number, hide } = mock.journal.find(request) ?? { number: 0, hide: masker([], assembly.secrecy) };
  return { head: { number, status: cut === true ? 0 : status, headers: maskedHeaders(headers, hide) }, hide };
}

async function textOf(
  { body }: SentReply,
  gone: AbortController,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  if (isBytes(body)) return { text: new TextDecoder().decode(body), isWhole: true };
  // A stream is not followed here: only its beginning is shown.
  const chunks = body[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    return { text: first.done === true ? '' : new TextDecoder().decode(first.value), isWhole: false };
  } catch {
    return { text: '', isWhole: true };
  } finally {
    gone.abort(new Error('the control API reads no further'));
    await chunks.return?.().catch(() => undefined);
  }
}

function keyHeaderOf({ apis }: Sender['assembly']): string | undefined {
  return apis.find(({ control }) => control?.keys !== undefined)?.control?.keys?.header;
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return pairs;
}
