/**
 * The calls that have not ended. Each has a signal that aborts when its caller goes away or when the mock closes;
 * `AbortSignal.any` with a signal that lives as long as the mock would keep something of every call for ever. Most calls
 * never wait, so a signal is made only when somebody asks for it.
 */
export class OpenCalls {
  readonly #open = new Set<AbortController>();
  #closed: Error | undefined;

  /** Begins a call; `ended` must be called when nothing of it is left to do. */
  begin(caller: () => AbortSignal | undefined): OpenCall {
    let made: { readonly controller: AbortController; readonly forget: () => void } | undefined;
    return {
      signal: () => (made ??= this.#follow(caller())).controller.signal,
      ended: () => {
        if (made === undefined) return;
        made.forget();
        this.#open.delete(made.controller);
      },
    };
  }

  /** Aborts every call, also those that are still to come. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const controller of this.#open) controller.abort(reason);
    this.#open.clear();
  }

  #follow(caller: AbortSignal | undefined): { controller: AbortController; forget: () => void } {
    const controller = new AbortController();
    const leave = (): void => {
      controller.abort(caller?.reason);
    };
    if (this.#closed !== undefined) controller.abort(this.#closed);
    else if (caller?.aborted === true) leave();
    caller?.addEventListener('abort', leave, { once: true });
    this.#open.add(controller);
    return { controller, forget: () => caller?.removeEventListener('abort', leave) };
  }
}

export interface OpenCall {
  readonly signal: () => AbortSignal;
  readonly ended: () => void;
}
