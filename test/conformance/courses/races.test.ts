import { expect, test } from 'vitest';
import { desk, deskContract } from './desk.ts';
import { RACES } from './races.ts';
import { brokenIn, searched } from './searched.ts';

test.each(RACES)('calls at once find what the desk does wrong: %s', async (fault, unsaid, finding) => {
  const contract = await deskContract(unsaid);
  const report = await searched(contract, (clock) => desk(clock, fault), { seed: 1 });
  expect(brokenIn(report)).toEqual(expect.arrayContaining([expect.stringMatching(finding)]));
});

test('an honest desk whose sheet says less has no alarm', async () => {
  const contract = await deskContract({ isRefusalUnsaid: true, isNameUnsaid: true });
  expect(brokenIn(await searched(contract, desk, { seed: 4 }))).toEqual([]);
});
