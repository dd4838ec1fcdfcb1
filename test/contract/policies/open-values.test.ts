import { expect, test } from 'vitest';

import { mightBe, readOpenValue } from '../../../contract/policies/open-values.ts';
import { rolloutStatus } from '../../../contract/policies/rollout.ts';

const charges = { known: ['yes', 'no', 'unknown'], unknownReadsAs: 'unknown', negative: ['no'] };

test.each<[unknown, string, boolean, string]>([
  ['yes', 'yes', true, 'a plain yes'],
  ['no', 'no', false, 'router.detail.policy-charge-truthiness'],
  ['unknown', 'unknown', true, 'router.detail.unknown-might-charge'],
  ['partial', 'unknown', true, 'router.detail.policy-charge-open'],
  ['No', 'unknown', true, 'another case is another value'],
  ['', 'unknown', true, 'no text'],
  [false, 'unknown', true, 'not the truth of a value'],
  [true, 'unknown', true, 'not the truth of a value'],
  [undefined, 'unknown', true, 'missing'],
  [null, 'unknown', true, 'null'],
])('%j reads as %s and might charge: %s (%s)', (value, reads, might) => {
  expect(readOpenValue(charges, value)).toBe(reads);
  expect(mightBe(charges, value)).toBe(might);
});

test.each([
  [false, true, 404],
  [false, false, undefined],
  [true, true, undefined],
  [true, false, undefined],
])('router.availability.served: served %s, authenticated %s: %s', (served, authenticated, want) => {
  expect(rolloutStatus({ kind: 'rollout', status: 404 }, { served, authenticated })).toBe(want);
});
