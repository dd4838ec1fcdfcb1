import { expect, test } from 'vitest';
import { legal, lostInSilence } from './lost-rules.ts';
import { sicknesses } from './sick-answers.ts';

// The others are in lost-rules.slow.test.ts.
test.each(['events: no event preview'])('no rule goes unreported on a server where: %s', async (name) => {
  const sickness = sicknesses.find((one) => one.name === name);
  expect(sickness).toBeDefined();
  if (sickness !== undefined) expect(await lostInSilence(sickness)).toEqual([]);
});

test('sicknesses have names of their own, and each excuse is for one of them', () => {
  const names = sicknesses.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(legal).filter((name) => !names.includes(name))).toEqual([]);
});
