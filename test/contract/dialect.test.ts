import { expect, test } from 'vitest';
import { schemaFrom30 } from '../../contract/schemas/dialect.ts';

const order = { $ref: '#/components/schemas/Order' };

const cases: readonly (readonly [string, { given: unknown; want: unknown }])[] = [
  ['a nullable type', { given: { type: 'string', nullable: true }, want: { type: ['string', 'null'] } }],
  ['nullable: false', { given: { type: 'string', nullable: false }, want: { type: 'string' } }],
  [
    'a nullable enumeration that forgets null',
    {
      given: { type: 'string', nullable: true, enum: ['a'] },
      want: { type: ['string', 'null'], enum: ['a', null] },
    },
  ],
  [
    'a nullable enumeration that has null',
    {
      given: { type: 'string', nullable: true, enum: ['a', null] },
      want: { type: ['string', 'null'], enum: ['a', null] },
    },
  ],
  [
    'allOf of one reference, nullable, as documents in the wild write it',
    { given: { allOf: [order], nullable: true }, want: { anyOf: [order, { type: 'null' }] } },
  ],
  [
    'the same with words beside it, which stay outside',
    {
      given: { allOf: [order], nullable: true, description: 'the last one', default: null },
      want: { description: 'the last one', default: null, anyOf: [order, { type: 'null' }] },
    },
  ],
  [
    'allOf of several, nullable',
    {
      given: { allOf: [order, { required: ['id'] }], nullable: true },
      want: { anyOf: [{ allOf: [order, { required: ['id'] }] }, { type: 'null' }] },
    },
  ],
  [
    'oneOf, nullable',
    {
      given: { oneOf: [order, { type: 'string' }], nullable: true },
      want: { anyOf: [{ oneOf: [order, { type: 'string' }] }, { type: 'null' }] },
    },
  ],
  [
    'a type beside oneOf, nullable',
    {
      given: { type: 'object', oneOf: [order], nullable: true },
      want: { anyOf: [{ type: 'object', oneOf: [order] }, { type: 'null' }] },
    },
  ],
  [
    'an enumeration without a type, nullable',
    { given: { enum: ['a'], nullable: true }, want: { anyOf: [{ enum: ['a'] }, { type: 'null' }] } },
  ],
  ['nullable alone, which says nothing', { given: { nullable: true }, want: {} }],
  [
    'members beside a reference, which 3.0 ignores',
    { given: { ...order, nullable: true, description: 'x' }, want: order },
  ],
  [
    'exclusive bounds that are true',
    {
      given: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
      want: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9 },
    },
  ],
  [
    'exclusive bounds that are false',
    {
      given: { type: 'number', minimum: 0, exclusiveMinimum: false, maximum: 9 },
      want: { type: 'number', minimum: 0, maximum: 9 },
    },
  ],
  ['exclusive bounds without a bound', { given: { exclusiveMinimum: true }, want: {} }],
  [
    'exclusive bounds that are numbers already',
    { given: { exclusiveMinimum: 3 }, want: { exclusiveMinimum: 3 } },
  ],
  ['an example', { given: { type: 'string', example: 'a' }, want: { type: 'string', examples: ['a'] } }],
  ['an example beside examples', { given: { example: 'a', examples: ['b'] }, want: { examples: ['b'] } }],
  [
    'schemas inside of schemas',
    {
      given: {
        type: 'object',
        properties: {
          nullable: { type: 'string', nullable: true },
          example: { type: 'integer', nullable: true },
        },
        additionalProperties: { type: 'boolean', nullable: true },
        not: { items: { type: 'string', nullable: true } },
        anyOf: [{ type: 'object', nullable: true }],
      },
      want: {
        type: 'object',
        properties: { nullable: { type: ['string', 'null'] }, example: { type: ['integer', 'null'] } },
        additionalProperties: { type: ['boolean', 'null'] },
        not: { items: { type: ['string', 'null'] } },
        anyOf: [{ type: ['object', 'null'] }],
      },
    },
  ],
  [
    'values that only look like schemas',
    {
      given: {
        default: { nullable: true, type: 'x' },
        enum: [{ nullable: true, example: 1 }],
        'x-a': { example: 1 },
      },
      want: {
        default: { nullable: true, type: 'x' },
        enum: [{ nullable: true, example: 1 }],
        'x-a': { example: 1 },
      },
    },
  ],
  [
    'additionalProperties: false',
    { given: { additionalProperties: false }, want: { additionalProperties: false } },
  ],
];

test.each(cases)('OpenAPI 3.0 in JSON Schema 2020-12: %s', (_, { given, want }) => {
  const before = JSON.stringify(given);
  expect(schemaFrom30(given)).toStrictEqual(want);
  expect(JSON.stringify(given)).toBe(before);
});
