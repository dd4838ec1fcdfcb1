import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../contract/index.ts';
import { sampleOf } from './samples.ts';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const to = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

const schemas = {
  Cat: object({ kind: { type: 'string' }, purrs: { type: 'boolean' } }, { required: ['kind', 'purrs'] }),
  Dog: object({ kind: { type: 'string' }, barks: { type: 'boolean' } }, { required: ['kind', 'barks'] }),
  Bird: object({ kind: { const: 'b' } }, { required: ['kind'] }),
  Animal: object(
    { type: { type: 'string' }, name: { type: 'string' } },
    {
      required: ['type', 'name'],
      discriminator: { propertyName: 'type', mapping: { horse: '#/components/schemas/Horse', cow: 'Cow' } },
    },
  ),
  Horse: { allOf: [to('Animal'), object({ hooves: { type: 'integer' } }, { required: ['hooves'] })] },
  Cow: { allOf: [to('Animal')] },
  Pig: { allOf: [to('Animal')] },
  Tree: object(
    { value: { type: 'integer' }, next: { anyOf: [to('Tree'), { type: 'null' }] } },
    { required: ['value', 'next'] },
  ),
};

const kinds = (mapping?: object): object => ({
  propertyName: 'kind',
  ...(mapping === undefined ? {} : { mapping }),
});

test.each<[name: string, schema: object, want: Json]>([
  [
    'the mapped value of a discriminator',
    {
      oneOf: [to('Cat'), to('Dog')],
      discriminator: kinds({ felix: '#/components/schemas/Cat', rex: 'Dog' }),
    },
    { kind: 'felix', purrs: true },
  ],
  [
    'a mapping by name',
    { oneOf: [to('Dog')], discriminator: kinds({ rex: 'Dog' }) },
    { kind: 'rex', barks: true },
  ],
  [
    'the name of the schema where nothing is mapped',
    { anyOf: [to('Dog'), to('Cat')], discriminator: kinds() },
    { kind: 'Dog', barks: true },
  ],
  ['what the schema says of its tag', { oneOf: [to('Bird')], discriminator: kinds() }, { kind: 'b' }],
  ['the mapped value of a child of a base', to('Horse'), { type: 'horse', name: 'sample', hooves: 1 }],
  ['the name of a child that is not mapped', to('Pig'), { type: 'Pig', name: 'sample' }],
  ['a child where a base is asked for', to('Animal'), { type: 'horse', name: 'sample', hooves: 1 }],
  [
    'the members that the first alternative requires, and no others',
    object(
      { a: { type: 'string' }, b: { type: 'integer' } },
      { oneOf: [{ required: ['b'] }, { required: ['a'] }] },
    ),
    { b: 1 },
  ],
  [
    'members that alternatives require beside those of all',
    object(
      { id: { type: 'string', format: 'uuid' }, a: { type: 'string' }, b: { type: 'boolean' } },
      { required: ['id'], anyOf: [{ required: ['a', 'b'] }, { required: ['b'] }] },
    ),
    { id: '00000000-0000-4000-8000-000000000000', a: 'sample', b: true },
  ],
  [
    'what parts say of the same member',
    { allOf: [object({ a: { type: 'string' } }), object({ a: { maxLength: 3 } }, { required: ['a'] })] },
    { a: 'sam' },
  ],
  ['an end where a schema contains itself', to('Tree'), { value: 1, next: null }],
  ['another type than null', { type: ['null', 'string'] }, 'sample'],
  ['another alternative than null', { oneOf: [{ type: 'null' }, { type: 'integer' }] }, 1],
  [
    'items that differ',
    { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string' } },
    ['sample', 'sample1'],
  ],
  [
    'items that differ, of a list',
    { type: 'array', minItems: 2, uniqueItems: true, items: { enum: ['x', 'y'] } },
    ['x', 'y'],
  ],
  [
    'the items of a tuple',
    { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'boolean' }] },
    [1, true],
  ],
  [
    'as many members as there have to be',
    { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } },
    { member1: 1, member2: 1 },
  ],
  ['a number above its bound', { type: 'integer', exclusiveMinimum: 3 }, 4],
  ['a whole number above a broken bound', { type: 'integer', minimum: 0.5 }, 1],
  ['a number between narrow bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
  ['a multiple', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
  ['a number below its bound', { type: 'integer', maximum: -2 }, -2],
  ['a list of one code', { type: 'string', pattern: '^[A-Z]{3}$' }, 'USD'],
  ['a slug', { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }, 'sample'],
  ['a phone number', { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$' }, '+4930123456'],
  ['a text for its format', { type: 'string', format: 'duration' }, 'P3DT4H'],
  ['bytes', { type: 'string', format: 'byte' }, 'c2FtcGxl'],
])('a sample is %s', (_name, schema, want) => {
  expect(sampled(schema)).toStrictEqual(want);
  expect(judge(schema)(want)).toBe(true);
});

test.each([
  '^[0-9a-f]{24}$',
  '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
  '^arn:aws:[a-z]+:\\d{12}$',
  '^\\d{4}-W\\d{2}$',
  '^[^\\s]{40,}$',
  '^0x[a-fA-F0-9]{40}$',
])('a sample fits the pattern %s', (pattern) => {
  const schema = { type: 'string', pattern };
  expect(sampled(schema)).toStrictEqual(sampled(schema));
  expect(judge(schema)(sampled(schema))).toBe(true);
});

test('samples respect the bounds of OpenAPI 3.0', () => {
  expect(sampled({ type: 'integer', minimum: 3, exclusiveMinimum: true })).toBe(4);
});

function sampled(schema: object): Json {
  const document = { components: { schemas } } as unknown as JsonObject;
  return sampleOf(document, schema as JsonObject);
}

function judge(schema: object): (value: Json) => boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: { schemas } });
  const referring = JSON.parse(JSON.stringify(schema).replaceAll('"#/comp', '"document#/comp')) as object;
  return (value) => ajv.validate(referring, value);
}
