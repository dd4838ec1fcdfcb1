import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract } from '../../../contract/index.ts';
import { boundedSchema } from '../../../mock/prism/bounded-schema.ts';
import { createMock, type Mock } from '../../../mock/index.ts';

/** Twelve kinds of node, each of which can hold all others: written out they would be more than fit in any memory. */
const kinds = Array.from({ length: 12 }, (_, index) => `Node${String(index)}`);
const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const document = {
  openapi: '3.1.0',
  info: { title: 'Trees', version: '1' },
  paths: {
    '/tree': {
      get: {
        operationId: 'getTree',
        responses: {
          200: { description: 'A tree.', content: { 'application/json': { schema: reference('Tree') } } },
        },
      },
      put: {
        operationId: 'putTree',
        requestBody: { required: true, content: { 'application/json': { schema: reference('Tree') } } },
        responses: { 204: { description: 'Kept.' } },
      },
    },
  },
  components: {
    schemas: {
      Tree: {
        type: 'object',
        required: ['id', 'secret', 'root', 'spare'],
        properties: {
          id: { type: 'string', readOnly: true },
          secret: { type: 'string', writeOnly: true },
          root: { oneOf: kinds.map(reference) },
          spare: { type: ['null', 'object'], properties: { tree: reference('Tree') } },
        },
      },
      Common: {
        type: 'object',
        required: ['type', 'children'],
        properties: {
          type: { type: 'string' },
          children: { type: 'array', items: { oneOf: kinds.map(reference) } },
        },
      },
      ...Object.fromEntries(
        kinds.map((name) => [
          name,
          {
            allOf: [
              reference('Common'),
              {
                type: 'object',
                properties: {
                  type: { type: 'string', enum: [name] },
                  ...Object.fromEntries(kinds.map((other) => [`a${other}`, reference(other)])),
                },
              },
            ],
          },
        ]),
      ),
    },
  },
};

let folder: string;
let mock: Mock;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-recursive-'));
  writeFileSync(join(folder, 'trees.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 'trees.json', cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  mock = createMock({ contracts: [loaded.contract] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (body: object): Promise<Response> =>
  mock.fetch('/tree', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('schemas that refer to each other in many ways are answered with a small value of theirs, which says that it was made', async () => {
  const response = await mock.fetch('/tree');
  expect([response.status, response.headers.get('Tallystick-Answer')]).toStrictEqual([200, 'generated']);
  expect(await response.json()).toMatchObject({ id: expect.any(String) as string, root: { type: 'Node0' } });
  expect(mock.journal.entries().at(-1)?.responseFindings).toStrictEqual([]);
});

test('requests are judged by them, without what only the server sets', async () => {
  const tree = {
    secret: 's',
    spare: null,
    root: { type: 'Node1', children: [{ type: 'Node2', children: [] }] },
  };
  expect((await put(tree)).status).toBe(204);
  const deep = {
    ...tree,
    root: { type: 'Node1', children: [{ type: 'Node2', children: [{ type: 'NodeX' }] }] },
  };
  expect((await put(deep)).status).toBe(422);
  expect((await put({ spare: null, root: tree.root })).status).toBe(422);
});

const schemas: Readonly<Record<string, unknown>> = {
  list: { type: 'object', properties: { value: { type: 'integer' }, next: { $ref: 'list' } } },
  endless: { type: 'object', required: ['next'], properties: { next: { $ref: 'endless' } } },
  tree: {
    type: 'object',
    required: ['left'],
    properties: { left: { oneOf: [{ $ref: 'tree' }, { type: 'null' }] } },
  },
  stated: {
    example: 1,
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: 'stated' } },
  },
  wood: { type: 'object', additionalProperties: { $ref: 'wood' } },
  forest: { type: 'array', items: { $ref: 'forest' } },
};

test.each([
  [
    'an optional member that leads in circles is left out',
    { $ref: 'list' },
    { type: 'object', properties: { value: { type: 'integer' } } },
  ],
  [
    'of alternatives the first one that ends is taken',
    { $ref: 'tree' },
    { type: 'object', required: ['left'], properties: { left: { type: 'null' } } },
  ],
  ['a list of itself is empty', { $ref: 'forest' }, { type: 'array', minItems: 0, maxItems: 0 }],
  ['a list of itself with a least length has no end', { $ref: 'forest', minItems: 1 }, undefined],
  ['what has to hold itself has no end', { $ref: 'endless' }, undefined],
  ['a map of itself has no members', { $ref: 'wood' }, { type: 'object', additionalProperties: false }],
  [
    'a map of itself with a least number of members has no end',
    { $ref: 'wood', minProperties: 1 },
    undefined,
  ],
  [
    'the values of a map are of its schema',
    { type: 'object', additionalProperties: { $ref: 'list' } },
    {
      type: 'object',
      additionalProperties: { type: 'object', properties: { value: { type: 'integer' } } },
    },
  ],
  [
    'of alternatives beside an example the first one is taken',
    { example: 'a', anyOf: [{ type: 'string' }, { type: 'integer' }] },
    { example: 'a', type: 'string' },
  ],
  [
    'what has to hold itself ends with its example',
    { $ref: 'stated' },
    { type: 'object', required: ['next'], properties: { next: { $ref: 'stated' } }, example: 1 },
  ],
  [
    'a member that is not to be read is left out',
    { type: 'object', properties: { a: { type: 'string', writeOnly: true } } },
    { type: 'object', properties: {} },
  ],
  [
    'what is said in several places holds together',
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { required: ['b'], properties: { a: { enum: ['x', 'y'] }, b: { const: 1 } } },
      ],
    },
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', enum: ['x', 'y'] }, b: { const: 1 } },
    },
  ],
])('%s', (_what, schema, want) => {
  expect(boundedSchema(schema, (name) => schemas[name])).toStrictEqual(want);
});
