import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conclude, permissions, planConformance, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Report, WireRequest } from '../../conformance/index.ts';
import { loadContract } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

/** The server wants the token for everything but /login; the document says so for one operation alone. */
const DOCUMENT = `
openapi: 3.0.3
info: { title: Notes, version: '1' }
paths:
  /users:
    get:
      operationId: listUsers
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } } }
    post:
      operationId: addUser
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }, '400': { description: bad } }
  /users/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getUser
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }, '404': { description: none } }
    delete:
      operationId: removeUser
      responses: { '204': { description: gone }, '404': { description: none } }
  /maintenance:
    get:
      operationId: getMaintenance
      security: [{ t: [] }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
  /health:
    get:
      operationId: getHealth
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
components:
  securitySchemes: { t: { type: http, scheme: bearer } }
  schemas: { User: { type: object, required: [name], properties: { id: { type: string, readOnly: true }, name: { type: string } } } }
`;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const json = (status: number, body: unknown): Scripted => ({ status, headers: JSON_TYPE, body });

/** Keeps the document but for its missing security. */
function users(): (request: WireRequest) => Scripted {
  const known = new Map<string, unknown>([['u1', { id: 'u1', name: 'Ada' }]]);
  return (request) => {
    const path = request.target.split('?')[0] ?? '';
    if (path === '/health') return json(200, {});
    if (headerIn(request, 'Authorization') !== 'Bearer good') return json(403, { error: 'no token' });
    if (path === '/maintenance') return json(200, {});
    if (path === '/users' && request.method === 'GET') return json(200, [...known.values()]);
    if (path === '/users' && request.method === 'POST') {
      const body = parsed(request.body);
      if (typeof body?.['name'] !== 'string' || !/json/.test(headerIn(request, 'Content-Type') ?? ''))
        return json(400, {});
      const user = { ...body, id: `u${String(known.size + 1)}` };
      known.set(user.id, user);
      return json(201, user);
    }
    const id = decodeURIComponent(path.replace('/users/', ''));
    if (!known.has(id)) return json(404, {});
    if (request.method === 'DELETE') known.delete(id);
    return request.method === 'DELETE' ? { status: 204 } : json(200, known.get(id));
  };
}

function parsed(body: Uint8Array | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

interface Run {
  readonly report: Report;
  readonly requests: readonly WireRequest[];
}

async function judged(
  contract: Contract,
  serve: (request: WireRequest) => Scripted,
  options: Partial<ConformanceOptions> = {},
): Promise<Run> {
  const { transport, requests } = scripted(serve);
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer good' },
    allow: permissions,
    transport,
    ...options,
  });
  return { report, requests };
}

const broken = ({ rules }: Report): readonly string[] =>
  rules.flatMap(({ id, verdict, expected = '', observed = '' }) =>
    ['fail', 'warn', 'error', 'inconclusive'].includes(verdict) ? [`${id}: ${expected}, ${observed}`] : [],
  );

const withToken = (requests: readonly WireRequest[]): readonly string[] => [
  ...new Set(
    requests
      .filter((request) => headerIn(request, 'Authorization') !== undefined)
      .map(({ method, target }) => `${method} ${target}`),
  ),
];

const CALLED = ['listUsers', 'addUser', 'getUser', 'removeUser'];

test('operations whose security the document forgot are one finding, and the run goes on with the credential', async () => {
  const { report } = await judged(await own('notes', DOCUMENT), users());
  expect(broken(report)).toEqual([]);
  expect(report.findings).toHaveLength(1);
  const [finding] = report.findings;
  expect(finding?.kind).toBe('document');
  expect(finding?.says).toMatch(
    /^The document has no security for 4 operations that want the credential: GET \/users returned 403 without one, and 200 with it$/,
  );
  expect(finding?.help).toContain(`Operations: ${CALLED.join(', ')}.`);
  const passed = report.rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  for (const operation of CALLED) expect(passed).toContain(`document.${operation}.answer`);
  expect(passed).toContain('document.addUser.bad-body');
  expect(conclude(report).exitCode).toBe(1);
});

test('the Overlay of the finding corrects the document', async () => {
  const { report } = await judged(await own('notes', DOCUMENT), users());
  const overlay = report.findings[0]?.help?.replace(/^.*--overlay: /, '') ?? '';
  const cwd = mkdtempSync(join(tmpdir(), 'tallystick-overlay-'));
  try {
    writeFileSync(join(cwd, 'notes.yaml'), DOCUMENT);
    writeFileSync(join(cwd, 'security.yaml'), overlay);
    const loaded = await loadContract({ document: 'notes.yaml', overlays: ['security.yaml'], cwd });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    expect(loaded.warnings).toEqual([]);
    const again = await judged(loaded.contract, users());
    expect(again.report.findings).toEqual([]);
    expect(broken(again.report)).toEqual([]);
    const secured = again.report.rules.filter(
      ({ id, verdict }) => /security$/.test(id) && verdict === 'pass',
    );
    expect(secured.map(({ id }) => id)).toEqual(
      expect.arrayContaining(CALLED.map((id) => `document.${id}.security`)),
    );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});

test('what is open stays without the credential', async () => {
  const { requests } = await judged(await own('notes', DOCUMENT), users());
  expect(withToken(requests)).not.toContain('GET /health');
  const open = await judged(await own('notes', DOCUMENT), (request) =>
    request.target === '/maintenance' && headerIn(request, 'Authorization') === undefined
      ? json(401, {})
      : users()({ ...request, headers: [...request.headers, ['Authorization', 'Bearer good']] }),
  );
  expect(open.report.findings).toEqual([]);
  expect(withToken(open.requests)).toEqual(['GET /maintenance']);
});

test('an operation that refuses the credential too is asked with it once, and judged without it', async () => {
  const { report, requests } = await judged(await own('notes', DOCUMENT), (request) =>
    request.target.startsWith('/users') ? json(403, {}) : users()(request),
  );
  expect(report.findings).toEqual([]);
  const asked = requests.filter(
    (request) =>
      request.method === 'GET' &&
      request.target === '/users' &&
      headerIn(request, 'Authorization') !== undefined,
  );
  expect(asked).toHaveLength(1);
  expect(broken(report)).toContainEqual(
    expect.stringMatching(/^document\.listUsers\.status: a declared status: 200, 403/),
  );
});

test('a refusal that the document declares is a doubt about the document, and no fault', async () => {
  const declared = DOCUMENT.replaceAll(
    "'200': { description: ok",
    "'403': { description: no }, '200': { description: ok",
  );
  const { report } = await judged(await own('notes', declared), users(), { allow: [] });
  expect(report.findings.map(({ kind }) => kind)).toEqual(['doubt']);
  expect(conclude(report).exitCode).toBe(0);
});

test('without a credential nothing is tried, and the first finding says what is missing', async () => {
  const { report, requests } = await judged(
    await own('notes', DOCUMENT.replace('/health', '/zhealth')),
    users(),
    {
      credential: undefined,
    },
  );
  expect(withToken(requests)).toEqual([]);
  expect(report.findings[0]?.says).toBe(
    'The server wants a credential: GET /users returned 403 without one, which the document allows',
  );
});

test.each([
  ['a header of its own', { headers: [['X-Api-Key', 'good']] as const, credential: undefined }, 'X-Api-Key'],
  [
    'a header that the document uses',
    { headers: [['Authorization', 'Bearer good']] as const, credential: undefined },
    'Authorization',
  ],
])('%s given with --header reaches all operations that want it', async (_, options, name) => {
  const serve = users();
  const { report } = await judged(
    await own('notes', DOCUMENT),
    (request) => {
      if (headerIn(request, name) === undefined)
        return request.target === '/health' ? json(200, {}) : json(403, {});
      return serve({ ...request, headers: [...request.headers, ['Authorization', 'Bearer good']] });
    },
    options,
  );
  const passed = report.rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  for (const operation of CALLED) expect(passed).toContain(`document.${operation}.answer`);
});

test('a document without any scheme gets one by the Overlay', async () => {
  const bare = DOCUMENT.replace('      security: [{ t: [] }]\n', '').replace(/  securitySchemes:.*\n/, '');
  const { report } = await judged(await own('notes', bare), users());
  expect(report.findings[0]?.says).toContain('for 5 operations');
  expect(report.findings[0]?.help).toContain(
    '{"target":"$","update":{"components":{"securitySchemes":{"access":{"type":"http","scheme":"bearer"}}}}}',
  );
});

test('the credential does not go to an operation of another server', async () => {
  const elsewhere = DOCUMENT.replace(
    '      operationId: listUsers',
    '      operationId: listUsers\n      servers: [{ url: https://other.example }]',
  ).replace('paths:', 'servers: [{ url: http://localhost }]\npaths:');
  const { requests } = await judged(await own('notes', elsewhere), users());
  expect(requests.filter(({ method, target }) => method === 'GET' && target === '/users')).toEqual([]);
});

test('a run sends no more requests, and no more that could be billed, than its plan says', async () => {
  const contract = await own('notes', DOCUMENT);
  const { report, requests } = await judged(contract, users());
  const plan = planConformance({
    ...{ contracts: [contract], baseUrl: 'http://localhost', allow: permissions },
    credential: { header: 'Authorization', value: 'Bearer good' },
  });
  expect(requests.length).toBeLessThanOrEqual(plan.requestsAtMost);
  expect(report.requests.billable).toBeGreaterThan(0);
  expect(report.requests.billable).toBeLessThanOrEqual(plan.billedAtMost);
  const none = await judged(contract, users(), { maxRuns: 0 });
  expect(none.report.requests.billable).toBe(0);
  expect(none.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('of many operations, the finding names some, and says how many more there are', async () => {
  const many = Array.from(
    { length: 25 },
    (_, index) => `  /list${String(index)}:
    get: { operationId: list${String(index)}, responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } } }`,
  );
  const document = DOCUMENT.replace('paths:\n', `paths:\n${many.join('\n')}\n`);
  const { report } = await judged(
    await own('notes', document),
    (request) => (headerIn(request, 'Authorization') === undefined ? json(401, {}) : json(200, [])),
    { allow: [], rules: ['document.list*'] },
  );
  const found = report.findings.filter(({ kind }) => kind === 'document');
  expect(found).toHaveLength(1);
  expect(found[0]?.says).toMatch(/no security for 2[5-9] operations that want the credential/);
  expect(found[0]?.help).toMatch(/ and [5-9] more, which the Overlay below lacks\. /);
  expect(found[0]?.help?.match(/"target":"\$\.paths/g)).toHaveLength(20);
  expect(found[0]?.exchanges.length).toBeLessThanOrEqual(20);
});
