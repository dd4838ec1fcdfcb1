import { beforeAll, expect, test } from 'vitest';
import { permissions, runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

/** 403 is the answer for what does not exist, and 401 is declared for a refresh token that is not known. */
const DOCUMENT = `
openapi: 3.0.3
info: { title: Users, version: '1' }
security: [{ t: [] }]
paths:
  /users:
    get:
      operationId: listUsers
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { items: { type: array, items: { $ref: '#/components/schemas/U' } } } } } } }, '403': { description: no, content: { application/json: {} } } }
    post:
      operationId: createUser
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/U' } } } }, '400': { description: bad, content: { application/json: {} } }, '403': { description: no, content: { application/json: {} } } }
  /users/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getUser
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/U' } } } }, '403': { description: no permission or nothing there, content: { application/json: {} } } }
    delete:
      operationId: deleteUser
      responses: { '204': { description: gone }, '403': { description: no permission or nothing there, content: { application/json: {} } } }
  /refresh:
    post:
      operationId: refresh
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [token], properties: { token: { type: string } } } } } }
      responses: { '200': { description: ok }, '400': { description: bad }, '401': { description: no such refresh token, content: { application/json: {} } } }
components:
  securitySchemes: { t: { type: http, scheme: bearer } }
  schemas: { U: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } } }
`;

const json = (status: number, body: unknown): Scripted => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});

/** @param isExpired whether the credential is refused from now on; asked for each request */
function users(isExpired: (request: WireRequest) => boolean): (request: WireRequest) => Scripted {
  const known = new Map<string, object>();
  let last = 0;
  return (request) => {
    const { method, target } = request;
    if (headerIn(request, 'Authorization') !== 'Bearer good' || isExpired(request)) return json(401, {});
    if (target === '/users' && method === 'GET') return json(200, { items: [...known.values()] });
    const body = method === 'POST' ? parsed(request.body) : undefined;
    const isJson = /^application\/json/.test(headerIn(request, 'Content-Type') ?? '');
    if (target === '/refresh') return json(isJson && typeof body?.['token'] === 'string' ? 401 : 400, {});
    if (target === '/users') {
      if (!isJson || typeof body?.['name'] !== 'string') return json(400, {});
      const user = { id: `u${String((last += 1))}`, name: body['name'] };
      known.set(user.id, user);
      return json(201, user);
    }
    const id = decodeURIComponent(target.slice('/users/'.length));
    const user = target.startsWith('/users/') ? known.get(id) : undefined;
    if (user === undefined) return json(403, {});
    if (method === 'DELETE') known.delete(id);
    return method === 'DELETE' ? { status: 204 } : json(200, user);
  };
}

function parsed(body: Uint8Array | undefined): Record<string, unknown> | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

let contract: Contract;
beforeAll(async () => {
  contract = await own('users', DOCUMENT);
});

async function judged(
  isExpired: (request: WireRequest) => boolean,
  except?: readonly string[],
): Promise<{ readonly report: Report; readonly requests: readonly WireRequest[] }> {
  const { transport, requests } = scripted(users(isExpired));
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer good' },
    fixtures: { writes: ['refresh'] },
    allow: permissions,
    concurrency: 1,
    transport,
    ...(except === undefined ? {} : { except }),
  });
  return { report, requests };
}

const inconclusive = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'inconclusive').map(({ id, reason = '' }) => `${id}: ${reason}`);

test.each([
  ['a list', undefined],
  // Then every read is about a user of the run, and those are removed.
  ['a removed thing', ['listUsers']],
])('a declared 401 is no sign of an expired credential where %s can be read', async (_, except) => {
  const { report, requests } = await judged(() => false, except);
  expect(report.findings.filter(({ kind }) => kind === 'disturbed' || kind === 'fixture')).toEqual([]);
  expect(inconclusive(report)).toEqual([]);
  expect(report.rules.find(({ id }) => id === 'document.refresh.bad-body')?.verdict).toBe('pass');
  expect(requests.some(({ method, target }) => method === 'DELETE' && target.startsWith('/users/u'))).toBe(
    true,
  );
});

test('what has expired is still found, after a declared 401 as well', async () => {
  let refreshed = 0;
  const { report } = await judged(({ target }) => {
    if (target === '/refresh') refreshed += 1;
    return refreshed > 1;
  });
  expect(report.findings.filter(({ kind }) => kind === 'disturbed').map(({ says }) => says)).toEqual([
    expect.stringMatching(
      /^The credential cred\.valid was accepted for .* is refused since .*: GET \/users returned 401$/,
    ),
  ]);
});
