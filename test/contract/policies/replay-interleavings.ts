/**
 * A model server that obeys `claimReplayKey` and `settleReplayKey`, driven through random interleavings of many attempts
 * with one key. It keeps its own books of what settled the key and what was answered, and throws where a law is broken.
 */
import fc from 'fast-check';

import { claimReplayKey, settleReplayKey } from '../../../contract/policies/idempotency-replay.ts';
import type { ReplayRecord } from '../../../contract/policies/idempotency-replay.ts';
import { hour, replayPolicy } from './replay-policy.ts';

export interface Attempt {
  readonly arrivesAt: number;
  readonly body: 'a' | 'b';
  /** How long its handler takes to an answer. */
  readonly takes: number;
  readonly status: number;
  readonly marked: boolean;
  readonly fate: 'delivered' | 'short' | 'no-copy';
  /** The caller goes away after so many milliseconds; the handler runs on and ends late. */
  readonly leavesAfter: number | undefined;
}

/** What happened, so that a test can show that its interleavings reach every state. */
export interface Tally {
  dispatched: number;
  collected: number;
  replayed: number;
  refused: number;
  settled: number;
  lateEnds: number;
}

const milliseconds = fc.oneof(fc.nat(5), fc.nat(2_000), fc.nat(30 * hour));

export const attempts = fc.array(
  fc.record<Attempt>({
    arrivesAt: fc.oneof(fc.nat(10), fc.nat(5_000), fc.nat(80 * hour)),
    body: fc.constantFrom('a', 'a', 'a', 'b'),
    takes: milliseconds,
    status: fc.constantFrom(200, 200, 200, 404, 408, 422, 425, 429, 500, 503, 504, 504),
    marked: fc.boolean(),
    fate: fc.constantFrom('delivered', 'delivered', 'delivered', 'short', 'no-copy'),
    leavesAfter: fc.option(milliseconds, { nil: undefined, freq: 2 }),
  }),
  { minLength: 2, maxLength: 14 },
);

/** What is put to the test; another one is passed to show that the laws catch a broken mechanism. */
export interface Mechanism {
  readonly claim: typeof claimReplayKey<string>;
  readonly settle: typeof settleReplayKey<string>;
}

export const mechanism: Mechanism = { claim: claimReplayKey, settle: settleReplayKey };

/** @throws {Error} naming the law that was broken */
export function runInterleaving(plan: readonly Attempt[], { claim, settle }: Mechanism = mechanism): Tally {
  const tally: Tally = { dispatched: 0, collected: 0, replayed: 0, refused: 0, settled: 0, lateEnds: 0 };
  let record: ReplayRecord<string> | undefined;
  let settledAt = Number.NEGATIVE_INFINITY;
  let inFlight: string | undefined;
  /** Body and bytes of the answer that the key stands for. */
  let answer: { readonly body: string; readonly bytes: string } | undefined;

  const insist = (holds: boolean, law: string): void => {
    if (!holds) throw new Error(`${law}; record ${JSON.stringify(record)}`);
  };

  const steps: { at: number; run: () => void }[] = [];
  const schedule = (at: number, run: () => void): void => {
    const later = steps.findIndex((step) => step.at > at);
    steps.splice(later === -1 ? steps.length : later, 0, { at, run });
  };

  plan.forEach((attempt, index) => {
    const fence = `attempt ${index}`;
    const bytes = `answer of ${fence}`;

    const end = (now: number, left: boolean): void => {
      const owned = inFlight === fence;
      const before = record;
      record = settle(
        replayPolicy,
        record,
        { fence, now },
        left
          ? { ended: 'dropped' }
          : {
              ended: 'answered',
              status: attempt.status,
              marked: attempt.marked,
              delivery: attempt.fate === 'short' ? 'short' : 'delivered',
              copy: attempt.fate === 'no-copy' ? undefined : bytes,
            },
      );
      if (!owned) {
        tally.lateEnds += 1;
        insist(record === before, 'a late end of an old attempt never changes a newer record');
        return;
      }
      inFlight = undefined;
      if (record?.state === 'recorded' || record?.state === 'consumed') {
        insist(now - settledAt >= 24 * hour, 'a key is settled at most once in its window');
        settledAt = now;
        tally.settled += 1;
        answer = { body: attempt.body, bytes };
      }
    };

    schedule(attempt.arrivesAt, () => {
      const now = attempt.arrivesAt;
      const decision = claim(replayPolicy, record, { bodyHash: attempt.body, fence, now });
      if (decision.action === 'replay') {
        tally.replayed += 1;
        insist(decision.response === answer?.bytes, 'a replay is the recorded bytes');
        insist(attempt.body === answer?.body, 'a replay answers the body that was recorded');
        insist(now - settledAt < 24 * hour, 'a replay stands in its window');
        return;
      }
      if (decision.action === 'refuse') {
        tally.refused += 1;
        insist(
          decision.retryAfter === (decision.reason === 'in-flight'),
          'only a call in flight is waited for',
        );
        return;
      }
      insist(inFlight === undefined, 'never two attempts in flight');
      insist(now - settledAt >= 24 * hour, 'a settled key does not run again in its window');
      inFlight = fence;
      record = decision.record;
      tally[decision.action === 'collect' ? 'collected' : 'dispatched'] += 1;
      if (attempt.leavesAfter !== undefined && attempt.leavesAfter < attempt.takes) {
        const leavesAt = now + attempt.leavesAfter;
        schedule(leavesAt, () => end(leavesAt, true));
      }
      const endsAt = now + attempt.takes;
      schedule(endsAt, () => end(endsAt, false));
    });
  });

  for (let step = steps.shift(); step !== undefined; step = steps.shift()) step.run();
  insist(inFlight === undefined, 'every attempt ends');
  return tally;
}
