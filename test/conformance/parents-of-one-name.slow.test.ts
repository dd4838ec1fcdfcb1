import { expect, test } from 'vitest';
import { isBroken, selfTest } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { listDeviations } from '../../mock/index.ts';
import { clubsContract } from '../mock/clubs.ts';

const contract = await clubsContract();

test('the mock of members with a path of their own raises no alarm, and each rule is exercised', async () => {
  const report = await judgeOf(contract, undefined)([]);
  expect(report.rules.filter(isBroken).map(({ id }) => id)).toEqual([]);
  expect(report.rules.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id)).toEqual([]);
});

test('each deviation of the members and their teams is caught by its rule', async () => {
  const { kills } = await selfTest(listDeviations([contract]), judgeOf(contract, undefined));
  expect(kills.length).toBeGreaterThan(20);
  expect(
    kills
      .filter(({ outcome }) => outcome !== 'caught')
      .map(({ deviation, outcome, strays }) => [deviation.id, outcome, strays]),
  ).toEqual([]);
});
