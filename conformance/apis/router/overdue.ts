import { check } from '../../scenarios/check.ts';
import type { Loss } from '../../health/health.ts';
import type { Outcome } from '../../verdicts/outcome.ts';
import type { Target } from '../../target/target.ts';
import { isUsable } from '../../target/usable.ts';

/**
 * Document 1, Idempotency key handling, deadline rule: a run that exceeds the deadline ends in a 504. If the
 * fixtures state the deadline, two runs without a response long after it decide the rule, on a server that
 * answers other requests. A single one may be caused by the network.
 */
export function overdueRuns(losses: readonly Loss[], { fixtures, deadlineMs }: Target): Outcome {
  const overdue = losses
    .map(({ exchange }) => exchange)
    .filter(
      ({ api, request: { method, target, as }, ...seen }) =>
        api === 'router' &&
        method === 'POST' &&
        /\/v1\/models\/[^/?]+\/[^/?]+/.test(target) &&
        isUsable(as) &&
        seen.fault === 'silent' &&
        seen.begun === undefined &&
        seen.endedAt - seen.startedAt > deadlineMs,
    );
  const [last] = overdue;
  const isTold = fixtures.deadlineMs !== undefined && last !== undefined && overdue.length > 1;
  return {
    checks: isTold
      ? [
          check(
            'router.run.504-deadline',
            overdue.slice(0, 5),
            false,
            `a response after ${deadlineMs / 1000} s at the latest: status 504, bucket deadline_exceeded`,
            `no response within ${(last.endedAt - last.startedAt) / 1000} s`,
          ),
        ]
      : [],
    observations: [],
    gaps: new Map(),
  };
}
