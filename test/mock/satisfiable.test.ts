import { expect, onTestFinished, test } from 'vitest';
import { smallestValue } from '../../conformance/schemas/smallest-value.ts';
import { createMock } from '../../mock/index.ts';
import { bodiesOf } from '../../contract/judge/bodies.ts';
import type { JsonObject } from '../../contract/model.ts';
import { own } from './own-document.ts';

/** Schemas of other people for which a value is not found at first sight. */
const SCHEMAS: readonly (readonly [string, JsonObject])[] = [
  [
    'a tuple',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
  ],
  [
    'a tuple with more',
    { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, minItems: 3 },
  ],
  ['a tuple by its items alone', { prefixItems: [{ type: 'boolean' }], minItems: 1 }],
  [
    'an item that has to be there',
    { type: 'array', items: { type: 'string' }, minItems: 1, contains: { const: 'core' } },
  ],
  ['two of them at most', { type: 'array', contains: { const: 7 }, minContains: 1, maxContains: 2 }],
  [
    'items that differ',
    { type: 'array', uniqueItems: true, minItems: 3, items: { enum: ['a', 'b', 'c', 'd'] } },
  ],
  ['null alone', { type: 'object', required: ['it'], properties: { it: { const: null } } }],
  ['an object alone', { type: 'object', required: ['it'], properties: { it: { const: { a: [1, null] } } } }],
  [
    'a condition on a listed value',
    {
      type: 'object',
      required: ['country'],
      properties: { country: { enum: ['US', 'CA'] }, code: { type: 'string' } },
      if: { properties: { country: { const: 'US' } } },
      then: { required: ['code'], properties: { code: { pattern: '^\\d{5}$' } } },
    },
  ],
  ['itself or a text', { $ref: '#/components/schemas/Chain' }],
  ['itself in most alternatives', { $ref: '#/components/schemas/Rule' }],
  [
    'classes that share their members',
    { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
  ],
  [
    'alternatives that only their names select',
    {
      oneOf: [{ $ref: '#/components/schemas/Email' }, { $ref: '#/components/schemas/Letter' }],
      discriminator: { propertyName: 'kind' },
    },
  ],
  ['a text in Base64', { type: 'string', format: 'byte' }],
];

const COMPONENTS: JsonObject = {
  Chain: {
    type: 'object',
    required: ['items', 'next'],
    properties: {
      items: {
        type: 'array',
        minItems: 1,
        items: { oneOf: [{ $ref: '#/components/schemas/Chain' }, { type: 'string' }] },
      },
      next: { oneOf: [{ $ref: '#/components/schemas/Chain' }, { type: 'null' }] },
    },
  },
  Rule: {
    oneOf: [
      { $ref: '#/components/schemas/And' },
      { $ref: '#/components/schemas/Not' },
      { $ref: '#/components/schemas/Compare' },
    ],
    discriminator: {
      propertyName: 'op',
      mapping: { and: 'And', not: 'Not', eq: 'Compare', lt: 'Compare' },
    },
  },
  And: {
    type: 'object',
    required: ['op', 'rules'],
    properties: {
      op: { enum: ['and'] },
      rules: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Rule' } },
    },
  },
  Not: {
    type: 'object',
    required: ['op', 'rule'],
    properties: { op: { enum: ['not'] }, rule: { $ref: '#/components/schemas/Rule' } },
  },
  Compare: {
    type: 'object',
    required: ['op', 'field'],
    properties: { op: { enum: ['eq', 'lt'] }, field: { type: 'string' } },
  },
  Animal: {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' }, name: { type: 'string' } },
    discriminator: {
      propertyName: 'type',
      mapping: { CAT: '#/components/schemas/Cat', DOG: '#/components/schemas/Dog' },
    },
  },
  Email: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' }, to: { type: 'string' } },
  },
  Letter: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' }, city: { type: 'string' } },
  },
  Cat: {
    allOf: [
      { $ref: '#/components/schemas/Animal' },
      { type: 'object', properties: { lives: { type: 'integer' } } },
    ],
  },
  Dog: {
    allOf: [
      { $ref: '#/components/schemas/Animal' },
      { type: 'object', properties: { barks: { type: 'boolean' } } },
    ],
  },
};

async function contractOf(schema: JsonObject): ReturnType<typeof own> {
  const content = { 'application/json': { schema } };
  return own(
    'sample',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Sample', version: '1' },
      paths: {
        '/it': {
          get: { operationId: 'read', responses: { 200: { description: 'It.', content } } },
          put: {
            operationId: 'write',
            requestBody: { required: true, content },
            responses: { 204: { description: 'Done.' } },
          },
        },
      },
      components: { schemas: COMPONENTS },
    }),
  );
}

test.each(SCHEMAS)('an answer of the mock fits: %s', async (_what, schema) => {
  const contract = await contractOf(schema);
  const mock = createMock({ contracts: [contract] });
  onTestFinished(() => {
    mock.close();
  });
  const answer = await mock.fetch(`${mock.url}/it`);
  const [content] = contract.operations[0]?.responses[0]?.content ?? [];
  const body: unknown = await answer.json();
  expect(content && bodiesOf(contract).judge('response', content, body), JSON.stringify(body)).toEqual([]);
});

test.each(SCHEMAS)('a request of the suite fits: %s', async (_what, schema) => {
  const contract = await contractOf(schema);
  const content = contract.operations.find(({ id }) => id === 'write')?.requestBody?.content[0];
  const values = [0, 1, 2, 3, 4].map((branch) =>
    smallestValue(contract.document.root, content?.schema, { branch, examples: false }),
  );
  const { judge } = bodiesOf(contract);
  expect(values.map((value) => content && judge('request', content, value))).toContainEqual([]);
});
