import { expect, test } from 'vitest';
import { sorted, sortKeyOf } from '../../../contract/policies/sorting.ts';

const members = ['name', 'made_at', '-odd'];

test.each([
  ['name', {}, 'name', false],
  ['-name', { descending: '-' }, 'name', true],
  ['name:desc', { descending: ':desc', ascending: ':asc' }, 'name', true],
  ['made_at:asc', { descending: ':desc', ascending: ':asc' }, 'made_at', false],
  ['-odd', { descending: '-' }, '-odd', false],
  ['-name', {}, undefined, false],
  ['size', { descending: '-' }, undefined, false],
])('%s with the signs %j means %s, descending: %s', (value, signs, member, isDescending) => {
  const key = sortKeyOf({ parameter: 'sort', ...signs }, value, members);
  expect(key).toEqual(member === undefined ? undefined : { member, isDescending });
});

test('numbers are sorted by size, equal things keep their order, and things without a value come last', () => {
  const things = [{ n: 10, id: 1 }, { id: 2 }, { n: 9, id: 3 }, { n: 10, id: 4 }];
  const ids = (isDescending: boolean): readonly number[] =>
    sorted(things, { member: 'n', isDescending }).map(({ id }) => id);
  expect(ids(false)).toEqual([3, 1, 4, 2]);
  expect(ids(true)).toEqual([1, 4, 3, 2]);
});
