import { expect, test } from 'vitest';
import { preconditionOf } from '../../../contract/policies/conditional-write.ts';

const required = { required: { status: 428 } };

test.each<[string | undefined, string | undefined, object, string]>([
  [undefined, '"a"', {}, 'met'],
  [undefined, '"a"', required, 'required'],
  [undefined, undefined, required, 'required'],
  ['"a"', '"a"', required, 'met'],
  ['"b", "a"', '"a"', {}, 'met'],
  ['"b,a", "a"', '"a"', {}, 'met'],
  ['"b"', '"a"', {}, 'mismatch'],
  ['*', '"a"', required, 'met'],
  ['*', undefined, {}, 'mismatch'],
  ['"a"', undefined, {}, 'mismatch'],
  ['W/"a"', '"a"', {}, 'mismatch'],
  ['"a"', 'W/"a"', {}, 'mismatch'],
  ['W/"a"', 'W/"a"', {}, 'mismatch'],
  ['a', '"a"', {}, 'mismatch'],
  ['"a" "a"', '"a"', {}, 'mismatch'],
  ['', '"a"', required, 'mismatch'],
])('If-Match %s on the version %s by %j is %s', (header, current, policy, verdict) => {
  expect(preconditionOf(policy, { ifMatch: header }, current)).toBe(verdict);
});

test('a very long header is parsed in linear time', () => {
  expect(preconditionOf({}, { ifMatch: `${'"a", '.repeat(20_000)}b` }, '"a"')).toBe('mismatch');
});

const exists = { exists: { status: 412 } };

test.each<[string, string | undefined, string | undefined, object, string]>([
  ['*', undefined, '"a"', exists, 'exists'],
  ['*', undefined, undefined, exists, 'met'],
  ['*', undefined, '"a"', {}, 'met'],
  ['"a"', undefined, '"a"', exists, 'exists'],
  ['W/"a"', undefined, '"a"', exists, 'exists'],
  ['"b", "a"', undefined, '"a"', exists, 'exists'],
  ['"b"', undefined, '"a"', exists, 'met'],
  ['*', undefined, undefined, { ...required, ...exists }, 'met'],
  ['*', undefined, undefined, required, 'required'],
  ['*', '"a"', '"a"', exists, 'exists'],
  ['*', '"b"', '"a"', exists, 'mismatch'],
  ['*', '*', undefined, exists, 'mismatch'],
])(
  'If-None-Match %s beside If-Match %s on the version %s by %j is %s',
  (ifNoneMatch, ifMatch, current, policy, verdict) => {
    expect(preconditionOf(policy, { ifMatch, ifNoneMatch }, current)).toBe(verdict);
  },
);
