import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listDeviations } from '../../mock/index.ts';
import { matrixFile } from './matrix-document.ts';
import { settingFor } from './settings.ts';

/** The page takes a run of everything; what it lists can be looked at without one. */
test('docs/kill-matrix.md tells of every deviation and its companions, and of no survivor (npm run kill-matrix -- --full)', () => {
  const rows = readFileSync(matrixFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ (?<!\\)\| /)
        .map((cell) => cell.replaceAll('\\|', '|')),
    )
    .filter((cells) => cells.length === 5);
  const told = rows.map(([rule, variant, setting, verdict, along = '']) => {
    const companions = [...along.matchAll(/(?:^|; )`([\w.-]+)` /g)].map((match) => match[1]);
    return {
      id: [rule, variant].join('~').replaceAll('`', ''),
      setting,
      verdict,
      companions: companions.sort(),
    };
  });
  expect(told.filter(({ verdict }) => verdict !== 'fail' && verdict !== 'warn')).toEqual([]);
  const listed = listDeviations().map((deviation) => ({
    id: deviation.id,
    setting: settingFor(deviation).name,
    companions: deviation.alsoFails.map(({ rule }) => rule).sort(),
  }));
  const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
    one.id.localeCompare(other.id);
  expect(told.map(({ id, setting, companions }) => ({ id, setting, companions })).sort(byId)).toEqual(
    listed.sort(byId),
  );
});
