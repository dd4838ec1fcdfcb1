// @module-tag long
import { expect, test } from 'vitest';
import { alarmsIn, innocents, judgeInnocent } from './innocent-runs.ts';

/** `npm run soak -- clean-runs` tries twenty. */
const SEEDS = [1, 2];

test.each(innocents.flatMap(({ name, setting }) => SEEDS.map((seed) => [name, seed, setting] as const)))(
  'no rule is held against an innocent server behind a slow line: %s, seed %i',
  async (_name, seed, setting) => {
    expect(alarmsIn(await judgeInnocent(setting, seed))).toEqual([]);
  },
);
