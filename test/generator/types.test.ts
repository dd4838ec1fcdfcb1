import { expect, test } from 'vitest';
import type { Schema } from '../../contract/index.ts';
import { breakCycles } from '../../generator/schemas/cycles.ts';
import { compilerErrors, documentOf, filesOf, textOf } from './generated.ts';

/** The declaration of the schema `Sample`, without comments. */
async function declared(schema: unknown, others: object = {}): Promise<string> {
  const text = textOf(await filesOf(documentOf({ Sample: schema, ...others })), 'sample/types.ts');
  const [, declaration = ''] = /\nexport (?:type|interface) (Sample\b[\s\S]*?)\n(?=\n|$)/.exec(text) ?? [];
  return declaration.replace(/\/\*\*[\s\S]*?\*\/\s*/g, '').replace(/\s+/g, ' ');
}

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const base = { Base: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } } };

test('a required member that is described by what refers to itself is declared', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const again = (required: readonly string[]): object => ({ allOf: [ref('Sample')], required });
  expect(await declared({ type: 'object', properties: { parent: again(['parent']) } })).toBe(
    'Sample { parent?: Sample & { parent: Sample & { parent: unknown; }; }; }',
  );
  const many = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, again(names)])) };
  expect((await declared(many)).length).toBeLessThan(10_000);
});

test.each<[string, { given: unknown; want: string; others?: object }]>([
  ['a string', { given: { type: 'string' }, want: 'Sample = string;' }],
  ['an open object', { given: { type: 'object' }, want: 'Sample = Record<string, unknown>;' }],
  ['anything', { given: {}, want: 'Sample = unknown;' }],
  ['nothing', { given: false, want: 'Sample = never;' }],
  ['null', { given: { const: null }, want: 'Sample = null;' }],
  [
    'required and optional members',
    {
      given: { properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
      want: 'Sample { a: string; b?: unknown; }',
    },
  ],
  [
    'a default, which promises no presence',
    {
      given: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
      want: 'Sample { a?: string; }',
    },
  ],
  [
    'a required member that nobody describes',
    { given: { type: 'object', required: ['a'] }, want: 'Sample { a: unknown; }' },
  ],
  [
    'an object that allows more',
    {
      given: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
      want: 'Sample { a?: string; [key: string]: unknown; }',
    },
  ],
  [
    'a map',
    {
      given: { type: 'object', additionalProperties: { type: 'number' } },
      want: 'Sample { [key: string]: number; }',
    },
  ],
  [
    'a map beside members',
    {
      given: {
        type: 'object',
        properties: { a: { type: 'string' } },
        additionalProperties: { type: 'number' },
      },
      want: 'Sample = { a?: string; } & { [key: string]: number | string | undefined; };',
    },
  ],
  ['null by a list of types', { given: { type: ['string', 'null'] }, want: 'Sample = string | null;' }],
  [
    'null as 3.0 wrote it',
    { given: { anyOf: [ref('Base'), { type: 'null' }] }, want: 'Sample = Base | null;', others: base },
  ],
  [
    'literals of all kinds',
    {
      given: { enum: ['a', "it's", 1, -2, true, null, { x: [1] }] },
      want: "Sample = 'a' | 'it\\'s' | 1 | -2 | true | null | { x: [ 1 ]; };",
    },
  ],
  ['literals that the type rules out', { given: { type: 'integer', enum: [1, 'a'] }, want: 'Sample = 1;' }],
  [
    'a tuple that may go on',
    {
      given: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 1 },
      want: 'Sample = [ string, number?, ...unknown[] ];',
    },
  ],
  [
    'a tuple that ends',
    {
      given: { type: 'array', prefixItems: [{ type: 'string' }], items: false, minItems: 1 },
      want: 'Sample = [ string ];',
    },
  ],
  [
    'bytes outside a multipart body',
    { given: { type: 'string', format: 'binary' }, want: 'Sample = string;' },
  ],
  [
    'an extension',
    {
      given: { allOf: [ref('Base')], properties: { c: { type: 'boolean' } } },
      want: 'Sample = Base & { c?: boolean; };',
      others: base,
    },
  ],
  [
    'an extension that requires an inherited member',
    {
      given: { allOf: [ref('Base')], required: ['a'] },
      want: 'Sample = Base & { a: string; };',
      others: base,
    },
  ],
  [
    'branches that only require',
    {
      given: {
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      want: 'Sample = { a?: string; b?: number; } & ({ a: string; } | { b: number; });',
    },
  ],
  [
    'alternatives beside members',
    {
      given: {
        type: 'object',
        properties: { a: { type: 'string' } },
        anyOf: [ref('Base'), { type: 'object', properties: { c: {} } }],
      },
      want: 'Sample = { a?: string; } & (Base | { c?: unknown; });',
      others: base,
    },
  ],
  [
    'a tagged union by mapping',
    {
      given: {
        oneOf: [ref('Base')],
        discriminator: { propertyName: 'a', mapping: { one: '#/components/schemas/Base' } },
      },
      want: "Sample = Base & { a: 'one'; };",
      others: base,
    },
  ],
  [
    'a tag that the branch names itself',
    {
      given: { oneOf: [ref('Cat')], discriminator: { propertyName: 'kind' } },
      want: "Sample = Cat & { kind: 'meow'; };",
      others: { Cat: { type: 'object', properties: { kind: { const: 'meow' } } } },
    },
  ],
  [
    'a reference to a part of another',
    {
      given: { type: 'object', properties: { x: { $ref: '#/components/schemas/Base/properties/a' } } },
      want: 'Sample { x?: BaseA; }',
      others: base,
    },
  ],
  [
    'recursion',
    { given: { type: 'object', properties: { next: ref('Sample') } }, want: 'Sample { next?: Sample; }' },
  ],
  [
    'odd member names',
    {
      given: { type: 'object', properties: { 'a-b': {}, '2': {}, class: {}, '': {} } },
      want: "Sample { 2?: unknown; 'a-b'?: unknown; class?: unknown; ''?: unknown; }",
    },
  ],
])('%s', async (_, { given, want, others }) => {
  expect(await declared(given, others)).toBe(want);
});

test('members with the names of every object are members like others', async () => {
  const properties = JSON.parse(
    '{"__proto__":{"type":"string"},"constructor":{"type":"number"},"toString":{},"hasOwnProperty":{}}',
  ) as object;
  const files = await filesOf(
    documentOf({ Sample: { type: 'object', properties, required: ['__proto__', 'constructor'] } }),
  );
  expect(textOf(files, 'sample/types.ts')).toContain(
    '  __proto__: string;\n  constructor: number;\n  toString?: unknown;',
  );
  expect(compilerErrors(files)).toStrictEqual([]);
});

test('schemas that differ by case get names of their own, and those named as the platform names things keep theirs', async () => {
  const files = await filesOf(
    documentOf({
      foo: {},
      Foo: {},
      FOO: {},
      Record: {},
      Promise: {},
      ApiError: {},
      Error: {},
      Response: {},
      string: {},
      class: {},
    }),
  );
  const names = [...textOf(files, 'sample/types.ts').matchAll(/^export (?:type|interface) (\w+)/gm)].map(
    ([, name]) => name,
  );
  expect(names).toStrictEqual([
    'Foo',
    'Foo2',
    'FOO',
    'Record',
    'Promise',
    'ApiError',
    'Error',
    'Response',
    'String',
    'Class',
  ]);
  expect(compilerErrors(files)).toStrictEqual([]);
});

test('schemas that lead to each other and nowhere else are open, and only where the circle closes', () => {
  const open = breakCycles([
    { name: 'A', schema: { allOf: [ref('B') as Schema] } },
    { name: 'B', schema: { anyOf: [ref('A') as Schema, { type: 'string' }] } },
    { name: 'C', schema: ref('C') as Schema },
    { name: 'D', schema: { type: 'object', properties: { d: ref('D') as Schema } } },
  ]);
  expect(open).toStrictEqual([
    { name: 'A', schema: { allOf: [ref('B')] } },
    { name: 'B', schema: { anyOf: [true, { type: 'string' }] } },
    { name: 'C', schema: true },
    { name: 'D', schema: { type: 'object', properties: { d: ref('D') } } },
  ]);
});
