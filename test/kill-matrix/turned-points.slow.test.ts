// @module-tag long
import { expect, test } from 'vitest';
import { alarmsOf, allTurned, combinationOf, ownTurns, settingsOf, turnName } from './turned-points.ts';

const turns = await ownTurns();

test.each(turns.map((turn) => [turnName(turn), turn] as const))(
  'the suite raises no alarm about a mock that makes another legal choice: %s',
  async (_name, turn) => {
    for (const setting of settingsOf([turn])) expect((await alarmsOf(setting, [turn])).alarms).toEqual([]);
  },
);

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
