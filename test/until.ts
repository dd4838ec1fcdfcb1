import { setTimeout } from 'node:timers/promises';

/**
 * Waits for a fact, however busy the machine is. A number of turns of the event loop, or of milliseconds, is enough only
 * on an idle machine.
 *
 * @param fact for the message, such as `a call reaches the model`
 * @param isSo asked again and again
 * @param withinMs in milliseconds; a fact that is not so by then never will be
 * @throws {Error} when it is not so within that time, also where asking gets no answer
 */
export async function until(
  fact: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const over = new AbortController();
  const late = setTimeout(withinMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`not so within ${String(withinMs / 1_000)} s: ${fact}`);
  });
  const asked = async (): Promise<void> => {
    for (let ms = 0; !over.signal.aborted && !(await isSo()); ms = Math.min(ms + 1, 20)) await setTimeout(ms);
  };
  await Promise.race([asked(), late]).finally(() => {
    over.abort();
  });
}

/** Lets real time pass where time is what a test is about, or the pace of a caller. It is no way to wait for a fact. */
export const pause = (ms: number): Promise<void> => setTimeout(ms);
