// @module-tag long
import { expect, test } from 'vitest';
import { deviationsOf, killAll } from './matrix.ts';

test.each(['router', 'registry', 'jobs'])(
  'each deviation of %s turns its rule red, and with it all that it declares',
  async (api) => {
    const deviations = deviationsOf(api);
    const kills = [];
    for await (const kill of killAll(deviations, 'quick')) kills.push(kill);
    expect(kills).toHaveLength(deviations.length);
    for (const kill of kills)
      expect.soft(kill, kill.deviation.id).toMatchObject({ killed: true, strays: [], idle: [], mute: false });
  },
);
