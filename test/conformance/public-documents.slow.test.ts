// @module-tag long
import { expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { loadContract } from '../../contract/index.ts';

test('of a large public document the suite tells the examples that its own schemas refuse, and nothing else', async () => {
  const loaded = await loadContract({ document: 'node_modules/@blockfrost/openapi/openapi.yaml' });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics.slice(0, 3)));
  const report = await judgeOf(loaded.contract, undefined)([]);
  // The mock answers with these examples: each lacks a member that is required, or has one of another type.
  expect(report.rules.filter(isBroken).map(({ id }) => id)).toEqual([
    'document.get_accounts_stake_address_utxos.answer',
    'document.get_addresses_address_utxos.answer',
    'document.get_addresses_address_utxos_asset.answer',
    'document.get_pools_extended.answer',
    'document.get_utils_addresses_xpub_xpub_role_index.answer',
  ]);
  expect(report.summary.pass).toBeGreaterThan(400);
  expect(report.summary.inconclusive).toBe(0);
}, 120_000);

test.each([
  ['galaxy.yaml', 25],
  ['parameters-style.json', 40],
  ['fulfillment.yaml', 20],
])(
  'of %s the mock keeps every schema: no alarm of the suite',
  async (document, passed) => {
    const loaded = await loadContract({ document, cwd: 'test/fixtures/public-documents' });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics.slice(0, 3)));
    const { rules, summary } = await judgeOf(loaded.contract, undefined)([]);
    expect(rules.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-exercised')).toStrictEqual(
      [],
    );
    expect(summary.pass).toBeGreaterThanOrEqual(passed);
  },
  60_000,
);
