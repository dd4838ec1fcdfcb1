// @module-tag long
import { expect, test } from 'vitest';
import { permissions, runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { asFixtures } from '../kill-matrix/matrix.ts';
import { address } from '../kill-matrix/settings.ts';

const contracts = [await loadOwnContract('registry')];

/** A run for each list of rules, one after the other on the same server, whose fixtures never change. */
async function runs(...filters: readonly (readonly string[])[]): Promise<readonly Report[]> {
  const clock = virtualClock();
  const mock = createMock({ apis: ['registry'], clock });
  await mock.ready();
  const { publish, ...own } = mock.fixtures() as { publish: object };
  const fixtures = asFixtures({ ...own, publish: { ...publish, nextVersion: '3.0.0' } });
  const reports: Report[] = [];
  for (const rules of filters)
    reports.push(
      await runConformance({
        contracts,
        baseUrl: address,
        fixtures,
        allow: permissions,
        transport: inProcess(mock.handle),
        clock,
        rules,
      }),
    );
  mock.close();
  return reports;
}

const bad = ({ rules, findings }: Report): readonly string[] => [
  ...findings.map(({ says }) => says),
  ...rules
    .filter(({ verdict }) => ['fail', 'warn', 'error', 'inconclusive'].includes(verdict))
    .map(({ id, verdict, observed, reason }) => `${id} ${verdict}: ${observed ?? reason ?? ''}`),
];

test('three runs with one nextVersion have the same verdicts and skip the numbers that earlier runs used', async () => {
  const reports = await runs([], [], []);
  expect(reports.map(bad)).toEqual([[], [], []]);
});

test.each([
  'registry.publish.201',
  'registry.publish.semver-forms',
  'registry.publish.enum-values',
  'registry.publish.version-unique-race',
  'registry.publish.version-unique-per-node',
])('%s is judged correctly although its first numbers are in use', async (rule) => {
  const [, second] = await runs([], [rule]);
  expect(second?.rules.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([`${rule} pass`]);
});
