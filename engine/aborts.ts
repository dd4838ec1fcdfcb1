/**
 * Aborts `target` when the first of these signals aborts. (`AbortSignal.any` is missing from the types of older
 * compilers.)
 *
 * @returns a function that removes the listeners: otherwise, a signal that lives longer would keep the target in
 * memory
 */
export function passOnAborts(
  sources: readonly (AbortSignal | undefined)[],
  target: AbortController,
): () => void {
  const leave: (() => void)[] = [];
  for (const source of sources) {
    if (source === undefined) continue;
    const passOn = (): void => {
      target.abort(source.reason);
    };
    if (source.aborted) passOn();
    else source.addEventListener('abort', passOn, { once: true });
    leave.push(() => {
      source.removeEventListener('abort', passOn);
    });
  }
  return () => {
    for (const each of leave) each();
  };
}

/** A promise that resolves when the signal aborts, and a function that removes the listener. */
export function untilAborted(signal: AbortSignal): {
  readonly aborted: Promise<undefined>;
  readonly forget: () => void;
} {
  let leave = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => {
      resolve(undefined);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  return {
    aborted,
    forget: () => {
      signal.removeEventListener('abort', leave);
    },
  };
}
