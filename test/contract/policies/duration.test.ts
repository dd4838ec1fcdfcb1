import { expect, test } from 'vitest';

import { durationMs } from '../../../contract/policies/duration.ts';

test.each([
  ['PT24H', 86_400_000],
  ['P1D', 86_400_000],
  ['PT10M', 600_000],
  ['PT0S', 0],
  ['PT1.5S', 1_500],
  ['PT2.3S', 2_300],
  ['PT0.001S', 1],
  ['P1DT2H3M4S', 93_784_000],
])('%s is %d ms', (text, want) => {
  expect(durationMs(text)).toBe(want);
});

test.each([
  [''],
  ['P'],
  ['PT'],
  ['P1DT'],
  ['24H'],
  ['PT24h'],
  ['P1Y'],
  ['P1M'],
  ['PT-1S'],
  ['PT1,5S'],
  ['PT1.S'],
  [' PT1S'],
  ['PT1S\n'],
  ['P99999999999999D'],
])('%j is not a duration', (text) => {
  expect(() => durationMs(text)).toThrow(RangeError);
});
