/**
 * A promise that fails when it takes longer. What it gives afterwards goes to `late`, also where a busy process kept the
 * timer from firing.
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
 * Does something until it succeeds, more and more slowly.
 *
 * @returns what it gave; nothing when the time was over before
 */
export async function persist<Value>(
  work: () => Promise<Value> | Value,
  forMs: number,
  told: (error: unknown) => void,
): Promise<Value | undefined> {
  let waited = 0;
  for (let rest = 50; ; rest = Math.min(rest * 2, 5_000)) {
    try {
      return await work();
    } catch (error) {
      told(error);
      if (waited + rest > forMs) return undefined;
    }
    await sleep(rest);
    waited += rest;
  }
}

/** Repeats something until it is stopped. A timer that nobody waits for keeps no process alive. */
export function every(ms: number, work: () => void): () => void {
  const timer: unknown = setInterval(work, ms);
  (timer as { unref?: () => void }).unref?.();
  return () => {
    clearInterval(timer as ReturnType<typeof setInterval>);
  };
}
