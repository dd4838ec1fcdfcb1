import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type Mock } from '../../mock/index.ts';
import { own } from './own-document.ts';

/** Operations at one path that differ in their query, in a fragment, or in a method of OpenAPI 3.2. */
const DOCUMENT = `
openapi: 3.2.0
info: { title: Told apart, version: '1' }
paths:
  /:
    get: { responses: { '200': { description: ok, content: { text/plain: { schema: { const: all } } } } } }
  /{key}:
    parameters: [{ name: key, in: path, required: true, schema: { type: string, minLength: 1 } }]
    get: { responses: { '200': { description: ok, content: { text/plain: { schema: { const: one } } } } } }
    additionalOperations:
      COPY:
        parameters: [{ name: Destination, in: header, required: true, schema: { type: string } }]
        responses: { '201': { description: ok, content: { text/plain: { schema: { const: copied } } } } }
      LOCK: { responses: { '200': { description: ok, content: { text/plain: { schema: { const: locked } } } } } }
  /{key}#acl:
    parameters: [{ name: key, in: path, required: true, schema: { type: string } }]
    get:
      parameters: [{ name: acl, in: query, required: true, allowEmptyValue: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { text/plain: { schema: { const: acl } } } } }
  /jobs?action=start: { post: { responses: { '200': { description: ok, content: { text/plain: { schema: { const: started } } } } } } }
  /jobs?action=stop: { post: { responses: { '200': { description: ok, content: { text/plain: { schema: { const: stopped } } } } } } }
  /search:
    query:
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [q] } } } }
      responses: { '200': { description: ok, content: { text/plain: { schema: { const: found } } } } }
`;

let mock: Mock;
beforeAll(async () => {
  mock = createMock({ apis: [], contracts: [await own('apart', DOCUMENT)] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

const json = { 'content-type': 'application/json' };

test.each<[string, string, RequestInit, number, string]>([
  ['GET', '/', {}, 200, 'all'],
  ['GET', '/a', {}, 200, 'one'],
  ['GET', '/a?x=1', {}, 200, 'one'],
  ['GET', '/a?acl', {}, 200, 'acl'],
  ['GET', '/a?x=1&acl=', {}, 200, 'acl'],
  ['POST', '/jobs?action=start', {}, 200, 'started'],
  ['POST', '/jobs?action=stop', {}, 200, 'stopped'],
  ['COPY', '/a', { headers: { destination: '/b' } }, 201, 'copied'],
  ['COPY', '/a', {}, 422, 'Destination'],
  ['LOCK', '/a', {}, 200, 'locked'],
  ['QUERY', '/search', { body: '{"q":1}', headers: json }, 200, 'found'],
  ['QUERY', '/search', { body: '{}', headers: json }, 422, 'property \\"q\\"'],
])('%s %s %j is answered by its own operation', async (method, path, init, status, text) => {
  const answer = await mock.fetch(path, { method, ...init });
  expect([answer.status, await answer.text()]).toStrictEqual([status, expect.stringContaining(text)]);
  expect(status >= 400 || answer.headers.get('sl-violations') === null).toBe(true);
});

test('methods of OpenAPI 3.2 are in the list of allowed methods', async () => {
  const answer = await mock.fetch('/a', { method: 'PUT' });
  expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, 'COPY, GET, HEAD, LOCK']);
});
