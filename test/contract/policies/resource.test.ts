import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idParameter, mergePatch, roleOf } from '../../../contract/policies/resource.ts';

// The test cases of RFC 7396, appendix A.
test.each<[target: unknown, patch: unknown, merged: unknown]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j patched with %j is %j', (target, patch, merged) => {
  expect(mergePatch(target, patch)).toStrictEqual(merged);
});

test('a member named __proto__ is a member', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__":{"a":1}}'));
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1}}');
});

test('a patch that was made once changes nothing when it is made again', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch)).toStrictEqual(once);
    }),
  );
});

test('an operation plays the part that the sheet gives it', () => {
  const policy = { operations: { create: 'addNote', list: 'listNotes' } };
  expect([roleOf(policy, 'listNotes'), roleOf(policy, 'getNote')]).toStrictEqual(['list', undefined]);
});

test.each([
  [{ member: 'id', parameter: 'noteId' }, 'noteId'],
  [{ member: 'id' }, 'id'],
])('the id %j is carried by the parameter %s', (id, parameter) => {
  expect(idParameter({ id })).toBe(parameter);
});
