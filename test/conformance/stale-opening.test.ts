import { expect, test } from 'vitest';
import { conclude, planConformance, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Report, WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

/** A document with reads of these paths, the first of which may have been removed from the server. */
const documentOf = (paths: readonly string[]): string => `
openapi: 3.0.3
info: { title: Notes, version: '1' }
security: [{ t: [] }]
paths:
${paths
  .map(
    (path) => `  /${path}:
    get:
      operationId: ${path}
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }`,
  )
  .join('\n')}
components: { securitySchemes: { t: { type: http, scheme: bearer } } }
`;

interface Run {
  readonly report: Report;
  readonly sent: readonly string[];
}

async function judged(
  paths: readonly string[],
  serve: (request: WireRequest) => Scripted,
  options: Partial<ConformanceOptions> = {},
): Promise<Run> {
  const { transport, requests } = scripted((request) => {
    const token = request.headers.find(([name]) => name === 'Authorization')?.[1];
    return token === 'Bearer good' ? serve(request) : { status: 401, headers: JSON_TYPE, body: {} };
  });
  const report = await runConformance({
    contracts: [await own('notes', documentOf(paths))],
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer good' },
    transport,
    ...options,
  });
  return { report, sent: requests.map(({ method, target }) => `${method} ${target}`) };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Serves these paths, and answers the others with this status. */
const serving =
  (served: readonly string[], other: Scripted = { status: 404, headers: JSON_TYPE, body: {} }) =>
  ({ target }: WireRequest): Scripted =>
    served.includes(target.slice(1)) ? { status: 200, headers: JSON_TYPE, body: {} } : other;

const verdicts = ({ rules }: Report): Record<string, string> =>
  Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));

test.each([
  [404, 'not-exercised', 'warn', 0],
  [405, 'not-exercised', 'warn', 0],
  [410, 'not-exercised', 'warn', 0],
  // An error of the server to a valid request breaks the document.
  [501, 'fail', 'not-exercised', 1],
])(
  'a stale first read that gets %i is said once, and the run goes on',
  async (status, answer, other, code) => {
    const { report } = await judged(
      ['old', 'users'],
      serving(['users'], { status, headers: JSON_TYPE, body: {} }),
    );
    expect(report.status).toBe('judged');
    expect(report.findings).toEqual([]);
    expect(verdicts(report)).toEqual({
      'document.old.answer': answer,
      'document.old.status': other,
      'document.old.security': 'pass',
      'document.users.answer': 'pass',
      'document.users.status': 'pass',
      'document.users.security': 'pass',
    });
    expect(conclude(report).exitCode).toBe(code);
  },
);

test.each<[string, Scripted]>([
  ['a page', { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>moved</p>' }],
  ['a redirection', { status: 301, headers: { Location: '/users' } }],
])('a first read that gets %s does not end the run', async (_, other) => {
  const { report } = await judged(['old', 'users'], serving(['users'], other));
  expect(report.status).toBe('judged');
  expect(verdicts(report)['document.users.answer']).toBe('pass');
  expect(Object.values(verdicts(report))).toContain(other.status === 200 ? 'fail' : 'warn');
});

const MANY = Array.from({ length: 40 }, (_, index) => `read${String(index)}`);

test('an API of which none of several reads is served is not served, which one finding says after five requests', async () => {
  const { report, sent } = await judged(MANY, serving([]));
  expect(report.status).toBe('not-served');
  expect(report.findings.map(({ says }) => says)).toEqual([
    'The API is not served here: GET /read0 returned 404, which the document does not declare. 4 other reads were not answered better',
  ]);
  expect(report.findings[0]?.exchanges).toHaveLength(5);
  expect(sent).toHaveLength(5);
});

test('the reads come from all parts of a document, so that a removed part does not hide the rest', async () => {
  const { report } = await judged(MANY, serving(MANY.slice(30)));
  expect(report.status).toBe('judged');
});

test('the plan counts the reads that may be sent', async () => {
  const contracts = [await own('notes', documentOf(MANY))];
  const { requests } = planConformance({
    contracts,
    baseUrl: 'http://localhost',
    fixtures: { cred: { jwt: 'good' } },
  });
  expect(requests.filter((request) => request.for === 'document.opening')).toHaveLength(5);
});

test('with an operation left out, another one opens the run', async () => {
  const { report, sent } = await judged(['old', 'users'], serving([]), { except: ['old'] });
  expect(report.status).toBe('not-served');
  expect(sent).toEqual(['GET /users']);
});

test('the credential is controlled by the read that is served', async () => {
  // Like many servers, it looks for the route before it looks at the credential.
  let isExpired = false;
  const { report } = await judged(['old', 'users', 'rooms'], ({ target }) => {
    if (target === '/old') return { status: 404, headers: JSON_TYPE, body: {} };
    if (target === '/rooms') isExpired = true;
    return isExpired
      ? { status: 401, headers: JSON_TYPE, body: {} }
      : { status: 200, headers: JSON_TYPE, body: {} };
  });
  const [finding] = report.findings;
  expect(finding?.kind).toBe('disturbed');
  expect(finding?.says).toMatch(/^The credential cred\.valid was accepted .*: GET \/users returned 401/);
});
