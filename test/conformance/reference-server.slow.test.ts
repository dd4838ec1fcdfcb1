// @module-tag long
import { expect, test } from 'vitest';
import { judgeReferenceServer } from './honest-servers.ts';

test('a server on the generated stubs breaks no rule of router and jobs', async () => {
  const { report, findings } = await judgeReferenceServer();
  const bad = report.rules
    .filter(({ verdict }) => ['fail', 'warn', 'error', 'inconclusive'].includes(verdict))
    .map(({ id, observed, reason }) => `${id}: ${observed ?? reason}`);
  expect(bad).toEqual([]);
  // It serves no partner route; everything else is exercised.
  const left = report.rules.filter(({ verdict }) => verdict === 'not-exercised').map(({ id }) => id);
  expect(left).toEqual(['router.proxy.same-credential']);
  expect(findings).toEqual([]);
  expect(report.summary.pass).toBeGreaterThan(200);
});
