import { deadlineAt } from '../../../contract/policies/deadline.ts';
import type { Behaviour } from '../../call.ts';
import { refuse, roleOf, type Router } from './context.ts';

/**
 * Stops waiting for a model when the deadline passes, and cancels the call to it (document 1, "Idempotency key handling", deadline rule). An
 * answer that is there when the bound expires is kept. The time is taken for models that wait: the others are done.
 */
export function deadline(router: Router): Behaviour {
  return async (call, next) => {
    const { facts, clock, deadlineMs } = router;
    const policy = facts.deadline;
    if (call.operation === undefined || !policy.operations.includes(call.operation.id)) return next();
    const end =
      call.startedAt +
      (deadlineAt(policy, call.startedAt, deadlineMs) - call.startedAt) * (call.switches.deadlineFactor ?? 1);
    const cancel = new LazyAbort();
    const done = new LazyAbort();
    let expire = (): void => undefined;
    const expired = new Promise<undefined>((resolve) => {
      expire = () => {
        resolve(undefined);
      };
    });
    const restore = call.narrowSignal((outer) => {
      if (outer.aborted) cancel.abort(outer.reason);
      outer.addEventListener('abort', () => cancel.abort(outer.reason), { once: true, signal: done.signal });
      // The model lies down first: of two that end at the same moment it wins.
      queueMicrotask(() => {
        clock.sleep(end - clock.now(), done.signal).then(expire, () => undefined);
      });
      return cancel.signal;
    });
    const work = next();
    try {
      const answer = await Promise.race([work, expired]);
      if (answer !== undefined) return answer;
      cancel.abort(new Error('the deadline of the router has passed'));
      call.facts.billed = false;
      work.catch(() => undefined);
      return refuse(router, call, {
        role: roleOf(router, policy.bucket),
        status: policy.status,
        detail: 'The run took longer than the router waits.',
      });
    } finally {
      done.abort(DONE);
      restore();
    }
  };
}

// --- internal ---

/** Made once: an abort without a reason makes an error with a stack each time. */
const DONE = new Error('the run has ended');

/** An AbortController that comes into being with the first question for its signal. */
class LazyAbort {
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller?.abort(reason);
  }
}
