// @module-tag long
import { expect, test } from 'vitest';
import { schemaPage, writtenPage } from './page.ts';

test('guards say what the JSON Schema Test Suite says; each difference is on the page, with a reason', async () => {
  const page = await schemaPage();
  expect(page).not.toContain('a fault');
  expect(page).toBe(writtenPage());
});
