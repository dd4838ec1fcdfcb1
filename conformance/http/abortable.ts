import type { Clock } from './transport.ts';

/** A promise that rejects when the signal aborts, so that code that ignores the signal cannot hold up the run. */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** A promise without a handler must not end the process when it rejects early. */
export function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

/** How long a computation may block signals and timers, in milliseconds. */
const TURN_MS = 25;

/**
 * Lets signals and timers run between the steps of a long computation: await `breathe` after each step.
 *
 * @param clock of the run: one that jumps as soon as the process is idle sees by a question that it is not
 * @returns usually `undefined`, if the last pause was recent
 */
export function makeBreather(clock?: Pick<Clock, 'now'>): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        clock?.now();
        resolve();
      }),
    );
  };
}
