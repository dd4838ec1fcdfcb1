import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairsIn, pairsOf, pairwise, valuesFirst } from '../../conformance/explore/pairs.ts';
import { seededRandom } from '../../conformance/schemas/seed.ts';

const factors = fc.dictionary(
  fc.stringMatching(/^[a-d]$/),
  fc.uniqueArray(fc.stringMatching(/^[p-z]$/), { minLength: 1, maxLength: 5 }),
  { minKeys: 1, maxKeys: 4 },
);

test('any two values of two factors are combined, and each value belongs to its factor', () => {
  fc.assert(
    fc.property(factors, fc.nat(), (all, seed) => {
      const rows = pairwise(all, seededRandom(String(seed)));
      const met = new Set(rows.flatMap(pairsIn));
      expect(pairsOf(all).filter((pair) => !met.has(pair))).toEqual([]);
      for (const row of rows)
        expect(Object.entries(row).every(([name, value]) => all[name]?.includes(value))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('pairs take far fewer rows than all combinations', () => {
  const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, ['1', '2', '3', '4']]));
  const rows = pairwise(many, seededRandom('pairs'));
  expect(rows.length).toBeGreaterThanOrEqual(16);
  expect(rows.length).toBeLessThan(40);
});

test('one seed gives the same rows, another one other rows', () => {
  const all = { a: ['1', '2', '3'], b: ['1', '2', '3'], c: ['1', '2'] };
  expect(pairwise(all, seededRandom('7'))).toEqual(pairwise(all, seededRandom('7')));
  expect(pairwise(all, seededRandom('7'))).not.toEqual(pairwise(all, seededRandom('8')));
});

test('every value occurs once before one is repeated', () => {
  const rows = valuesFirst([
    { a: '1', b: '1' },
    { a: '1', b: '2' },
    { a: '2', b: '1' },
    { a: '2', b: '2' },
  ]);
  expect(rows.slice(0, 2)).toEqual([
    { a: '1', b: '1' },
    { a: '2', b: '2' },
  ]);
  expect(rows).toHaveLength(4);
});
