import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderRulesPage, rulesPagePath } from '../../scripts/rules-page.ts';

test('docs/rules.md is what the sheets, the probes and the deviations say today', async () => {
  // Stale? npm run docs:rules
  expect(readFileSync(rulesPagePath, 'utf8')).toBe(await renderRulesPage());
});

test('every cell of the router says something, and none admits a gap', async () => {
  const rows = (await renderRulesPage()).split('\n').filter((line) => line.startsWith('| `router.'));
  expect(rows.length).toBe(170);
  for (const row of rows) {
    expect(row).not.toMatch(/\| *\|/);
    expect(row).not.toMatch(/ yet \|/);
  }
});
