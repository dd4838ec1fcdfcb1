// @module-tag attack
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { own } from './own-document.ts';

/** What the control API shows of the calls that it makes itself. */
const contract = await own(
  'logins',
  `
openapi: 3.1.0
info: { title: Logins, version: '1' }
paths:
  /logins:
    post:
      operationId: addLogin
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Login' } } } }
      responses:
        '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Login' } } } }
  /logins/{login}:
    parameters: [{ name: login, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getLogin
      responses:
        '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Login' } } } }
        '404': { description: None. }
components:
  schemas:
    Login:
      type: object
      required: [name, api_token]
      properties: { id: { type: string }, name: { type: string }, api_token: { type: string } }
`,
  `
api: logins
contract: '1'
document: 1
policies:
  - kind: resource
    collection: logins
    id: { member: id, parameter: login }
    operations: { create: addLogin, read: getLogin }
rules: []
unspecified: []
`,
);
const mock = await startMock({ apis: [], contracts: [contract], controlPort: 0 });
afterAll(() => mock.stop());

const secret = 'mark7Qk3fZ9pW5d';
const request = {
  method: 'POST',
  target: '/logins',
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ name: `ada ${secret}`, api_token: secret }),
};

async function controlled(path: string, body: unknown): Promise<string> {
  const answer = await fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

test('the answer to a call that the control API makes has no secret, and the caller of the mock gets it', async () => {
  const sent = await controlled('requests', request);
  expect(sent).toContain('"status":201');
  expect(sent).toContain('ada …');
  expect(sent).not.toContain(secret);
  const { number } = JSON.parse(sent) as { number: number };
  const replayed = await controlled(`journal/${number}/replay`, {});
  expect(replayed).toContain('"status":201');
  expect(replayed).not.toContain(secret);
  const { body } = JSON.parse(replayed) as { body: string };
  const { id } = JSON.parse(body) as { id: string };
  const stored = await mock.fetch(`${mock.url}/logins/${id}`);
  expect(await stored.json()).toMatchObject({ name: `ada ${secret}`, api_token: secret });
});

test('an answer that is followed has no secret, and no text is lost', async () => {
  const lines = (await controlled('requests?follow', request)).trim().split('\n');
  const texts = lines.flatMap((line) => (JSON.parse(line) as { text?: string }).text ?? []);
  expect(JSON.parse(texts.join(''))).toMatchObject({ name: 'ada …', api_token: '…' });
  expect(lines.join('')).not.toContain(secret);
  expect(JSON.parse(lines.at(-1) ?? '')).toStrictEqual({ delivery: 'delivered' });
});
