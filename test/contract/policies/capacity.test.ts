import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  admitCall,
  admitThing,
  countsThing,
  nothingHeld,
  releaseCall,
} from '../../../contract/policies/capacity.ts';
import type { Admission, CapacityBounds, HeldCapacity } from '../../../contract/policies/capacity.ts';

const spend = (limit: number, current: number, remaining: number): Admission => ({
  admitted: false,
  bound: 'spend',
  spend: { limit, current, remaining },
});

test.each<[string, HeldCapacity, CapacityBounds, number, Admission]>([
  [
    'without bounds everything runs',
    { calls: 999, cents: 999 },
    {},
    999,
    { admitted: true, held: { calls: 1_000, cents: 1_998 } },
  ],
  [
    'up to the bound of calls',
    { calls: 1, cents: 0 },
    { calls: 2 },
    5,
    { admitted: true, held: { calls: 2, cents: 5 } },
  ],
  [
    'router.run.429-bucket: at the bound of calls',
    { calls: 2, cents: 0 },
    { calls: 2 },
    0,
    { admitted: false, bound: 'calls' },
  ],
  ['a bound of no calls', nothingHeld, { calls: 0 }, 0, { admitted: false, bound: 'calls' }],
  [
    'up to the bound of spend',
    { calls: 3, cents: 60 },
    { cents: 100 },
    40,
    { admitted: true, held: { calls: 4, cents: 100 } },
  ],
  [
    'router.run.429-spend-headers: over the bound of spend',
    { calls: 3, cents: 60 },
    { cents: 100 },
    41,
    spend(100, 60, 40),
  ],
  ['what remains is never below zero', { calls: 3, cents: 160 }, { cents: 100 }, 1, spend(100, 160, 0)],
  ['a call dearer than the whole bound', nothingHeld, { cents: 100 }, 101, spend(100, 0, 100)],
  [
    'both bounds hit: the calls are named',
    { calls: 2, cents: 100 },
    { calls: 2, cents: 100 },
    1,
    { admitted: false, bound: 'calls' },
  ],
])('%s', (_, held, bounds, cents, want) => {
  expect(admitCall(held, bounds, cents)).toStrictEqual(want);
});

test('no bound is ever exceeded and no capacity is leaked, for any sequence of calls', () => {
  const step = fc.record({ cents: fc.nat(60), ends: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step), fc.nat(4), fc.nat(120), (steps, calls, cents) => {
      let held = nothingHeld;
      const running: number[] = [];
      for (const { cents: cost, ends } of steps) {
        const admission = admitCall(held, { calls, cents }, cost);
        if (admission.admitted) {
          held = admission.held;
          running.push(cost);
        }
        if (ends) {
          const ended = running.shift();
          if (ended !== undefined) held = releaseCall(held, ended);
        }
        expect(held.calls).toBeLessThanOrEqual(calls);
        expect(held.cents).toBeLessThanOrEqual(cents);
      }
      for (const cost of running) held = releaseCall(held, cost);
      expect(held).toStrictEqual(nothingHeld);
    }),
  );
});

test.each<[string, number, boolean]>([
  ['below the bound', 7, true],
  ['at the bound', 8, false],
  ['beyond it, as things of earlier times may be', 9, false],
])('another thing, %s', (_, existing, isAdmitted) => {
  expect(admitThing(existing, { most: 8 })).toBe(isAdmitted);
});

test.each<[readonly string[] | undefined, unknown, boolean]>([
  [undefined, undefined, true],
  [undefined, 'done', true],
  [['requested'], 'requested', true],
  [['requested'], 'done', false],
  [['requested'], undefined, false],
])('where states %j count, a thing in the state %j: %j', (states, state, counts) => {
  expect(countsThing({ most: 8, ...(states === undefined ? {} : { states }) }, state)).toBe(counts);
});
