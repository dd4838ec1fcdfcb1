import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { endOf } from './ended-by.ts';
import { ConnectionError, ResponseError, TimeoutError, withoutQuery } from './errors.ts';
import type { AnswerFacts } from './errors.ts';

export interface PieceOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The silence after which a stream counts as dead; servers send comments far more often. 45 seconds by
   * default.
   */
  readonly idleMs?: number | undefined;
  /** The longest piece, in characters. 16,777,216 by default. */
  readonly maxLength?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** A body that arrives in pieces, and its answer. */
export interface Source extends AnswerFacts {
  readonly body: Response['body'];
}

/** The delimiter between pieces of a text. */
export interface PieceReading<Piece> {
  /** The name of a piece in errors, and the option that limits its length. */
  readonly what: string;
  readonly bound: string;
  /** The pieces that this text completes, or the bytes that it was. */
  push(text: string, bytes: Uint8Array): readonly Piece[];
  /** The limit for characters of an incomplete piece. */
  held(): number;
  /** The pieces that the end of the body completes. */
  end?(): readonly Piece[];
}

/**
 * The pieces of a body, as they arrive. Leaving the loop closes the connection.
 *
 * @throws {ConnectionError} when the connection breaks
 * @throws {TimeoutError} when the stream is silent for too long
 * @throws {ResponseError} when a piece is too long
 * @throws the reason of `options.signal`, or of the signal of the call that opened the body, when that aborts
 */
export async function* pieces<Piece>(
  source: Source,
  reading: PieceReading<Piece>,
  options: PieceOptions,
): AsyncGenerator<Piece, void, undefined> {
  const { signal, idleMs = 45_000, maxLength = 2 ** 24, clock = systemClock } = options;
  const { operation, method, attempts, idempotencyKey, requestId, status, headers } = source;
  const details = { operation, method, url: withoutQuery(source.url), attempts, idempotencyKey, requestId };
  const reader = source.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  const read = async (): Promise<Uint8Array | undefined> => {
    signal?.throwIfAborted();
    const over = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal });
        clock.sleep(idleMs, over.signal).then(
          () => reject(new TimeoutError(`No data for ${idleMs} ms`, details)),
          () => undefined,
        );
        reader.read().then(
          ({ value }) => resolve(value as Uint8Array | undefined),
          (cause: unknown) => {
            const end = endOf(source.body);
            reject(
              end
                ? (end.reason as Error)
                : new ConnectionError('The stream was cut off', { ...details, cause }),
            );
          },
        );
      });
    } finally {
      over.abort();
    }
  };
  try {
    for (let bytes = await read(); bytes !== undefined; bytes = await read()) {
      for (const piece of reading.push(decoder.decode(bytes, { stream: true }), bytes)) {
        yield piece;
        // The caller may have ended the stream since: what came with this piece is no longer wanted.
        const end = signal?.aborted === true ? signal : endOf(source.body);
        if (end !== undefined) throw end.reason;
      }
      if (reading.held() > maxLength) {
        const sentence = `${reading.what} is longer than ${reading.bound}: ${maxLength} characters`;
        throw new ResponseError(sentence, { ...details, status, headers } as AnswerFacts);
      }
    }
    if (reading.end !== undefined) yield* reading.end();
  } finally {
    // Not awaited: a server that is gone cannot respond.
    reader.cancel().catch(() => undefined);
  }
}
