// @module-tag long
import { expect, test } from 'vitest';
import { randomExchanges } from './random/exchanges.ts';

const seeds = [2, 6].map((seed) => seed + Number(process.env['TALLYSTICK_SEED'] ?? 0));

test.each(seeds)(
  'what a generated client and server of a random document tell each other arrives as it was given, seed %i',
  async (seed) => {
    const { calls, errors, faults } = await randomExchanges({ operations: 40, callsEach: 4, seed });
    expect(faults).toStrictEqual([]);
    expect(calls).toBe(160);
    expect(errors).toBeGreaterThan(20);
  },
);
