import { deadlineAt } from '../../contract/policies/deadline.ts';
import type { Behaviour } from '../call.ts';
import { refuse, roleOf, type Router } from './context.ts';

/**
 * Stops waiting for a model when the deadline passes, and cancels the call to it (document 1, "Deadline rule"). An
 * answer that is there when the bound expires is kept.
 */
export function deadline(router: Router): Behaviour {
  return async (call, next) => {
    const { facts, clock, deadlineMs } = router;
    const policy = facts.deadline;
    if (call.operation === undefined || !policy.operations.includes(call.operation.id)) return next();
    const cancel = new AbortController();
    const expired = new AbortController();
    const outer = call.signal;
    const giveUp = (): void => {
      cancel.abort(outer.reason);
    };
    outer.addEventListener('abort', giveUp, { once: true });
    call.signal = cancel.signal;
    const factor = call.switches.deadlineFactor ?? 1;
    const milliseconds = (deadlineAt(policy, call.startedAt, deadlineMs) - call.startedAt) * factor;
    const work = next();
    try {
      // The model is asked first: of two that end at the same moment it wins.
      const answer = await Promise.race([
        work,
        clock.sleep(milliseconds, expired.signal).then(() => undefined),
      ]);
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
      outer.removeEventListener('abort', giveUp);
      expired.abort();
      call.signal = outer;
    }
  };
}
