import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted } from './servers.ts';
import { DOCUMENT, SHEET, tables, type Fault } from './tables.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await own('tables', DOCUMENT, SHEET);
});

async function brokenBy(fault?: Fault): Promise<readonly string[]> {
  const { transport } = scripted(tables(fault));
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://tables.localhost',
    allow: ['negatives', 'writes'],
    rules: ['resource.*', 'uniqueness.*', 'error-codes.*', 'conditional-write.*', 'lifecycle.*'],
    clock: virtualClock(),
    transport,
  });
  return report.rules.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
}

test('the suite accepts a server that ignores unknown members of a patch', async () => {
  expect(await brokenBy()).toEqual([]);
});

test.each<readonly [Fault, string]>([
  ['own reference refused', 'uniqueness.replaceTable.taken'],
  ['reference of another taken', 'uniqueness.replaceTable.taken'],
  ['only the last reference known', 'uniqueness.addTable.taken'],
  ['address of nothing', 'resource.tables.created'],
  ['tag of before', 'conditional-write.changeTable.changed'],
  ['state skipped', 'lifecycle.Table.transitions'],
  ['state reset', 'lifecycle.Table.transitions'],
  ['labels replaced', 'resource.tables.patched'],
  ['unknown table called', 'resource.tables.missing'],
  ['another status in the error', 'error-codes.shape'],
])('of a server of tables, the suite notices: %s', async (fault, rule) => {
  expect(await brokenBy(fault)).toContain(rule);
});
