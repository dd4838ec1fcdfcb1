// @module-tag long
import { expect, test } from 'vitest';
import { ROLES, subsets, unjudgedOf, VARIANTS } from './every-subset.ts';

test.each(Object.entries(VARIANTS))(
  'each usual rule of each subset of the operations of a resource has a scenario: %s',
  async (_, variant) => {
    expect(await unjudgedOf(variant, subsets(ROLES))).toEqual([]);
  },
  120_000,
);
