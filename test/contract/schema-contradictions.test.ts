import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { contradictionsOf } from '../../contract/schemas/schema-contradictions.ts';

const named = { name: {}, age: {} };

test.each<[string, Record<string, unknown>, string[]]>([
  ['limits in the wrong order', { minimum: 10, maximum: 1 }, ['minimum']],
  ['lengths in the wrong order', { type: 'string', minLength: 2, maxLength: 1 }, ['minLength']],
  ['limits that allow one value', { minItems: 1, maxItems: 1 }, []],
  ['a limit of another type', { type: 'string', maximum: 10 }, ['maximum']],
  ['a length of an integer', { type: 'integer', maxLength: 5 }, ['maxLength']],
  ['a limit of one of the types', { type: ['string', 'integer'], maximum: 10, maxLength: 3 }, []],
  ['properties of a misspelt type', { type: 'objekt', properties: {} }, []],
  ['limits without a type', { maximum: 10, maxLength: 3 }, []],
  ['properties of a string', { type: 'string', properties: {} }, ['properties']],
  ['a default outside of the enum', { enum: ['a', 'b'], default: 'c' }, ['default']],
  ['a default of another type', { type: 'integer', default: '5' }, ['default']],
  ['a default that is null', { type: 'integer', default: null }, []],
  ['a whole number as default of a number', { type: 'number', default: 5 }, []],
  ['a fraction as default of an integer', { type: 'integer', default: 1.5 }, ['default']],
  ['an object as default', { type: 'object', default: {}, enum: [{}] }, []],
  ['a value of the enum of another type', { type: 'integer', enum: [1, 'many'] }, ['enum']],
  ['null in an enum', { type: 'integer', enum: [1, null] }, []],
  ['a misspelt required name', { properties: named, required: ['nmae'] }, ['required']],
  ['a required name of another schema', { properties: named, required: ['identifier'] }, []],
  ['a name near one that is required too', { properties: named, required: ['name', 'names'] }, []],
  ['anything beside a reference', { $ref: '#/a', type: 'string', maximum: 1 }, []],
])('contradictions of a schema: %s', (_, schema, members) => {
  expect([...contradictionsOf(schema)].map(({ member }) => member)).toStrictEqual(members);
});

test('the finding has the place of the first schema, and counts the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contradictions-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const document = join(folder, 'a.yaml');
  writeFileSync(
    document,
    `openapi: 3.1.0
info: { title: t, version: '1' }
paths: { /x: { get: { responses: { '200': { description: ok } } } } }
components:
  schemas:
    A: { type: integer, minimum: 9, maximum: 1 }
    B: { type: integer, minimum: 8, maximum: 2 }
`,
  );
  const result = await loadContract({ document });
  if (!result.ok) throw new Error('not loaded');
  const found = result.warnings.filter(({ code }) => code === 'schema-contradicts');
  expect(found).toMatchObject([
    {
      message: 'minimum 9 is greater than maximum 1, so that no value is valid, and 1 more like it',
      help: 'correct one of the two',
      location: { line: 6, column: 34 },
    },
  ]);
});
