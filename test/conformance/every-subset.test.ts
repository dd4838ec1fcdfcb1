import { expect, test } from 'vitest';
import { ROLES, subsets, unjudgedOf, VARIANTS } from './every-subset.ts';

test('each usual rule of all operations of a resource but one, and of a batch alone, has a scenario', async () => {
  const few = [
    ...subsets(ROLES).filter(({ length }) => length === ROLES.length - 1),
    ['createMany', 'read'] as const,
  ];
  expect(await unjudgedOf(VARIANTS.plain, few)).toEqual([]);
}, 60_000);
