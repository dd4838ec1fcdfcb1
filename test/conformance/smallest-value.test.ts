import { expect, test } from 'vitest';
import { smallestValue } from '../../conformance/smallest-value.ts';

/** A value that cannot be made leaves every rule about it untested. */
test.each<[string, object, unknown]>([
  ['a pattern', { type: 'string', pattern: '^[A-Z][0-9]+$' }, 'A0'],
  ['a pattern with a length', { type: 'string', pattern: '^[a-z]{2,8}$', minLength: 4 }, 'zzzzzzzz'],
  ['a pattern that cannot be read', { type: 'string', pattern: '(?<=a)b' }, 'text'],
  ['a short text', { type: 'string', maxLength: 3 }, 'tex'],
  ['a long text', { type: 'string', minLength: 6 }, 'texttext'],
  ['an address of a mailbox', { type: 'string', format: 'email' }, 'somebody@example.com'],
  ['an address of a host', { type: 'string', format: 'ipv4' }, '192.0.2.1'],
  ['an unknown format', { type: 'string', format: 'toString' }, 'text'],
  ['a part', { type: 'number', minimum: 0.5, maximum: 0.8 }, 0.5],
  ['a part above', { type: 'number', exclusiveMinimum: 0, maximum: 0.5 }, 0.25],
  ['a whole number where one fits', { type: 'number', exclusiveMinimum: 0, maximum: 1 }, 1],
  ['a whole number above', { type: 'integer', exclusiveMinimum: 3 }, 4],
  ['a whole number at most', { type: 'integer', maximum: -2 }, -2],
  ['a whole number below', { type: 'integer', exclusiveMaximum: 0 }, -1],
  [
    'as many members as it needs',
    { minProperties: 2, required: ['b'], properties: { a: { type: 'null' }, b: { const: 1 }, c: {} } },
    { b: 1, a: null },
  ],
  ['a multiple', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
])('%s is made as its schema wants it', (_, schema, value) => {
  expect(smallestValue({}, schema)).toEqual(value);
});
