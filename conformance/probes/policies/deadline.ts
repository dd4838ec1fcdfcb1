import type { PolicyOf } from '../../../contract/index.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { occasionNeed } from '../document/occasions.ts';
import { msOf } from './durations.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { keyedCalls } from './keyed.ts';
import { refusal } from './refusal.ts';

/** Clocks differ by less than the rest. */
const SHARE = 0.95;

/** How long the server holds a call. Only a slow call shows it, so the fixtures file has to name one. */
export function deadlineProbes(facts: OperationFacts<PolicyOf<'deadline'>>): Probes {
  const { api, operation, policy } = facts;
  const calls = keyedCalls(api, operation, 'deadline');
  const { call: planned, ...others } = calls.requests(1);
  const deadlineMs = msOf(policy.default) ?? 0;
  return {
    scenarios: facts.scenario(['expired'], {
      id: `deadline.${operation.id}`,
      title: `${operation.method.toUpperCase()} ${operation.path}: a call beyond the deadline`,
      permissions: ['writes', 'slow'],
      alsoTakes: [occasionNeed(operation, 'slow')],
      requests: { ...others, call: { ...(planned ?? api.plan(operation)), judgesRefusal: true } },
      async *run(session: Session) {
        const slow = callsOn('slow', operation.id, session.fixtures).find(
          ({ minMs }) => minMs === undefined || minMs >= deadlineMs,
        );
        if (slow === undefined)
          throw new NotExercised(
            occasionNeed(operation, 'slow'),
            'needs a call that takes longer than the deadline',
          );
        const seen = await (await calls.start(session, ['slow', slow])).send(session.freshKey());
        const tookMs = seen.endedAt - seen.startedAt;
        // A server may be set up with a shorter deadline than that of the sheet; then the fixtures know it.
        const { deadlineMs: known = Infinity } = session.fixtures;
        const wantedMs = Math.min(known, deadlineMs);
        // It did not reach its deadline, as where a server is busy with other calls, or is fast.
        if (seen.status !== policy.status && tookMs < wantedMs * SHARE)
          throw new NotExercised(
            'an opportunity',
            `the slow call got ${sketchAnswer(seen)} after ${tookMs / 1000} s`,
          );
        yield* refusal(facts, 'expired', seen, policy, 'at the deadline');
        if (seen.status !== policy.status) return;
        for (const check of facts.judge(
          'expired',
          seen,
          tookMs >= wantedMs * SHARE,
          `an answer after ${wantedMs / 1000} s, and not before`,
          `after ${tookMs / 1000} s`,
        ))
          yield known > deadlineMs ? { ...check, isMild: true } : check;
      },
    }),
  };
}
