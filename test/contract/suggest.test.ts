import { expect, test } from 'vitest';
import { suggest } from '../../contract/index.ts';

const cases: readonly (readonly [
  string,
  { given: readonly [string, readonly string[]]; want: string | undefined },
])[] = [
  ['a letter too many', { given: ['listModelss', ['getModel', 'listModels']], want: 'listModels' }],
  ['a letter too few', { given: ['idempotncy', ['idempotency']], want: 'idempotency' }],
  ['two letters swapped', { given: ['prot', ['port', 'part']], want: 'port' }],
  ['another case', { given: ['RUNMODEL', ['runModel']], want: 'runModel' }],
  ['the nearest of several', { given: ['limits', ['limit', 'limited']], want: 'limit' }],
  ['a word of its own', { given: ['cursor', ['limit', 'offset']], want: undefined }],
  ['a short word with another letter', { given: ['ab', ['ax']], want: undefined }],
  ['no candidates', { given: ['limit', []], want: undefined }],
];

test.each(cases)('did you mean: %s', (_, { given: [word, candidates], want }) => {
  expect(suggest(word, candidates)).toBe(want);
});

test('names of a megabyte are compared quickly, by their beginnings', () => {
  const long = 'a'.repeat(1e6);
  expect(
    suggest(
      `${long}x`,
      Array.from({ length: 1000 }, () => long),
    ),
  ).toBe(long);
});
