import { LinkedSet } from './linked-set.ts';
import type { EndedCall, PendingCall } from '../control/calls-shape.ts';

/** What a call can report about itself at any time. */
type CallSoFar = Omit<PendingCall, 'state' | 'realAt' | 'number' | 'status'>;

/** The open calls of a mock. */
export interface Pending {
  /** Oldest first. */
  calls(): PendingCall[];
  /**
   * Reports each call that does not end within its turn of the event loop, again when its answer is being
   * sent, and when it has ended. The returned function stops the reports.
   */
  watch(listener: PendingListener): () => void;
}

/** Called when a call starts to wait, and when it has ended. */
export interface PendingListener {
  readonly began: (call: PendingCall) => void;
  readonly ended: (call: EndedCall) => void;
}

/**
 * The open calls. Each has a signal that aborts when its caller disconnects or when the mock closes.
 * `AbortSignal.any` with a signal as old as the mock would leak memory with every call. Most calls never
 * wait, so a signal is made only on first use, and such calls are not reported.
 */
export class PendingCalls implements Pending {
  readonly #controllers = new Set<AbortController>();
  readonly #calls = new LinkedSet<UnderWay>();
  readonly #listeners = new Set<PendingListener>();
  #closed: Error | undefined;

  /** Begins a call; `ended` must be called when its work is complete. */
  begin(caller: () => AbortSignal | undefined, soFar: () => CallSoFar): OpenCall {
    let made: { readonly controller: AbortController; readonly forget: () => void } | undefined;
    const underWay: UnderWay = { soFar, realAt: Date.now(), answer: undefined, isTold: false, ended: false };
    const leaveChain = this.#calls.add(underWay);
    if (this.#listeners.size > 0) setImmediate(() => this.#tell(underWay));
    return {
      signal: () => (made ??= this.#follow(caller())).controller.signal,
      answered: (number, status, isStillSending) => {
        underWay.answer = { number, status };
        if (isStillSending && underWay.isTold) this.#tell(underWay);
      },
      ended: () => {
        underWay.ended = true;
        leaveChain();
        if (underWay.isTold) this.#tellEnd(underWay);
        if (made === undefined) return;
        made.forget();
        this.#controllers.delete(made.controller);
      },
    };
  }

  calls(): PendingCall[] {
    return [...this.#calls].map(shown);
  }

  watch(listener: PendingListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Aborts every call, including future ones. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const controller of this.#controllers) controller.abort(reason);
    this.#controllers.clear();
  }

  #tell(underWay: UnderWay): void {
    if (underWay.ended) return;
    underWay.isTold = true;
    const call = shown(underWay);
    for (const { began } of this.#listeners) began(call);
  }

  #tellEnd({ soFar, answer }: UnderWay): void {
    const call = { id: soFar().id, number: answer?.number ?? 0 };
    for (const { ended } of this.#listeners) ended(call);
  }

  #follow(caller: AbortSignal | undefined): { controller: AbortController; forget: () => void } {
    const controller = new AbortController();
    const leave = (): void => {
      controller.abort(caller?.reason);
    };
    if (this.#closed !== undefined) controller.abort(this.#closed);
    else if (caller?.aborted === true) leave();
    caller?.addEventListener('abort', leave, { once: true });
    this.#controllers.add(controller);
    return { controller, forget: () => caller?.removeEventListener('abort', leave) };
  }
}

interface OpenCall {
  readonly signal: () => AbortSignal;
  /** Its answer is complete, and may still be being sent. */
  readonly answered: (number: number, status: number, isStillSending: boolean) => void;
  readonly ended: () => void;
}

// --- internal ---

interface UnderWay {
  readonly soFar: () => CallSoFar;
  readonly realAt: number;
  answer: { readonly number: number; readonly status: number } | undefined;
  isTold: boolean;
  ended: boolean;
}

function shown({ soFar, realAt, answer }: UnderWay): PendingCall {
  const call = soFar();
  return {
    ...call,
    state: answer === undefined ? 'deciding' : 'answering',
    realAt,
    number: answer?.number,
    status: answer?.status,
  };
}
