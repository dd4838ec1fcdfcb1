import { expect, test } from 'vitest';
import { own } from '../mock/own-document.ts';
import { DOCUMENT, sheet } from './limited-things.ts';
import { hidden, noticesOf } from './more-with-a-sheet.ts';

test('what the document alone notices of a fault, document and sheet notice', async () => {
  const found = await noticesOf(await own('things', DOCUMENT, sheet('[]')), DOCUMENT, () => true);
  expect(found.length).toBeGreaterThan(5);
  expect(hidden(found)).toEqual([]);
  expect(found.some(({ by: [alone, , full] }) => alone === 0 && full === 2)).toBe(true);
}, 120_000);
