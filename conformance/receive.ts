import { EventReader } from './event-stream.ts';
import type { StreamEvent } from './event-stream.ts';
import type { Answer, SentRequest } from './exchange.ts';
import type { WatchOptions, Watched } from './scenario.ts';
import type { Clock, Transport, WireRequest, WireResponse } from './transport.ts';

/** How a request is set going: at once, or when others are ready too. */
export type Start = (request: WireRequest) => Promise<WireResponse>;

/** How long a read may take, in milliseconds, unless somebody says otherwise. */
export const READ_TIMEOUT_MS = 30_000;

/** Sends, and reads the answer to its end; whatever goes wrong becomes the reason why there is none. */
export async function complete(
  start: Start,
  request: SentRequest,
  {
    clock,
    timeoutMs,
    signals,
  }: { clock: Clock; timeoutMs: number; signals: readonly (AbortSignal | undefined)[] },
): Promise<{ answer: Answer | undefined; failure: string | undefined }> {
  const timer = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  const signal = AbortSignal.any([...given, timer.signal]);
  const timedOut = clock.sleep(timeoutMs, timer.signal).then(
    () => timer.abort(new Error(`no complete response within ${timeoutMs / 1000} s`)),
    () => undefined,
  );
  const { body, ...head } = request;
  try {
    signal.throwIfAborted();
    const response = await abortable(
      start({ ...head, ...(body === undefined ? {} : { body }), signal }),
      signal,
    );
    const bytes = await abortable(readBody(response.body), signal);
    const { status, headers, informational = [] } = response;
    return { answer: { status, headers, body: bytes, informational }, failure: undefined };
  } catch (error) {
    return {
      answer: undefined,
      failure: given.some(({ aborted }) => aborted) ? 'the suite closed the connection' : reasonOf(error),
    };
  } finally {
    if (!timer.signal.aborted) timer.abort();
    await timedOut;
  }
}

/** Reads a stream as it comes; whatever was received counts, however it ended. */
export async function follow(
  transport: Transport,
  request: SentRequest,
  options: WatchOptions,
  { clock, signals }: { clock: Clock; signals: readonly (AbortSignal | undefined)[] },
): Promise<{ answer: Answer | undefined; failure: string | undefined } & Pick<Watched, 'events' | 'ended'>> {
  const hangUp = new AbortController();
  const timer = new AbortController();
  const signal = AbortSignal.any([...signals.filter((one) => one !== undefined), hangUp.signal]);
  let ended: Watched['ended'] | undefined;
  const limit = (milliseconds: number): Promise<void> =>
    clock.sleep(milliseconds, timer.signal).then(
      () => {
        ended ??= 'timeout';
        hangUp.abort(new Error('watched long enough'));
      },
      () => undefined,
    );
  const limits = [limit(options.timeoutMs ?? READ_TIMEOUT_MS)];
  const events: StreamEvent[] = [];
  const chunks: Uint8Array[] = [];
  let head: Omit<Answer, 'body'> | undefined;
  let failure: string | undefined;
  try {
    const { body, ...rest } = request;
    const response = await abortable(
      transport({ ...rest, ...(body === undefined ? {} : { body }), signal }),
      signal,
    );
    const { status, headers, informational = [] } = response;
    head = { status, headers, informational };
    const isStream = headers.some(
      ([name, value]) => name.toLowerCase() === 'content-type' && /event-stream/i.test(value),
    );
    const reader = new EventReader();
    const decoder = new TextDecoder();
    const source = response.body[Symbol.asyncIterator]();
    for (;;) {
      const next = await abortable(source.next(), signal);
      if (next.done === true) break;
      chunks.push(next.value);
      if (isStream) events.push(...reader.read(decoder.decode(next.value, { stream: true }), clock.now()));
      if (limits.length === 1 && options.grace?.when(events) === true) limits.push(limit(options.grace.ms));
      if (options.until?.(events) === true) {
        ended = 'enough';
        hangUp.abort(new Error('seen enough'));
        void source.return?.().catch(() => undefined);
        break;
      }
    }
    ended ??= 'end';
  } catch (error) {
    if (ended === undefined) failure = reasonOf(error);
    ended ??= 'cut';
  } finally {
    if (!timer.signal.aborted) timer.abort();
    await Promise.all(limits);
  }
  const answer = head === undefined ? undefined : { ...head, body: Buffer.concat(chunks) };
  return { answer, failure, events, ended };
}

// --- internal ---

/** Bodies beyond this are no answer that the suite could judge. */
const LONGEST_BODY = 64 * 1024 * 1024;

/** A transport that forgets its signal must not hold the run. */
function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function readBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LONGEST_BODY) throw new Error(`the body is longer than ${LONGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && !error.message.includes(code)
    ? `${code} ${error.message}`
    : error.message;
}
