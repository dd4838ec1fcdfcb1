import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

/** Operations that differ only in a fragment, which no request has: the server decides by the body, or by a header. */
const DOCUMENT = `
openapi: 3.0.3
info: { title: Items, version: '1' }
paths:
  /items:
    get:
      operationId: getFile
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses: { '200': { description: A file., content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } } }
    post:
      operationId: addFile
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/File' } } } }
      responses: { '204': { description: Made. }, '400': { description: Refused. } }
  /items#folders:
    get:
      operationId: getFolder
      responses: { '200': { description: A folder., content: { application/json: { schema: { $ref: '#/components/schemas/Folder' } } } } }
    post:
      operationId: addFolder
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Folder' } } } }
      responses: { '204': { description: Made. }, '400': { description: Refused. } }
components:
  schemas:
    File: { type: object, required: [file], properties: { file: { type: string } } }
    Folder: { type: object, required: [folder], properties: { folder: { type: string } } }
`;

async function judged(item: object): Promise<Report> {
  const contract = await own('items', DOCUMENT);
  const { transport } = scripted(({ method, target }): Scripted => {
    if (!/^\/items(?:\?|$)/.test(target)) return { status: 404 };
    if (method === 'POST') return { status: 204 };
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: item };
  });
  return runConformance({
    ...{ contracts: [contract], baseUrl: 'http://localhost', allow: ['writes', 'negatives'], transport },
  });
}

const broken = ({ rules }: Report): string[] =>
  rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

test('an answer of any operation at the address is right, and so is a request', async () => {
  expect(broken(await judged({ file: 'a' }))).toEqual([]);
  expect(broken(await judged({ folder: 'a' }))).toEqual([]);
});

test('an answer of none of them is wrong for each', async () => {
  expect(broken(await judged({ link: 'a' }))).toEqual([
    'document.getFile.answer',
    'document.getFolder.answer',
  ]);
});
