// @module-tag long
import { expect, test } from 'vitest';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { selfTest } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import { createMock, listDeviations } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { shelvesContract } from '../mock/shelves.ts';

/** Shelves that a PUT creates, with holds below them that a call settles. */
const contract = await shelvesContract();

test('probes of nested resources use a parent that a PUT creates', async () => {
  const mock = createMock({ contracts: [contract] });
  await mock.ready();
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    rules: ['resource.*', 'lifecycle.*'],
    transport: inProcess(mock.handle),
  });
  mock.close();
  expect(report.findings).toEqual([]);
  expect(report.rules.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(report.rules.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      ...['resource.shelves.upsert', 'resource.shelves.deleted', 'resource.holds.listed'],
      ...['resource.holds.missing', 'lifecycle.Hold.refused'],
    ]),
  );
});

test.each([
  'resource.holds.listed~another-value',
  'resource.holds.listed~of-all-parents',
  'resource.holds.missing~through-another-parent',
  'lifecycle.Hold.refused~another-status',
])('the suite detects %s', async (id) => {
  const chosen = listDeviations([contract]).filter((one) => one.id === id);
  expect(chosen).toHaveLength(1);
  const { kills } = await selfTest(chosen, judgeOf(contract, undefined));
  expect(kills.map(({ outcome, strays }) => [outcome, strays])).toEqual([['caught', []]]);
});
