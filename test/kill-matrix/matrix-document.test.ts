import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listDeviations } from '../../mock/index.ts';
import { matrixFile, matrixMisfits } from './matrix-document.ts';

test('docs/kill-matrix.md lists every deviation with its companions, and no survivor (npm run docs -- kill-matrix)', () => {
  expect(matrixMisfits()).toEqual([]);
});

const [first] = listDeviations().map(({ id }) => id);

test.each([
  ['without a row', (line: string) => (isRow(line, first) ? [] : [line]), `${first} is missing`],
  [
    'with a row that was not killed',
    (line: string) => (isRow(line, first) ? [line.replace(/\| (fail|warn) +\|/, '| pass |')] : [line]),
    `${first} survived: pass`,
  ],
  [
    'with a row of a deviation that is gone',
    (line: string) => (isRow(line, first) ? [line, line.replace('~', '').replace(/`/, '`old.')] : [line]),
    'does not exist any more',
  ],
])('a page %s is out of date', (_what, change, words) => {
  const page = readFileSync(matrixFile, 'utf8').split('\n').flatMap(change).join('\n');
  expect(matrixMisfits(page).filter((line) => !matrixMisfits().includes(line))).toEqual([
    expect.stringContaining(words),
  ]);
});

function isRow(line: string, id = ''): boolean {
  const [rule, variant] = id.split('~');
  return line.startsWith(`| \`${rule}\``) && line.includes(`| \`${variant}\` `);
}
