import { expect, test } from 'vitest';
import { readSheetSchema, setAt } from './own-specs.ts';
import { shapesOfSchema, shapesOfTypes } from './policy-shapes.ts';

const types = shapesOfTypes();

test('specs/behaviour.schema.json knows the kinds of contract/policies, and every member of each', () => {
  expect(shapesOfSchema(readSheetSchema())).toEqual(types);
});

test('a member that only one of them knows, or that only one requires, is found out', () => {
  const members = ['$defs', 'deadline'];
  const other = readSheetSchema();
  setAt(other, [...members, 'properties', 'bucket'], undefined);
  expect(shapesOfSchema(other)).not.toEqual(types);
  const optional = readSheetSchema();
  setAt(optional, [...members, 'required'], ['kind', 'operations', 'default']);
  expect(shapesOfSchema(optional)).not.toEqual(types);
});
