/** A promise that fails when it takes longer. What it gives afterwards goes to `late`. */
export function within<Value>(
  work: Promise<Value>,
  ms: number,
  late?: (value: Value) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      reject(new Error(`no answer within ${String(ms)} ms`));
    }, ms);
    work.then(
      (value) => {
        clearTimeout(timer);
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
 * @returns whether it succeeded before the time was over
 */
export async function persist(
  work: () => Promise<void>,
  forMs: number,
  told: (error: unknown) => void,
): Promise<boolean> {
  let waited = 0;
  for (let rest = 50; ; rest = Math.min(rest * 2, 5_000)) {
    try {
      await work();
      return true;
    } catch (error) {
      told(error);
      if (waited + rest > forMs) return false;
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
