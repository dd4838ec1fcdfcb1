import { expect, test } from 'vitest';
import { judgeMock } from '../kill-matrix/matrix.ts';

test('a scenario that only looks for breaks of a rule leaves it open to the scenarios that decide it', async () => {
  // Calls that end at once never reach the bound: the scenario of the bound decides nothing.
  const report = await judgeMock(
    {
      apis: ['router'],
      fixtures: (fixtures) => ({ ...fixtures, concurrency: { bound: 1, id: 'mock/ok', input: {} } }),
    },
    [],
    ['router.idem.replay'],
  );
  expect(report.findings.map(({ about }) => about)).toContain('concurrency.bound');
  expect(report.rules).toMatchObject([{ id: 'router.idem.replay', verdict: 'pass' }]);
});
