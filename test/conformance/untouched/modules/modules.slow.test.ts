// @module-tag long
import { expect, test } from 'vitest';
import { innocents } from '../../../kill-matrix/innocent-runs.ts';
import { judge } from './law.ts';

test.each(innocents)(
  '$name: what was there before a run is as before, for five seeds',
  async ({ setting }) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { report, made, breaches } = await judge(setting, seed);
      expect(report.status).toBe('judged');
      expect(breaches, `seed ${String(seed)}`).toEqual([]);
      expect(made.length).toBeGreaterThan(20);
    }
  },
);
