import fc from 'fast-check';
import { expect, test } from 'vitest';

import { attempts, mechanism, runInterleaving } from './replay-interleavings.ts';
import type { Mechanism, Tally } from './replay-interleavings.ts';

test('one attempt at most settles a key in its window, over random interleavings (router.idem.race-one-winner)', () => {
  const seen: Tally = { dispatched: 0, collected: 0, replayed: 0, refused: 0, settled: 0, lateEnds: 0 };
  fc.assert(
    fc.property(attempts, (plan) => {
      const tally = runInterleaving(plan);
      for (const key of Object.keys(seen) as (keyof Tally)[]) seen[key] += tally[key];
    }),
    { numRuns: 1_000 },
  );
  // A law that is never put to the test proves nothing: each kind of step must have happened, often.
  for (const [step, times] of Object.entries(seen)) expect(times, step).toBeGreaterThan(50);
});

const broken: readonly [string, string, Mechanism][] = [
  [
    'forgets who owns the key',
    'a late end of an old attempt never changes a newer record',
    {
      ...mechanism,
      settle: (policy, record, attempt, outcome) =>
        mechanism.settle(
          policy,
          record?.state === 'in-flight' ? { ...record, fence: attempt.fence } : record,
          attempt,
          outcome,
        ),
    },
  ],
  [
    'frees the key when the answer fell short',
    'never two attempts|settled key does not run again|settled at most once',
    {
      claim: (policy, record, claim) =>
        mechanism.claim(policy, record?.state === 'consumed' ? undefined : record, claim),
      settle: mechanism.settle,
    },
  ],
  [
    'lets a second call run beside the first',
    'never two attempts in flight',
    {
      ...mechanism,
      claim: (policy, record, claim) =>
        mechanism.claim(policy, record?.state === 'in-flight' ? undefined : record, claim),
    },
  ],
  [
    'replays to another body',
    'a replay answers the body that was recorded',
    {
      ...mechanism,
      claim: (policy, record, claim) =>
        mechanism.claim(policy, record, { ...claim, bodyHash: record?.bodyHash ?? claim.bodyHash }),
    },
  ],
];

test.each(broken)('the laws catch a mechanism that %s', (_, law, mutant) => {
  const property = fc.property(attempts, (plan) => void runInterleaving(plan, mutant));
  const { errorInstance } = fc.check(property, { numRuns: 1_000 });
  expect(String(errorInstance)).toMatch(new RegExp(law));
});
