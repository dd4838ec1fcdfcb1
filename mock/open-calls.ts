/**
 * The calls that have not ended. Each has a signal that aborts when its caller goes away or when the mock closes;
 * `AbortSignal.any` with a signal that lives as long as the mock would keep something of every call for ever.
 */
export class OpenCalls {
  readonly #open = new Set<AbortController>();
  #closed: Error | undefined;

  /** Begins a call; `ended` must be called when nothing of it is left to do. */
  begin(caller: AbortSignal | undefined): { readonly signal: AbortSignal; readonly ended: () => void } {
    const controller = new AbortController();
    if (this.#closed !== undefined) controller.abort(this.#closed);
    else if (caller?.aborted === true) controller.abort(caller.reason);
    const leave = (): void => {
      controller.abort(caller?.reason);
    };
    caller?.addEventListener('abort', leave, { once: true });
    this.#open.add(controller);
    return {
      signal: controller.signal,
      ended: () => {
        caller?.removeEventListener('abort', leave);
        this.#open.delete(controller);
      },
    };
  }

  /** Aborts every call, also those that are still to come. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const controller of this.#open) controller.abort(reason);
    this.#open.clear();
  }
}
