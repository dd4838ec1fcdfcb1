import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rulesDocument, rulesFile } from './rules-document.ts';

test('docs/rules.md is what the sheets, probes and deviations make of it (npx tsx test/kill-matrix/rules-document.ts)', async () => {
  expect(readFileSync(rulesFile, 'utf8')).toBe(await rulesDocument());
});

test('docs/rules.md has no empty cell', async () => {
  const rows = (await rulesDocument()).split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(300);
  for (const row of rows) {
    const cells = row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    expect(cells, row).toHaveLength(7);
    expect(
      cells.every((cell) => cell !== ''),
      row,
    ).toBe(true);
  }
});
