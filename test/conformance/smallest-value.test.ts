import { expect, test } from 'vitest';
import { smallestValue } from '../../conformance/schemas/smallest-value.ts';

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
  [
    'a reference inside allOf',
    { allOf: [{ type: 'string', enum: ['a', 'b'] }], description: 'One of two.' },
    'a',
  ],
  [
    'a member that two parts describe',
    {
      allOf: [
        { type: 'object', properties: { name: { type: 'string' } } },
        { required: ['name'], properties: { name: { minLength: 6 } } },
      ],
    },
    { name: 'texttext' },
  ],
  [
    'what one branch of a choice adds',
    {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'null' }, b: { type: 'null' } },
      oneOf: [{ required: ['b'] }],
    },
    { a: null, b: null },
  ],
  [
    'different items',
    { type: 'array', minItems: 3, uniqueItems: true, items: { enum: ['x', 'y', 'z'] } },
    ['x', 'y', 'z'],
  ],
  [
    'different texts',
    { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string' } },
    ['text', 'text1'],
  ],
  ['a tuple', { type: 'array', minItems: 2, prefixItems: [{ const: 1 }, { type: 'boolean' }] }, [1, true]],
  ['an example', { type: 'string', example: 'x' }, 'x'],
  ['an example of another type', { type: 'string', example: 4.99 }, 'text'],
  ['an example that is not allowed', { type: 'string', enum: ['a'], example: 'b' }, 'a'],
  ['a multiple', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
])('%s is made as its schema wants it', (_, schema, value) => {
  expect(smallestValue({}, schema)).toEqual(value);
});

test('examples can be left out, and another branch of a choice can be taken', () => {
  const schema = { oneOf: [{ type: 'string', format: 'date', example: 'today' }, { type: 'integer' }] };
  expect(smallestValue({}, schema)).toBe('today');
  expect(smallestValue({}, schema, { examples: false })).toBe('2026-01-01');
  expect(smallestValue({}, schema, { branch: 1 })).toBe(1);
});

test.each([
  [{ propertyName: 'kind', mapping: { feline: '#/components/schemas/Cat' } }, { kind: 'feline' }],
  [{ propertyName: 'kind', mapping: { Dog: 'Dog', feline: 'Cat' } }, { kind: 'feline' }],
  [{ propertyName: 'kind' }, { kind: 'Cat' }],
])('a branch has the name that the discriminator %j gives it', (discriminator, value) => {
  const Cat = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
  const document = { components: { schemas: { Cat } } };
  expect(smallestValue(document, { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator })).toEqual(
    value,
  );
});
