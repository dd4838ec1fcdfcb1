import { expect, test } from 'vitest';
import { ROLES, subsets, unjudgedOf, VARIANTS } from './every-subset.ts';

test('each usual rule of a pair of operations of a resource, and of all of them, has a scenario', async () => {
  const few = subsets(ROLES).filter(({ length }) => length <= 2 || length === ROLES.length);
  expect(few.length).toBeGreaterThan(30);
  expect(await unjudgedOf(VARIANTS.plain, few)).toEqual([]);
}, 30_000);
