import { expect, test } from 'vitest';
import { compilerOf } from '../../contract/judge/judge.ts';
import type { Json, JsonObject, RequestBody, Schema } from '../../contract/model.ts';
import { smallestValue } from '../../conformance/schemas/smallest-value.ts';
import { bodySamples } from '../../mock/samples/body-sample.ts';
import { lifelike } from '../../mock/samples/lifelike.ts';

// What is made up for schemas with conditions: by the suite for requests, and by the mock for answers and sample calls.

const root: JsonObject = {};

/** JSON Schema 2020-12, Validation, section 7.3. */
const FORMATS = [
  ...[
    'date-time',
    'date',
    'time',
    'duration',
    'email',
    'idn-email',
    'hostname',
    'idn-hostname',
    'ipv4',
    'ipv6',
  ],
  ...['uri', 'uri-reference', 'iri', 'iri-reference', 'uuid', 'uri-template', 'json-pointer'],
  ...['relative-json-pointer', 'regex'],
];

const rows: readonly (readonly [string, JsonObject])[] = [
  [
    'if const then required',
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['card', 'bank'] }, number: { type: 'string' }, iban: { type: 'string' } },
      if: { properties: { kind: { const: 'card' } } },
      then: { required: ['number'] },
      else: { required: ['iban'] },
    },
  ],
  [
    'if in allOf twice',
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['card', 'bank'] }, number: { type: 'string' }, iban: { type: 'string' } },
      allOf: [
        {
          if: { properties: { kind: { const: 'card' } }, required: ['kind'] },
          then: { required: ['number'] },
        },
        { if: { properties: { kind: { const: 'bank' } } }, then: { required: ['iban'] } },
      ],
    },
  ],
  [
    'if then property narrower',
    {
      type: 'object',
      required: ['country', 'zip'],
      properties: { country: { enum: ['US', 'NL'] }, zip: { type: 'string' } },
      if: { properties: { country: { const: 'US' } } },
      then: { properties: { zip: { pattern: '^[0-9]{5}$' } } },
      else: { properties: { zip: { pattern: '^[0-9]{4} [A-Z]{2}$' } } },
    },
  ],
  [
    'if only then new member',
    {
      type: 'object',
      if: { required: ['a'] },
      then: { required: ['b'] },
      else: { required: ['c'], properties: { c: { type: 'integer' } } },
    },
  ],
  ['dependentRequired chain', { type: 'object', required: ['a'], dependentRequired: { a: ['b'], b: ['c'] } }],
  [
    'dependentSchemas',
    {
      type: 'object',
      required: ['card'],
      properties: { card: { type: 'string' } },
      dependentSchemas: {
        card: { required: ['cvc'], properties: { cvc: { type: 'string', pattern: '^[0-9]{3}$' } } },
      },
    },
  ],
  [
    'propertyNames minProps',
    {
      type: 'object',
      propertyNames: { pattern: '^x-[a-z]+$' },
      minProperties: 2,
      additionalProperties: { type: 'integer' },
    },
  ],
  [
    'propertyNames enum',
    {
      type: 'object',
      propertyNames: { enum: ['de', 'en'] },
      minProperties: 1,
      additionalProperties: { type: 'string' },
    },
  ],
  [
    'patternProperties minProps',
    {
      type: 'object',
      minProperties: 1,
      patternProperties: { '^S_[0-9]+$': { type: 'string' } },
      additionalProperties: false,
    },
  ],
  [
    'patternProperties required',
    {
      type: 'object',
      required: ['S_1'],
      patternProperties: { '^S_': { type: 'integer' } },
      additionalProperties: false,
    },
  ],
  [
    'required by additionalProperties',
    { type: 'object', required: ['z'], additionalProperties: { type: 'integer' } },
  ],
  [
    'minContains 2',
    {
      type: 'array',
      items: { enum: ['a', 'b'] },
      contains: { const: 'b' },
      minContains: 2,
      minItems: 3,
      maxContains: 2,
    },
  ],
  [
    'contains object',
    {
      type: 'array',
      items: { type: 'object', required: ['role'], properties: { role: { enum: ['member', 'owner'] } } },
      contains: { properties: { role: { const: 'owner' } } },
    },
  ],
  [
    'two contains',
    {
      type: 'array',
      items: { type: 'integer' },
      allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }],
    },
  ],
  [
    'minContains 0',
    {
      type: 'array',
      items: { type: 'integer' },
      contains: { const: 1 },
      minContains: 0,
      maxContains: 0,
      minItems: 1,
    },
  ],
  [
    'contains unique',
    { type: 'array', uniqueItems: true, minItems: 2, items: { type: 'integer' }, contains: { minimum: 5 } },
  ],
  ['not const', { type: 'string', not: { const: 'text' } }],
  ['not enum', { type: 'string', not: { enum: ['text', 'sample', 'text1'] } }],
  ['not enum in enum', { enum: ['a', 'b', 'c'], not: { enum: ['a', 'b'] } }],
  [
    'not both',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      minProperties: 1,
      not: { required: ['a', 'b'] },
    },
  ],
  [
    'not property const',
    {
      type: 'object',
      required: ['state'],
      properties: { state: { enum: ['draft', 'live'] } },
      not: { properties: { state: { const: 'draft' } } },
    },
  ],
  ['not type null', { type: ['null', 'integer'], not: { type: 'null' } }],
  ['not pattern', { type: 'string', not: { pattern: '^t' } }],
  [
    'oneOf overlapping',
    {
      oneOf: [
        { type: 'integer', multipleOf: 3 },
        { type: 'integer', multipleOf: 5 },
      ],
    },
  ],
  ['oneOf number int', { oneOf: [{ type: 'number' }, { type: 'integer' }] }],
  [
    'unevaluatedProperties',
    {
      type: 'object',
      allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }],
      properties: { b: { type: 'string' } },
      required: ['b'],
      unevaluatedProperties: false,
    },
  ],
  [
    'prefixItems+contains',
    {
      type: 'array',
      prefixItems: [{ const: 'h' }],
      items: { type: 'integer' },
      contains: { type: 'integer', minimum: 3 },
    },
  ],
  [
    'nested if',
    {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'boolean' } },
      if: { properties: { a: { const: true } } },
      then: {
        required: ['b'],
        properties: { b: { enum: [1, 2] } },
        if: { properties: { b: { const: 1 } } },
        then: { required: ['c'] },
      },
    },
  ],
  ['multipleOf .01', { type: 'number', multipleOf: 0.01, minimum: 0.1, maximum: 0.15 }],
  [
    'if absent',
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      if: { properties: { a: { type: 'string' } } },
      then: { required: ['zz'] },
    },
  ],
  [
    'minItems unique object',
    {
      type: 'array',
      uniqueItems: true,
      minItems: 2,
      items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    },
  ],
  [
    'unevaluatedItems',
    { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: false, minItems: 1 },
  ],
  ['propertyNames maxLength', { type: 'object', propertyNames: { maxLength: 3 }, minProperties: 2 }],
  ...FORMATS.map((format) => [format, { type: 'string', format }] as const),
  [
    'base64',
    {
      type: 'string',
      contentEncoding: 'base64',
      pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    },
  ],
  ['a long list', { type: 'array', minItems: 120, items: { type: 'string', minLength: 120 } }],
];

function isValid(schema: Schema, value: unknown): boolean {
  const document = { root } as unknown as Parameters<typeof compilerOf>[0]['document'];
  return compilerOf({ document }, new Map([['it', schema]]), new Map()).judge('it', value).length === 0;
}

/** Callers try these, and take the first that is valid. */
const BRANCHES = [0, 1, 2];

test.each(rows)('%s: the suite makes a valid body', (_, schema) => {
  const made = BRANCHES.map((branch) => smallestValue(root, schema, { branch }));
  expect(made.filter((value) => isValid(schema, value))).not.toHaveLength(0);
});

test.each(rows)('%s: the mock makes a valid answer', (_, schema) => {
  const made = BRANCHES.flatMap((branch) =>
    [false, true].map((sparse) => lifelike(schema, root, { seed: '1', branch, sparse })),
  );
  expect(made.filter((value) => isValid(schema, value))).not.toHaveLength(0);
});

test.each(rows)('%s: the mock makes a valid sample of a request', (_, schema) => {
  const content = [{ mediaType: 'application/json', schema, examples: [] }];
  const made = [...bodySamples({ content } as unknown as RequestBody, root)].map(({ json }) => json as Json);
  expect(made.filter((value) => isValid(schema, value))).not.toHaveLength(0);
});

test('a schema that contains itself several times is looked at in bounded time', () => {
  const self = { $ref: '#/components/schemas/Self' };
  const Self = { oneOf: [self, self, { type: 'integer' }], not: { allOf: [self, self] } };
  const document: JsonObject = { components: { schemas: { Self } } };
  expect(typeof smallestValue(document, self)).not.toBe('undefined');
  expect(typeof lifelike(self as Schema, document, { seed: '1' })).not.toBe('undefined');
});
