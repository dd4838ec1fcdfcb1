import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { lacksType } from '../../contract/schemas/untyped-schemas.ts';

const root = {
  components: {
    schemas: {
      Typed: { type: 'object', properties: { a: { type: 'string' } } },
      Untyped: { properties: { a: { type: 'string' } } },
    },
  },
};
const members = { properties: { a: { type: 'string' } }, required: ['a'] };
const typed = { $ref: '#/components/schemas/Typed' };
const untyped = { $ref: '#/components/schemas/Untyped' };

test.each<[string, { schema: Record<string, unknown>; lacks: boolean; at?: string }]>([
  ['members alone', { schema: members, lacks: true }],
  ['items alone', { schema: { items: { type: 'string' } }, lacks: true }],
  ['members with their type', { schema: { type: 'object', ...members }, lacks: false }],
  ['a list of values beside them', { schema: { ...members, enum: [{ a: 'x' }] }, lacks: false }],
  ['a part that says the type', { schema: { allOf: [typed, members] }, lacks: false }],
  ['a reference beside them that says the type', { schema: { ...typed, ...members }, lacks: false }],
  ['parts of which none does', { schema: { allOf: [untyped, members] }, lacks: true }],
  ['alternatives that all do', { schema: { ...members, anyOf: [typed, { type: 'null' }] }, lacks: false }],
  ['alternatives of which one does not', { schema: { ...members, anyOf: [typed, {}] }, lacks: true }],
  ['a reference alone, which is told where it leads', { schema: untyped, lacks: false }],
  ['nothing about members', { schema: { minLength: 1 }, lacks: false }],
  [
    'a part of a schema, which the schema around it decides about',
    { schema: members, lacks: false, at: '/components/schemas/A/allOf/1' },
  ],
  ['a member', { schema: members, lacks: true, at: '/components/schemas/A/properties/b' }],
])('whether a schema lacks its type: %s', (_, { schema, lacks, at = '/components/schemas/A' }) => {
  expect(lacksType(schema, at, root)).toBe(lacks);
});

test('a document has one warning for all of them, with the place of the first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'untyped-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'openapi.yaml'),
    `openapi: 3.1.0
info: { title: t, version: '1' }
paths: { /x: { get: { responses: { '200': { description: ok } } } } }
components:
  schemas:
    A: { properties: { a: { type: string } } }
    B: { items: { type: string } }
    C: { type: object, properties: { a: { type: string } } }
`,
  );
  const loaded = await loadContract({ document: 'openapi.yaml', cwd: folder });
  expect(loaded.ok && loaded.warnings).toMatchObject([
    { code: 'schema-type-missing', pointer: '/components/schemas/A', location: { line: 6 } },
  ]);
  expect(loaded.ok && loaded.warnings[0]?.message).toContain('and 1 more like it');
});
