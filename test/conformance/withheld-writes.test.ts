import { beforeAll, expect, test } from 'vitest';
import {
  ownFixturesTemplate,
  permissions,
  planConformance,
  readFixtures,
  renderPlan,
  runConformance,
} from '../../conformance/index.ts';
import type { ConformanceOptions, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

/** The back office of a company: its examples name things that exist, as those of real documents do. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Office, version: '1' }
security: [{ bearer: [] }]
paths:
  /maintenance:
    post: { operationId: setMaintenance, requestBody: { required: true, content: { application/json: { schema: { type: object, required: [enabled], properties: { enabled: { type: boolean } } } } } }, responses: { '204': { description: Done. } } }
  /settings:
    get: { operationId: getSettings, responses: { '200': { description: Settings., content: { application/json: { schema: { type: object } } } } } }
    patch: { operationId: changeSettings, requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Settings., content: { application/json: { schema: { type: object } } } } } }
  /users:
    get: { operationId: listUsers, responses: { '200': { description: Users., content: { application/json: { schema: { type: array, items: { type: object } } } } } } }
    post:
      operationId: addUser
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string }, managerId: { type: integer, example: 12 } } }, example: { name: Bob, managerId: 12 } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } } }
    delete: { operationId: removeUsers, parameters: [{ name: ids, in: query, schema: { type: string, example: '12' } }], responses: { '204': { description: Gone. } } }
  /users/{userId}:
    parameters: [{ name: userId, in: path, required: true, schema: { type: integer, example: 12 } }]
    get: { operationId: getUser, responses: { '200': { description: A user., content: { application/json: { schema: { type: object } } } }, '404': { description: None. } } }
    delete: { operationId: removeUser, responses: { '204': { description: Gone. }, '404': { description: None. } } }
  /users/me:
    patch: { operationId: changeMe, requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '204': { description: Done. } } }
  /users/purge:
    post: { operationId: purgeUsers, requestBody: { required: true, content: { application/json: { schema: { type: object, required: [ids], properties: { ids: { type: array, items: { type: integer } } } }, example: { ids: [12] } } } }, responses: { '204': { description: Gone. } } }
  /users/{userId}/password-reset:
    parameters: [{ name: userId, in: path, required: true, schema: { type: integer, example: 12 } }]
    post: { operationId: mailNewPassword, responses: { '204': { description: Sent. } } }
  /transfers:
    post:
      operationId: op17
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [from, to], properties: { from: { type: string }, to: { type: string } } }, example: { from: acc-1, to: acc-2 } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } }
  /umschichtungen:
    post:
      operationId: op18
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [von], properties: { von: { type: string } } }, example: { von: acc-1 } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } }
  /orders:
    post:
      operationId: addOrder
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [lines], properties: { lines: { type: array, minItems: 1, items: { type: object, required: [productId], properties: { productId: { type: integer, example: 3 } } } } } } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } } }
  /orders/{orderId}:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getOrder, responses: { '200': { description: An order., content: { application/json: { schema: { type: object } } } } } }
  /api-keys:
    post: { operationId: addKey, responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } } }
  /api-keys/{keyId}:
    parameters: [{ name: keyId, in: path, required: true, schema: { type: string } }]
    delete: { operationId: removeKey, responses: { '204': { description: Gone. } } }
  /cache/clear:
    post: { operationId: clearCache, responses: { '204': { description: Done. } } }
  /logout:
    get: { operationId: logout, responses: { '204': { description: Done. } } }
  /users/search:
    post: { operationId: searchUsers, requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }, responses: { '200': { description: Users., content: { application/json: { schema: { type: array } } } } } }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('office', DOCUMENT);
});

/** A server without any access control: also a call without a credential succeeds. */
function office(): (request: WireRequest) => Scripted {
  let last = 12;
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return ({ method, target }) => {
    const path = target.split('?')[0] ?? '';
    if (path === '/users' && method === 'POST') return json(201, { id: (last += 1) });
    if (path === '/users' && method === 'GET') return json(200, [{ id: 12 }]);
    if (path === '/users/search') return json(200, []);
    if (path === '/settings' || method === 'GET') return json(200, { id: 12 });
    return path === '/transfers' || path === '/orders' ? json(201, { id: 1 }) : { status: 204 };
  };
}

async function writesOf(options: Partial<ConformanceOptions> = {}): Promise<readonly string[]> {
  const { transport, requests } = scripted(office());
  const wanted = {
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: permissions,
    credential: { header: 'Authorization', value: 'Bearer a-token-of-the-tests' },
    ...options,
  };
  await runConformance({ ...wanted, transport });
  const sent = requests.filter(({ method, target }) => !isRead(method) || target.startsWith('/logout'));
  return [...new Set(sent.map(({ method, target }) => `${method} ${target}`))];
}

const isRead = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS', 'PROPFIND'].includes(method);

test('with every permission and every seed, only users of the run are changed, also where every caller is let in', async () => {
  for (let seed = 0; seed < 5; seed += 1) {
    const sent = await writesOf({ seed, fuzz: 20, explore: 50 });
    const others = sent.filter((line) => !/^POST \/users$|^POST \/users\/search$/.test(line));
    expect(others.length).toBeGreaterThan(0);
    for (const line of others) expect(line).toMatch(/^DELETE \/users\/(?!12$)[\w-]+$/);
  }
});

test('the body of a creation names nothing that exists', async () => {
  const { transport, requests } = scripted(office());
  await runConformance({ contracts: [contract], baseUrl: 'http://localhost', allow: permissions, transport });
  const bodies = requests
    .filter(({ method, target }) => method === 'POST' && target === '/users')
    .map(({ body }) => new TextDecoder().decode(body));
  expect(bodies.length).toBeGreaterThan(0);
  expect(bodies.filter((body) => body.includes('"managerId":12'))).toEqual([]);
});

test('the plan says what is withheld, why, and which line of the fixtures allows it', () => {
  const plan = planConformance({ contracts: [contract], baseUrl: 'http://localhost', allow: permissions });
  const why = new Map(plan.withheld.map(({ operation, reason }) => [operation, reason]));
  expect([...why.keys()].toSorted()).toEqual([
    'addKey',
    'addOrder',
    'changeMe',
    'changeSettings',
    'clearCache',
    'logout',
    'mailNewPassword',
    'op17',
    'op18',
    'purgeUsers',
    'removeKey',
    'removeUsers',
    'setMaintenance',
  ]);
  expect(why.get('addOrder')).toBe('its body names things that the run cannot make, at /lines/0/productId');
  expect(why.get('op18')).toBe('its body names things that the run cannot make, at /von');
  const planned = plan.requests.find(({ operation }) => operation === 'addUser');
  expect(planned?.body).toMatch(/^\{"name":"tallystick-[0-9a-f]{8}"\}$/);
  expect(renderPlan(plan)).toMatch(/POST {2}\/users\S* .*\n +such as \{"name":"tallystick-/);
  expect(plan.withheld.find(({ operation }) => operation === 'purgeUsers')?.line).toBe(
    '"writes": ["purgeUsers"]',
  );
  expect(renderPlan(plan)).toContain('POST /users/purge: "purge" in its name');
});

test.each([
  ['lists it', { writes: ['purgeUsers'] }],
  ['gives a body for it', { bodies: { purgeUsers: { ids: [7] } } }],
])('an operation is called if the fixtures file %s', async (_, fixtures) => {
  expect(await writesOf({ fixtures })).toContain('POST /users/purge');
});

test('the template of the fixtures lists what is withheld, with the reason; without the comment signs, all of it is called', async () => {
  const lines = ownFixturesTemplate(contract).split('\n');
  const listed = lines.slice(lines.findIndex((line) => line.startsWith('#writes:')));
  expect(listed).toContainEqual(
    expect.stringMatching(/^# {2}- "purgeUsers" {2}# POST \/users\/purge: "purge" in its name says/),
  );
  const read = readFixtures(listed.map((line) => line.replace(/^#/, '')).join('\n'), {});
  expect(read).toMatchObject({ ok: true });
  const plan = planConformance({
    ...{ contracts: [contract], baseUrl: 'http://localhost', allow: permissions },
    fixtures: read.ok ? read.fixtures : {},
  });
  expect(plan.withheld).toEqual([]);
});

test('what is withheld only when the server has shown what is there, has its line too', async () => {
  // It calls a user new that it has shown before.
  const { transport } = scripted((request) =>
    request.method === 'POST' && request.target === '/users'
      ? { status: 201, headers: { 'Content-Type': 'application/json' }, body: { id: 12 } }
      : office()(request),
  );
  const report = await runConformance({
    ...{ contracts: [contract], baseUrl: 'http://localhost', allow: permissions, transport },
    credential: { header: 'Authorization', value: 'Bearer a-token-of-the-tests' },
  });
  const late = report.rules.filter(({ reason }) => reason?.includes('may exist'));
  expect(late.length).toBeGreaterThan(0);
  for (const { fixtureLine } of late) expect(fixtureLine).toBe('"writes": ["removeUser"]');
});
