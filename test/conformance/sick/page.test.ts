import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { illnesses } from './illnesses.ts';
import { constantCells, pageFile } from './page.ts';

test('docs/sick-servers.md has every sick server with its exit code and the kind of its first finding', () => {
  const rows = readFileSync(pageFile, 'utf8')
    .split('\n')
    .filter((line) => /^\| .* \| \d \|/.test(line));
  expect(rows).toHaveLength(illnesses.length);
  for (const { name, exit, finding } of illnesses) {
    const cells = constantCells({ name, exit, finding: finding?.kind ?? 'none' });
    expect(
      rows.some((row) => row.replace(/ +/g, ' ').startsWith(cells)),
      cells,
    ).toBe(true);
  }
});
