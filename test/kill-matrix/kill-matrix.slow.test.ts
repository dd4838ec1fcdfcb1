// @module-tag long
import { expect, test } from 'vitest';
import { deviationsOf, killAll } from './matrix.ts';

test.each(['router', 'registry', 'jobs'])(
  'each deviation of %s fails its rule and no undeclared rule',
  async (api) => {
    const deviations = deviationsOf(api);
    const kills = [];
    for await (const kill of killAll(deviations, 'quick')) kills.push(kill);
    expect(kills).toHaveLength(deviations.length);
    // Some rules fail along only where the calls of other scenarios are in flight: `idle` is for the full run.
    for (const kill of kills)
      expect.soft(kill, kill.deviation.id).toMatchObject({ killed: true, strays: [], mute: false });
  },
  // Hundreds of runs: a slow machine may take several minutes.
  900_000,
);
