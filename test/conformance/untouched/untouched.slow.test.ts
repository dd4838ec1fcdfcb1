// @module-tag long
import { test } from 'vitest';
import { samples } from './documents/index.ts';
import { keepsTheLaw } from './keeps-the-law.ts';
import { caseOf } from './law.ts';

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);

test.each(samples.map((sample) => [sample.name, sample] as const))(
  '%s: what a run does not list is as before, for 50 seeds',
  async (_, sample) => {
    await keepsTheLaw(await caseOf(sample), SEEDS);
  },
);
