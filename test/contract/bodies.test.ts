import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bodiesOf, contentFor } from '../../contract/judge/bodies.ts';
import { loadContract } from '../../contract/load.ts';
import type { Contract, MediaType } from '../../contract/model.ts';

const folder = mkdtempSync(join(tmpdir(), 'bodies-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A schema, values that it takes, and values that it refuses. */
type Verdict = readonly [
  title: string,
  schema: unknown,
  valid: readonly unknown[],
  invalid: readonly unknown[],
];

const of31: readonly Verdict[] = [
  [
    'tuples',
    { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    [['a', 1], ['a'], 'x'],
    [
      [1, 'a'],
      ['a', 1, 2],
    ],
  ],
  [
    'members beside a reference',
    { $ref: '#/components/schemas/Named', required: ['age'] },
    [{ name: 'a', age: 1 }],
    [{ name: 'a' }, { age: 1 }],
  ],
  [
    'what closes an object over its parts',
    { allOf: [{ $ref: '#/components/schemas/Named' }], unevaluatedProperties: false },
    [{ name: 'a' }],
    [{ name: 'a', age: 1 }],
  ],
  [
    'branches',
    { if: { properties: { kind: { const: 'a' } } }, then: { required: ['a'] }, else: { required: ['b'] } },
    [
      { kind: 'a', a: 1 },
      { kind: 'b', b: 1 },
    ],
    [{ kind: 'a' }, { kind: 'b' }],
  ],
  [
    'an if without branches, which evaluates',
    { if: { properties: { a: true } }, unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  [
    'what one member asks of others',
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
    [{ b: 1 }, { a: 1, b: 1 }, { c: 1, d: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  [
    'how many items fit',
    { contains: { type: 'integer' }, minContains: 2, maxContains: 3 },
    [
      [1, 2],
      [1, 2, 3, 'a'],
    ],
    [[1], [1, 2, 3, 4]],
  ],
  ['a schema that is false', { properties: { a: false } }, [{}, 0], [{ a: 1 }]],
  [
    'members that every object inherits',
    { required: ['toString'], properties: { constructor: { type: 'string' } } },
    [{ toString: 1 }],
    [{}, { toString: 1, constructor: 1 }],
  ],
  ['falsy values', { enum: [0, false, '', null] }, [0, false, '', null], [1, true, 'a', {}, []]],
  ['a pattern that is none with the flag u', { pattern: String.raw`^[\w-.]+$` }, ['a-b.c', 1], ['a b']],
  [
    'an anchor',
    { $defs: { a: { $anchor: 'text', type: 'string' } }, properties: { a: { $ref: '#text' } } },
    [{ a: 'x' }],
    [{ a: 1 }],
  ],
  [
    'a schema that refers to itself dynamically',
    { $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } }, required: ['id'] },
    [{ id: 1, next: { id: 2 } }],
    [{ id: 1, next: {} }],
  ],
  ['an enum without values', { enum: [] }, [], [null, 1, {}]],
];

const of30: readonly Verdict[] = [
  [
    'a nullable enum that has null',
    { type: 'string', nullable: true, enum: ['a', null] },
    ['a', null],
    ['b', 1],
  ],
  ['a nullable enum that forgets null', { type: 'string', nullable: true, enum: ['a'] }, ['a', null], ['b']],
  ['a value twice in an enum', { enum: ['a', 'a'] }, ['a'], ['b']],
  ['an exclusive bound', { type: 'number', minimum: 1, exclusiveMinimum: true }, [2], [1]],
  [
    'members beside a reference, which do not count',
    { $ref: '#/components/schemas/Named', required: ['age'] },
    [{ name: 'a' }],
    [{ age: 1 }],
  ],
  ['schemas in keywords of 3.1', { contains: { type: 'integer', nullable: true } }, [[null], [1]], [['a']]],
  [
    'a list of items',
    { items: [{ type: 'string' }], additionalItems: { type: 'integer' } },
    [['a', 1]],
    [['a', 'b'], [1]],
  ],
];

test.each([
  ...of31.map((verdict) => ['3.1.0', ...verdict] as const),
  ...of30.map((verdict) => ['3.0.3', ...verdict] as const),
])('OpenAPI %s: %s', async (version, _, schema, valid, invalid) => {
  const { bodies, request } = await bodiesFor(version, schema);
  for (const value of valid)
    expect(bodies.judge('request', request, value), JSON.stringify(value)).toStrictEqual([]);
  for (const value of invalid)
    expect(bodies.judge('request', request, value), JSON.stringify(value)).not.toStrictEqual([]);
  expect(bodies.unjudgeable()).toStrictEqual([]);
});

test('a request needs no member that only the server sets, and an answer none that only the client sets', async () => {
  const schema = {
    required: ['id', 'secret', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      secret: { $ref: '#/components/schemas/Secret' },
      name: {},
    },
  };
  const { bodies, request, response } = await bodiesFor('3.1.0', schema);
  expect(bodies.judge('request', request, { secret: 's', name: 1 })).toStrictEqual([]);
  expect(bodies.judge('request', request, { id: 1, name: 1 })).not.toStrictEqual([]);
  expect(bodies.judge('response', response, { id: 1, name: 1 })).toStrictEqual([]);
  expect(bodies.judge('response', response, { secret: 's', name: 1 })).not.toStrictEqual([]);
});

test('a schema that cannot be compiled is reported with its place, and never passes silently', async () => {
  const { contract, request } = await bodiesFor('3.1.0', { type: 'object' });
  // Bytes that a reader of documents might let through one day, written directly here.
  const broken = { ...request, schema: { $ref: '#/components/schemas/Absent' } };
  const [operation] = contract.operations;
  if (operation?.requestBody === undefined) throw new Error('no body');
  const operations = [{ ...operation, requestBody: { ...operation.requestBody, content: [broken] } }];
  const bodies = bodiesOf({ ...contract, operations });
  const [fault] = bodies.unjudgeable();
  expect(fault).toMatchObject({ pointer: request.pointer });
  expect(bodies.judge('request', broken, {})).toStrictEqual(fault);
});

test.each([
  ['application/json; charset=utf-8', 'application/json'],
  ['APPLICATION/JSON', 'application/json'],
  [undefined, 'application/json'],
  ['application/vnd.a+json', 'application/*+json'],
  ['application/cbor', undefined],
  ['text/csv', 'text/*'],
])('a body of %s is judged by the content of %s', (type, want) => {
  const contents = ['text/*', 'application/*+json', 'application/json'].map((mediaType): MediaType => ({
    mediaType,
    schema: {},
    pointer: '',
    encoding: [],
    examples: [],
  }));
  expect(contentFor(contents, type)?.mediaType).toBe(want);
});

async function bodiesFor(openapi: string, schema: unknown) {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S' } } };
  const document = {
    openapi,
    info: { title: 't', version: '1' },
    paths: {
      '/s': { post: { requestBody: { content }, responses: { 200: { description: 'ok', content } } } },
    },
    components: {
      schemas: {
        S: schema,
        Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        Secret: { type: 'string', writeOnly: true },
      },
    },
  };
  writeFileSync(join(folder, 's.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 's.json', cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics, null, 1));
  const { contract } = loaded;
  return {
    contract,
    bodies: bodiesOf(contract),
    request: contentOf(contract, 'request'),
    response: contentOf(contract, 'response'),
  };
}

function contentOf({ operations }: Contract, side: 'request' | 'response'): MediaType {
  const [operation] = operations;
  const contents = side === 'request' ? operation?.requestBody?.content : operation?.responses[0]?.content;
  if (contents?.[0] === undefined) throw new Error('no content');
  return contents[0];
}
