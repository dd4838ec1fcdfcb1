// @module-tag long
import { expect, test } from 'vitest';
import { legal, lostInSilence } from './lost-rules.ts';
import { sicknesses } from './sick-answers.ts';

/** On it, most rules have no exchange. */
const LONGEST = 'schema: no paths.*.post.requestBody';

// `npm run soak -- lost-rules` tries all of them.
const tried = sicknesses.filter(({ name }, index) => index % 3 === 0 || name in legal || name === LONGEST);

test.each(tried.map((one) => [one.name, one] as const))(
  'no rule goes unreported on a server where: %s',
  async (name, sickness) => {
    const lost = await lostInSilence(sickness);
    if (name in legal) expect(lost).not.toEqual([]);
    else expect(lost).toEqual([]);
  },
);
