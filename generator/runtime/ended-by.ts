/** The signal that ends a body which the caller reads. */
const signals = new WeakMap<object, AbortSignal>();

/**
 * A body that ends with its call. When the signal aborts, the body fails with the reason and its connection closes,
 * even if the caller does not read it.
 */
export function endedBy(body: Response['body'], signal: AbortSignal | undefined): Response['body'] {
  if (!body || !signal) return body;
  // Not piped: a pipe without a reader would wait for its last chunk before it closes.
  const reader = body.getReader();
  const over = new AbortController();
  const ended = new ReadableStream(
    {
      start(controller) {
        const end = (): void => {
          controller.error(signal.reason);
          reader.cancel(signal.reason).catch(() => undefined);
        };
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { signal: over.signal });
      },
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (signal.aborted) return;
          if (!done) return controller.enqueue(value);
          over.abort();
          controller.close();
        } catch (error) {
          over.abort();
          throw error;
        }
      },
      cancel(reason) {
        over.abort();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  ) as typeof body;
  signals.set(ended, signal);
  return ended;
}

/** The reason why the call of this body was ended, if it was. */
export function endOf(body: Response['body']): { readonly reason: unknown } | undefined {
  const signal = body ? signals.get(body) : undefined;
  return signal?.aborted ? { reason: signal.reason } : undefined;
}
