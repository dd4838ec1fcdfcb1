import { expect, test } from 'vitest';
import { sharedPaths } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';

const documentOf = (path: string, method = 'get'): string =>
  `openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths:\n  ${path}:\n    ${method}: { responses: { '200': { description: ok } } }\n`;

test('an operation of two documents is reported with both places', async () => {
  const [one, other] = [await own('one', documentOf('/a/{id}')), await own('other', documentOf('/a/{key}'))];
  expect(sharedPaths([one, other])).toMatchObject([
    {
      code: 'path-in-two-documents',
      severity: 'warning',
      message: 'GET /a/{key} is at one.yaml:5:5 as well, which answers it',
      location: { file: 'other.yaml', line: 5, column: 5 },
    },
  ]);
});

test('operations with another method or path do not collide', async () => {
  const documents = [documentOf('/a'), documentOf('/a', 'post'), documentOf('/b')];
  const contracts = await Promise.all(documents.map((text, index) => own(`d${String(index)}`, text)));
  expect(sharedPaths(contracts)).toStrictEqual([]);
});
