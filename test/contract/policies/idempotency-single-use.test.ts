import fc from 'fast-check';
import { expect, test } from 'vitest';

import { claimSingleUseKey, settleSingleUseKey } from '../../../contract/policies/idempotency-single-use.ts';
import type {
  SingleUseDecision,
  SingleUsePolicy,
  SingleUseRecord,
  SubmissionEnd,
} from '../../../contract/policies/idempotency-single-use.ts';
import { hour } from './replay-policy.ts';

const policy: SingleUsePolicy = {
  kind: 'idempotency',
  mode: 'single-use',
  operations: ['submitJob'],
  requestHeader: 'Idempotency-Key',
  window: 'PT24H',
  reuse: { status: 422, code: 'idempotency_key_reuse' },
};
const now = 1_000 * hour;
const record = (state: SingleUseRecord['state'], expiresAt = now + 1): SingleUseRecord => ({
  state,
  fence: 'one',
  expiresAt,
});
const reuse: SingleUseDecision = { action: 'refuse', status: 422, code: 'idempotency_key_reuse' };
const submit: SingleUseDecision = {
  action: 'submit',
  record: { state: 'submitting', fence: 'two', expiresAt: now + 24 * hour },
};

test.each<[string, SingleUseRecord | undefined, SingleUseDecision]>([
  ['a fresh key submits', undefined, submit],
  ['jobs.idem.duplicate-422: a claimed key is refused', record('claimed'), reuse],
  ['jobs.idem.concurrent-one-201: a key whose submission runs is refused', record('submitting'), reuse],
  ['a submission that runs longer than the window keeps its key', record('submitting', now - hour), reuse],
  ['jobs.idem.expires-24h: a key is good again', record('claimed', now), submit],
])('claim: %s', (_, known, want) => {
  expect(claimSingleUseKey(policy, known, { fence: 'two', now })).toStrictEqual(want);
});

test.each<[string, SubmissionEnd, SingleUseRecord | undefined]>([
  ['a job exists: the key stays claimed', 'created', record('claimed')],
  ['jobs.idem.release-on-validation: surely no job, so the key is free', 'refused', undefined],
  [
    'jobs.idem.unknown-outcome-claimed: perhaps a job, so the key stays claimed',
    'unknown',
    record('claimed'),
  ],
])('settle: %s', (_, end, want) => {
  expect(settleSingleUseKey(record('submitting'), 'one', end)).toStrictEqual(want);
});

test('a request that was itself refused for reuse does not free the key', () => {
  for (const known of [record('submitting'), record('claimed'), undefined]) {
    for (const end of ['created', 'refused', 'unknown'] as const) {
      expect(settleSingleUseKey(known, 'two', end)).toBe(known);
    }
  }
});

test('the owner settles once: a second end changes nothing', () => {
  const claimed = settleSingleUseKey(record('submitting'), 'one', 'created');
  expect(settleSingleUseKey(claimed, 'one', 'refused')).toBe(claimed);
});

test('over random interleavings a key makes at most one job in its window', () => {
  const attempt = fc.record({
    arrivesAt: fc.nat(60 * hour),
    takes: fc.oneof(fc.nat(10), fc.nat(30 * hour)),
    end: fc.constantFrom<SubmissionEnd>('created', 'created', 'refused', 'unknown'),
  });
  let jobs = 0;
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 2, maxLength: 12 }), (attempts) => {
      let known: SingleUseRecord | undefined;
      let claimedAt = Number.NEGATIVE_INFINITY;
      const ends: { at: number; settle: () => void }[] = [];
      const settleUntil = (at: number): void => {
        ends.sort((left, right) => left.at - right.at);
        while (ends[0] !== undefined && ends[0].at <= at) ends.shift()?.settle();
      };
      attempts.sort((left, right) => left.arrivesAt - right.arrivesAt);
      attempts.forEach(({ arrivesAt, takes, end }, index) => {
        settleUntil(arrivesAt);
        const decision = claimSingleUseKey(policy, known, { fence: String(index), now: arrivesAt });
        if (decision.action === 'refuse') return;
        expect(ends).toHaveLength(0);
        expect(arrivesAt - claimedAt).toBeGreaterThanOrEqual(24 * hour);
        known = decision.record;
        ends.push({
          at: arrivesAt + takes,
          settle: () => {
            known = settleSingleUseKey(known, String(index), end);
            if (known !== undefined) {
              claimedAt = arrivesAt;
              jobs += 1;
            }
          },
        });
      });
      settleUntil(Infinity);
    }),
  );
  expect(jobs).toBeGreaterThan(50);
});
