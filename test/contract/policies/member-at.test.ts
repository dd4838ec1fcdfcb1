import { expect, test } from 'vitest';
import { memberAt } from '../../../contract/policies/member-at.ts';
import { pathIn, put } from '../../../mock/samples/put.ts';

test.each<[unknown, string | undefined, unknown]>([
  [{ total: 1 }, 'total', 1],
  [{ meta: { total: 1 } }, 'meta.total', 1],
  [{ 'meta.total': 2, meta: { total: 1 } }, 'meta.total', 2],
  [{ meta: {} }, 'meta.total', undefined],
  [{ meta: null }, 'meta.total', undefined],
  [{}, 'constructor', undefined],
  [{ meta: 'text' }, 'meta.length', undefined],
  [null, 'total', undefined],
  [{ total: 1 }, undefined, undefined],
])('in %j, %s is %j', (body, path, value) => {
  expect(memberAt(body, path)).toBe(value);
});

test.each<[unknown, readonly string[], unknown, unknown]>([
  [{ a: 1 }, ['a'], 2, { a: 2 }],
  [{ a: { b: 1, c: 1 } }, ['a', 'b'], 2, { a: { b: 2, c: 1 } }],
  [{}, ['a', 'b'], 2, { a: { b: 2 } }],
  [{ a: { b: 1, c: 1 } }, ['a', 'b'], undefined, { a: { c: 1 } }],
  [{ c: 1 }, ['a', 'b'], undefined, { c: 1 }],
  [{ a: 'text' }, ['a', 'b'], 2, { a: 'text' }],
  ['whole', [], 'other', 'other'],
])('in %j, %j changed to %j gives %j', (body, path, value, changed) => {
  expect(put(body, path, value)).toEqual(changed);
});

test('a member whose own name has dots comes before a path', () => {
  expect([pathIn({ 'a.b': 1 }, 'a.b'), pathIn({ a: {} }, 'a.b')]).toEqual([['a.b'], ['a', 'b']]);
});
