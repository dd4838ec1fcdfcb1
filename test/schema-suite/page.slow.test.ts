// @module-tag long
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilerErrors, documentOf, filesOf } from '../generator/generated.ts';
import { schemaPage, writtenPage } from './page.ts';
import { placed, randomSchemas } from './random-schemas.ts';
import { type Draft, suiteOf } from './suite.ts';
import { judge } from './verdicts.ts';

test('guards say what the JSON Schema Test Suite says; each difference is on the page, with a reason', async () => {
  const page = await schemaPage();
  expect(page).not.toContain('a fault');
  expect(page).toBe(writtenPage());
});

test.each<Draft>(['draft-2020-12', 'optional', 'draft-4', 'formats'])(
  'types and guards for %s compile under every strictness',
  async (draft) => {
    const errors: string[] = [];
    let documents = 0;
    await judge(draft, suiteOf(draft), (files) => {
      documents += 1;
      errors.push(...compilerErrors(files));
    });
    expect(errors).toStrictEqual([]);
    expect(documents).toBeGreaterThan(0);
  },
);

test('types and guards for 400 random schemas compile under every strictness', async () => {
  const schemas = fc
    .sample(randomSchemas(), { numRuns: 400, seed: 1 })
    .map((schema, index) => [`G${index}`, placed(schema, `G${index}`)]);
  expect(compilerErrors(await filesOf(documentOf(Object.fromEntries(schemas) as object)))).toStrictEqual([]);
});
