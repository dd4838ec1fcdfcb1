import { eventStreamParser } from '../../contract/policies/event-stream.ts';
import type { StreamEvent } from '../../contract/policies/event-stream.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { ConnectionError, ResponseError, TimeoutError, withoutQuery } from './errors.ts';
import type { AnswerFacts } from './errors.ts';
import type { Answer } from './operation.ts';

export interface EventOptions {
  readonly signal?: AbortSignal | undefined;
  /** Silence after which a stream counts as dead; servers send comments far more often. 45 seconds by default. */
  readonly idleMs?: number | undefined;
  /** The longest event, in characters. 16,777,216 by default. */
  readonly maxEventLength?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * The events of an answer whose body is a stream of them, until the server ends it. Leaving the loop closes the
 * connection. It does not connect again by itself: `follow` does.
 *
 * @throws {ConnectionError} when the stream breaks off
 * @throws {TimeoutError} when nothing came for too long, not even a comment
 * @throws {ResponseError} when an event is longer than `maxEventLength`
 * @throws the reason of `options.signal` when it aborts
 */
export async function* serverEvents(
  answer: Answer<Response['body']>,
  options: EventOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, idleMs = 45_000, maxEventLength = 2 ** 24, clock = systemClock } = options;
  const { operation, method, attempts, idempotencyKey, requestId } = answer;
  const url = withoutQuery(answer.url);
  const details = { operation, method, url, attempts, idempotencyKey, requestId };
  const reader = answer.data?.getReader();
  if (reader === undefined) return;
  const parser = eventStreamParser();
  const decoder = new TextDecoder();
  const read = async (): Promise<Uint8Array | undefined> => {
    signal?.throwIfAborted();
    const over = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal });
        clock.sleep(idleMs, over.signal).then(
          () => reject(new TimeoutError(`Nothing came for ${idleMs} ms`, details)),
          () => undefined,
        );
        reader.read().then(
          ({ value }) => resolve(value as Uint8Array | undefined),
          (cause: unknown) => reject(new ConnectionError('The stream broke off', { ...details, cause })),
        );
      });
    } finally {
      over.abort();
    }
  };
  try {
    for (let bytes = await read(); bytes !== undefined; bytes = await read()) {
      yield* parser.push(decoder.decode(bytes, { stream: true }));
      if (parser.held() > maxEventLength) {
        const { status, headers } = answer;
        const sentence = `An event is longer than maxEventLength: ${maxEventLength} characters`;
        throw new ResponseError(sentence, { ...details, status, headers } as AnswerFacts);
      }
    }
  } finally {
    // Nobody waits for it: a server that is gone cannot answer.
    reader.cancel().catch(() => undefined);
  }
}
