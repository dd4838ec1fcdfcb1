import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { rulesDocument, rulesFile } from './rules-document.ts';

test('docs/rules.md is what the sheets, probes and deviations make of it (npm run docs)', async () => {
  expect(readFileSync(rulesFile, 'utf8')).toBe(await rulesDocument());
});

test('docs/rules.md has a row for each rule, and no empty cell', async () => {
  const contracts = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
  const ids = contracts.flatMap(({ sheet }) => (sheet?.rules ?? []).map(({ id }) => id));
  const rows = (await rulesDocument()).split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1])).toStrictEqual(ids);
  for (const row of rows) {
    const cells = row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    expect(cells, row).toHaveLength(7);
    expect(cells, row).not.toContain('');
  }
});
