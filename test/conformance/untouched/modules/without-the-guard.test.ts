import { afterAll, beforeAll, expect, test } from 'vitest';
import { suitesOf } from '../../../../conformance/suites.ts';
import { loadOwnContract, ownContractNames } from '../../../../contract/index.ts';
import { jobsOn } from '../../../kill-matrix/settings.ts';
import { judge } from './law.ts';

const guards = suitesOf(await Promise.all(ownContractNames.map((api) => loadOwnContract(api)))).map(
  (suite) => [suite, suite.writes] as const,
);

// What the modules say about their writes is all that guards a server.
beforeAll(() => {
  for (const [suite] of guards) Object.assign(suite, { writes: undefined });
});
afterAll(() => {
  for (const [suite, writes] of guards) Object.assign(suite, { writes });
});

test.each([
  ['registry', { apis: ['registry'] }, 'registry.publish.semver-forms'],
  ['jobs', jobsOn({ surface: 'cloud' }), 'jobs.submit.201'],
] as const)('%s: without the guard, the law is broken', async (_, setting, rule) => {
  const { breaches } = await judge(setting, 1, { rules: [rule], fuzz: 0, explore: 0 });
  expect(breaches.length).toBeGreaterThan(0);
});
