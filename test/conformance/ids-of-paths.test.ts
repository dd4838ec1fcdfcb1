import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const UUID = '6f1c2a52-9d0f-4d7e-8a35-0b7f4e1f9a11';

/** Agents with a UUID; the request that makes one and the items of the list say more than the id. */
const DOCUMENT = `
openapi: 3.0.3
info: { title: Agents, version: '1' }
paths:
  /agents:
    get:
      operationId: listAgents
      responses: { '200': { description: Agents., content: { application/json: { schema: { type: array, items: {} } } } } }
    post:
      operationId: addAgent
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object } } } } }
  /agents/{agentId}:
    parameters: [{ name: agentId, in: path, required: true, schema: { type: string, format: uuid } }]
    get:
      operationId: getAgent
      responses: { '200': { description: An agent., content: { application/json: { schema: { type: object } } } } }
    delete:
      operationId: removeAgent
      responses: { '204': { description: Gone. } }
`;

const json = (status: number, body: unknown): Scripted => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});

/** What the suite calls when it wants an agent that does not exist. */
const UNKNOWN = '/agents/00000000-0000-4000-8000-000000000000';

const isOfAgent = ({ target }: WireRequest): boolean => target.startsWith('/agents/');

/** The paths of one agent that the suite calls on a server with such answers, by any method or by one. */
async function agentsCalled(
  list: unknown,
  made: Scripted,
  { document = DOCUMENT, by = '' } = {},
): Promise<readonly string[]> {
  const { transport, requests } = scripted((request) => {
    if (isOfAgent(request)) return request.method === 'DELETE' ? { status: 204 } : json(200, {});
    return request.method === 'POST' ? made : json(200, list);
  });
  await runConformance({
    contracts: [await own('agents', document)],
    baseUrl: 'http://localhost',
    allow: ['writes'],
    transport,
  });
  const called = requests
    .filter((request) => isOfAgent(request) && request.method.includes(by))
    .map(({ target }) => target);
  return [...new Set(called)].filter((target) => target !== UNKNOWN);
}

test.each<[string, unknown]>([
  ['in the body', { id: UUID }],
  ['inside an object of the body', { agent: { id: UUID, name: 'A' }, token: 't' }],
  ['beside another member with a usual name', { agentId: 7, agent: { id: UUID } }],
])('the id of what was made is found %s', async (_, made) => {
  expect(await agentsCalled([], json(201, made))).toEqual([`/agents/${UUID}`]);
});

test('no path gets an id that its parameter cannot have', async () => {
  expect(await agentsCalled([], json(201, { name: 'A' }))).toEqual([]);
  expect(await agentsCalled([{ id: 'not a UUID' }, { id: UUID }], json(201, {}))).toEqual([
    `/agents/${UUID}`,
  ]);
});

/** Its parameter allows any text, also the name that the request has. */
const NAMED = { document: DOCUMENT.replace('type: string, format: uuid', 'type: string'), by: 'DELETE' };

test.each<[string, Scripted]>([
  ['inside an object of the answer', json(201, { data: { id: UUID, name: 'text' } })],
  ['in the address of the answer', { status: 201, headers: { Location: `/agents/${UUID}` } }],
])('what the request calls the thing is not taken for its id, which is %s', async (_, made) => {
  expect(await agentsCalled([], made, NAMED)).toEqual([`/agents/${UUID}`]);
});

test('the address of the collection is no id', async () => {
  const made = { status: 201, headers: { Location: 'http://localhost/agents' } };
  const called = await agentsCalled([], made, NAMED);
  expect(called.length).toBeGreaterThan(0);
  expect(called.filter((target) => !target.startsWith('/agents/tallystick-'))).toEqual([]);
});
