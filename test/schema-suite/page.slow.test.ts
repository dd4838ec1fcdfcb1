// @module-tag long
import { expect, test } from 'vitest';
import { compilerErrors } from '../generator/generated.ts';
import { schemaPage, writtenPage } from './page.ts';
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
