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
  expect(preconditionOf(policy, header, current)).toBe(verdict);
});

test('a very long header is parsed in linear time', () => {
  expect(preconditionOf({}, `${'"a", '.repeat(20_000)}b`, '"a"')).toBe('mismatch');
});
