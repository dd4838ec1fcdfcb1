// @module-tag long
import { expect, test } from 'vitest';
import { legal, lostInSilence } from './lost-rules.ts';
import { sicknesses } from './sick-answers.ts';

test.each(sicknesses.map((one) => [one.name, one] as const))(
  'no rule gets lost in silence on a server where: %s',
  async (name, sickness) => {
    const lost = await lostInSilence(sickness);
    if (name in legal) expect(lost).not.toEqual([]);
    else expect(lost).toEqual([]);
  },
);
