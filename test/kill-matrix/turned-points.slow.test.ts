// @module-tag long
import { expect, test } from 'vitest';
import { alarmsOf, allTurned, combinationOf, ownTurns, settingsOf, turnName } from './turned-points.ts';

// `npm run soak -- open-points` turns each value by itself as well, and more combinations.
const turns = await ownTurns();

test.each(allTurned(turns).map((chosen, index) => [index + 1, chosen] as const))(
  'the suite raises no alarm about a mock that makes every choice otherwise: %i',
  async (_number, chosen) => {
    for (const setting of settingsOf(chosen)) expect((await alarmsOf(setting, chosen)).alarms).toEqual([]);
  },
);

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  'the suite raises no alarm about a mock that makes many other legal choices: seed %i',
  async (seed) => {
    const chosen = combinationOf(turns, seed);
    for (const setting of settingsOf(chosen))
      expect((await alarmsOf(setting, chosen)).alarms, chosen.map(turnName).join('\n')).toEqual([]);
  },
);
