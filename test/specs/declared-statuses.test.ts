import { expect, test } from 'vitest';
import { answersOf } from './document-walk.ts';
import { apis, readDocument } from './own-specs.ts';

/** What the contract lists for each operation; `2XX` and `default` where it shows an answer but not its status. */
const tables: Readonly<Record<string, readonly string[]>> = {
  listModels: ['200', '400', '401', '403', '503'],
  getModel: ['200', '403', '404', '503'],
  runModel: ['200', '403', '404', '422', '429', '503', '504'],
  getModelInputSchema: ['200', '304', '401', '403', '404', '500', '503'],
  publishNodeVersion: ['201', '400', '403', '500'],
  startSkinEnhancement: ['200', 'default'],
  submitJob: ['201', '422', 'default'],
  getJob: ['2XX', 'default'],
  cancelJob: ['200', 'default'],
  streamJobEvents: ['2XX', 'default'],
};

test.each(apis)('the document of %s declares the answers that the contract lists, and no other', (api) => {
  const declared: Record<string, string[]> = {};
  for (const { operation, status } of answersOf(readDocument(api))) (declared[operation] ??= []).push(status);
  expect(declared).toEqual(Object.fromEntries(Object.keys(declared).map((id) => [id, tables[id]])));
});
