/**
 * A promise that rejects after a time limit. A later result is passed to `late`, even if a busy process
 * delayed the timer.
 */
export function within<Value>(
  work: Promise<Value> | Value,
  ms: number,
  late?: (value: Value) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    let isOver = false;
    const fail = (): void => {
      isOver = true;
      reject(new Error(`no answer within ${String(ms)} ms`));
    };
    const timer = setTimeout(fail, ms);
    Promise.resolve(work).then(
      (value) => {
        clearTimeout(timer);
        if (performance.now() - begun >= ms) fail();
        if (isOver) late?.(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Repeats something with growing pauses until it succeeds.
 *
 * @returns its result; `undefined` if the time ends before
 */
export async function persist<Value>(
  work: () => Promise<Value> | Value,
  forMs: number,
  onFailure: (error: unknown) => void,
): Promise<Value | undefined> {
  let waited = 0;
  for (let rest = 50; ; rest = Math.min(rest * 2, 5_000)) {
    try {
      return await work();
    } catch (error) {
      onFailure(error);
      if (waited + rest > forMs) return undefined;
    }
    await sleep(rest);
    waited += rest;
  }
}

/** Repeats something until it is stopped. Its timer does not keep the process alive. */
export function every(ms: number, work: () => void): () => void {
  const timer: unknown = setInterval(work, ms);
  (timer as { unref?: () => void }).unref?.();
  return () => {
    clearInterval(timer as ReturnType<typeof setInterval>);
  };
}
