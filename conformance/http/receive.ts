import { abortable } from './abortable.ts';
import { plainBody } from './content-coding.ts';
import type { PlainBody } from './content-coding.ts';
import type { StreamEvent } from './event-stream.ts';
import { pieceReader } from './piece-reader.ts';
import { watchStarvation } from './starvation.ts';
import { headerOf } from '../exchanges/exchange.ts';
import type { ReceivedAnswer, Exchange, SentRequest } from '../exchanges/exchange.ts';
import type { WatchOptions, Watched } from '../scenarios/scenario.ts';
import type { Clock, Transport, WireRequest, WireResponse } from './transport.ts';

/** When a request is released: at once, or together with others. */
export type Start = (request: WireRequest) => Promise<WireResponse>;

/** The default time limit of a read, in milliseconds. */
export const READ_TIMEOUT_MS = 30_000;

/** The maximum number of bytes that are read of a body. */
export const LONGEST_BODY = 64 * 1024 * 1024;

/** The limits of one exchange. */
export interface ReceiveBounds {
  readonly clock: Clock;
  readonly signals: readonly (AbortSignal | undefined)[];
  /**
   * Reserves memory for this many bytes; if there is not enough, returns the end of a sentence that says so.
   */
  readonly take: (bytes: number) => string | undefined;
}

/** The result of a request: an answer, or the reason why there is none. */
export type ReceivedExchange = Pick<Exchange, 'answer' | 'failure' | 'fault' | 'begun'>;

/**
 * Sends a request, and reads the answer to its end or to the limits; any failure becomes the reason for a
 * missing answer.
 */
export async function complete(
  start: Start,
  request: SentRequest,
  { clock, timeoutMs, signals, take }: ReceiveBounds & { readonly timeoutMs: number },
): Promise<ReceivedExchange> {
  const timer = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  const signal = AbortSignal.any([...given, timer.signal]);
  const timedOut = timeLimit(clock, timeoutMs, timer.signal).then(
    () => timer.abort(new Error(`no complete response within ${timeoutMs / 1000} s`)),
    () => undefined,
  );
  let begun: number | undefined;
  try {
    signal.throwIfAborted();
    const response = await abortable(start(wireForm(request, signal)), signal);
    begun = response.status;
    const plain = plainBody(response);
    const body = new BodyReader(take);
    await body.read(plain.body, signal);
    return { answer: body.answer(response, plain), failure: undefined };
  } catch (error) {
    if (given.some(({ aborted }) => aborted))
      return { answer: undefined, failure: 'the suite closed the connection', fault: 'dropped', begun };
    const failure = begun === undefined ? reasonOf(error) : `status ${begun}, then ${reasonOf(error)}`;
    const fault = timer.signal.aborted ? 'silent' : begun === undefined ? 'closed' : 'cut';
    return { answer: undefined, failure, fault, begun };
  } finally {
    if (!timer.signal.aborted) timer.abort();
    await timedOut;
  }
}

/**
 * Reads a stream as it arrives; everything that was received counts, however it ended.
 *
 * @param bounds.headMs how long to wait for the head of the response; if left out, as long as for all of it
 */
export async function follow(
  transport: Transport,
  request: SentRequest,
  options: WatchOptions,
  { clock, signals, take, headMs }: ReceiveBounds & { readonly headMs?: number | undefined },
): Promise<ReceivedExchange & Pick<Watched, 'events' | 'ended'>> {
  const hangUp = new AbortController();
  const timer = new AbortController();
  const signal = AbortSignal.any([...signals.filter((one) => one !== undefined), hangUp.signal]);
  let ended: Watched['ended'] | undefined;
  const limit = (milliseconds: number, signal = timer.signal): Promise<void> =>
    timeLimit(clock, milliseconds, signal).then(
      () => {
        ended ??= 'timeout';
        hangUp.abort(new Error('watched long enough'));
      },
      () => undefined,
    );
  const limits = [limit(options.timeoutMs ?? READ_TIMEOUT_MS)];
  const untilHead = new AbortController();
  timer.signal.addEventListener('abort', () => untilHead.abort(), { once: true });
  if (headMs !== undefined) limits.push(limit(headMs, untilHead.signal));
  let isInGrace = false;
  let idle = new AbortController();
  timer.signal.addEventListener('abort', () => idle.abort(), { once: true });
  options.endsWithin?.then(
    (milliseconds) => {
      if (!timer.signal.aborted) limits.push(limit(milliseconds));
    },
    () => undefined,
  );
  const events: StreamEvent[] = [];
  const body = new BodyReader(take);
  let enough = false;
  let response: WireResponse | undefined;
  let plain: PlainBody | undefined;
  let failure: string | undefined;
  try {
    response = await abortable(transport(wireForm(request, signal)), signal);
    untilHead.abort();
    const reader = pieceReader(headerOf(response.headers, 'content-type') ?? '');
    const decoder = new TextDecoder();
    plain = plainBody(response);
    await body.read(plain.body, signal, (chunk) => {
      const came = reader?.read(decoder.decode(chunk, { stream: true }), clock.now()) ?? [];
      // Not with spread arguments: a chunk can have very many pieces.
      for (const piece of came) events.push(piece);
      if (reader?.excess !== undefined) return { excess: reader.excess };
      if (came.length === 0) return undefined;
      if (options.idleMs !== undefined) {
        idle.abort();
        idle = new AbortController();
        limits.push(limit(options.idleMs, idle.signal));
      }
      if (!isInGrace && options.grace?.when(events) === true) {
        isInGrace = true;
        limits.push(limit(options.grace.ms));
      }
      if (options.until?.(events) !== true) return undefined;
      enough = true;
      return 'enough';
    });
    ended = enough ? 'enough' : 'end';
  } catch (error) {
    if (ended === undefined) failure = reasonOf(error);
    ended ??= 'cut';
  } finally {
    if (!timer.signal.aborted) timer.abort();
    if (enough) hangUp.abort(new Error('seen enough'));
    await Promise.all(limits);
  }
  const answer = response === undefined ? undefined : body.answer(response, plain);
  const isSilent = options.mayBeSilent === true && answer === undefined && ended === 'timeout';
  const fault = isSilent ? 'dropped' : faultOf(signals, answer, ended);
  if (ended === 'timeout' && answer === undefined) failure ??= 'no response for as long as the suite waited';
  return { answer, failure, fault, begun: response?.status, events, ended };
}

// --- internal ---

/** Later than this, a machine has not heard yet what came in time. */
const LATE_MS = 500;

/**
 * Waits so long; on a machine that was late or gave this process no processor, as much longer: what has arrived meanwhile
 * is still to be read.
 */
async function timeLimit(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const due = clock.now() + milliseconds;
  const starvedMs = watchStarvation();
  await clock.sleep(milliseconds, signal);
  const lateMs = Math.max(clock.now() - due, starvedMs());
  if (lateMs > LATE_MS) await clock.sleep(Math.min(lateMs, milliseconds), signal);
}

/** Probes judge how a stream ends: it is lost only if it did not begin. */
function faultOf(
  signals: ReceiveBounds['signals'],
  answer: ReceivedAnswer | undefined,
  ended: Watched['ended'],
): Exchange['fault'] {
  if (signals.some((signal) => signal?.aborted === true)) return 'dropped';
  if (answer !== undefined) return undefined;
  return ended === 'cut' ? 'closed' : 'silent';
}

/** Decides after each piece whether to stop reading: because it is enough, or because of a limit. */
type Follower = (chunk: Uint8Array) => 'enough' | { readonly excess: string } | undefined;

/** The only place that reads bytes of a body, up to the limits of the exchange and of the run. */
class BodyReader {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #truncated: string | undefined;
  readonly #take: ReceiveBounds['take'];

  constructor(take: ReceiveBounds['take']) {
    this.#take = take;
  }

  answer(
    { status, headers, informational = [] }: WireResponse,
    coding?: Omit<PlainBody, 'body'>,
  ): ReceivedAnswer {
    const body = this.#bytes.subarray(0, this.#length);
    const { compressed } = coding ?? {};
    const cut =
      this.#truncated !== undefined && compressed !== undefined
        ? `${this.#truncated}, decompressed from ${compressed}`
        : this.#truncated;
    const truncated = coding?.unreadable ?? cut;
    return {
      status,
      headers,
      informational,
      body,
      ...(truncated === undefined ? {} : { truncated }),
      ...(compressed === undefined ? {} : { compressed }),
    };
  }

  async read(body: AsyncIterable<Uint8Array>, signal: AbortSignal, follower?: Follower): Promise<void> {
    const source = body[Symbol.asyncIterator]();
    for (;;) {
      const next = await abortable(source.next(), signal);
      if (next.done === true) return;
      const excess = this.#add(next.value);
      const said = follower?.(next.value);
      this.#truncated = excess ?? (typeof said === 'object' ? said.excess : undefined);
      if (this.#truncated === undefined && said === undefined) continue;
      // Further bytes and errors of the connection are ignored from now on.
      void source.return?.().catch(() => undefined);
      return;
    }
  }

  /** Stores bytes without keeping the pieces, because there may be one for each byte. */
  #add(chunk: Uint8Array): string | undefined {
    const part = chunk.subarray(0, LONGEST_BODY - this.#length);
    const needed = this.#length + part.length;
    if (needed > this.#bytes.length) {
      const size = Math.max(needed, Math.min(2 * this.#bytes.length, LONGEST_BODY));
      const full = this.#take(size - this.#bytes.length);
      if (full !== undefined) return full;
      const larger = Buffer.allocUnsafeSlow(size);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = needed;
    return part.length < chunk.length ? `was truncated at ${LONGEST_BODY} bytes` : undefined;
  }
}

function wireForm({ body, ...head }: SentRequest, signal: AbortSignal): WireRequest {
  return { ...head, ...(body === undefined ? {} : { body }), signal };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && !error.message.includes(code)
    ? `${code} ${error.message}`
    : error.message;
}
