import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadContract } from '../../../contract/index.ts';
import { exampleOf } from '../../../mock/prism/examples.ts';
import { createMock } from '../../../mock/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'tallystick-dynamic-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

/** Schemas of vendors, each with a value for every kind of answer that the mock makes up. */
test.each([
  ['a map of objects', { type: 'object', additionalProperties: named }],
  [
    'a map with a least and a largest number of members, which can be null',
    {
      type: 'object',
      additionalProperties: { anyOf: [named, { type: 'null' }] },
      minProperties: 1,
      maxProperties: 2,
    },
  ],
  ['a map of texts in an object', { ...named, additionalProperties: { type: 'string' } }],
  ['an object that is closed', { ...named, additionalProperties: false }],
  ['a map of lists of itself', { $ref: '#/components/schemas/Tree' }],
  ['alternatives beside an example', { example: 'a', anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  ['a list that has an example', { type: 'array', items: named, example: [{ name: 'a' }] }],
  [
    'an object that has an example and a default',
    { ...named, example: { name: 'a' }, default: { name: 'b' } },
  ],
  ['a list of itself with a bound', { $ref: '#/components/schemas/Forest' }],
  ['anything', {}],
  ['an object with anything', { type: 'object', required: ['a'], properties: { a: {} } }],
  ['a list of anything with bounds', { type: 'array', maxItems: 3, uniqueItems: true }],
])('a made-up answer is of its schema: %s', async (_, schema) => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Made up', version: '1' },
    paths: {
      '/made': {
        get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
      },
    },
    components: {
      schemas: {
        Forest: {
          type: 'array',
          uniqueItems: true,
          maxItems: 4,
          items: { $ref: '#/components/schemas/Forest' },
        },
        Tree: {
          type: 'object',
          additionalProperties: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
    },
  };
  writeFileSync(join(folder, 'made.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 'made.json', cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const mock = createMock({ contracts: [loaded.contract] });
  await mock.ready();
  for (let seed = 0; seed < 10; seed += 1) {
    const response = await mock.fetch('/made', {
      headers: { Prefer: `dynamic=true, seed=${String(seed)}` },
    });
    const body = await response.text();
    expect([response.status, body, mock.journal.entries().at(-1)?.responseFindings]).toStrictEqual([
      200,
      body,
      [],
    ]);
  }
  mock.close();
});

test('where json-schema-faker fails, the answer is a small value with the same status', () => {
  const content = { mediaType: 'application/json', schema: {}, examples: [], encodings: [] };
  const operation = {
    id: 'made',
    method: 'get',
    path: '/made',
    responses: [{ id: 'ok', code: '200', contents: [content], headers: [] }],
    // A schema without a type makes it read these as values, and it cannot end this one.
    __bundled__: { components: { schemas: { Odd: { default: [{ a: {} }] } } } },
  };
  const request = { method: 'get', path: '/made', query: [], headers: {}, body: undefined };
  const made = exampleOf({}, operation as never, request, { dynamic: true });
  expect([made.status, made.isRefusal]).toStrictEqual([200, undefined]);
});
