import { expect, test } from 'vitest';
import { conclude, permissions, planConformance, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Report, WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

/** Calls with a credential and without one are allowed. */
const documentOf = (security: string, refusal = ", '401': { description: Who are you? }"): string => `
openapi: 3.1.0
info: { title: Me, version: '1' }
security: ${security}
paths:
  /me:
    get:
      operationId: readMe
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } } }${refusal} }
    put:
      operationId: nameMe
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: ok }${refusal} }
components:
  securitySchemes:
    Bearer: { type: http, scheme: bearer }
    Key: { type: apiKey, in: header, name: X-Api-Key }
`;

const EITHER_ORDER = ['[{ Bearer: [] }, {}]', '[{}, { Bearer: [] }]'];

const json = (status: number, body: unknown): Scripted => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});

/** Shows who somebody is only to those who say it. */
const strict = (request: WireRequest): Scripted => {
  if (request.target !== '/me') return json(404, {});
  if (headerIn(request, 'Authorization') !== 'Bearer good') return json(401, {});
  return request.method === 'GET' ? json(200, { name: 1 }) : { status: 204 };
};

async function judged(
  document: string,
  serve: (request: WireRequest) => Scripted,
  options: Partial<ConformanceOptions> = {},
): Promise<{ readonly report: Report; readonly sent: readonly string[] }> {
  const { transport, requests } = scripted(serve);
  const report = await runConformance({
    contracts: [await own('own-me', document)],
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer good' },
    transport,
    ...options,
  });
  const sent = requests.map(
    (request) => `${request.method} ${request.target} ${headerIn(request, 'Authorization') ?? '-'}`,
  );
  return { report, sent };
}

const verdict = ({ rules }: Report, id: string): string =>
  rules.find((rule) => rule.id === id)?.verdict ?? 'none';

test.each(EITHER_ORDER)('with security %s a given credential is sent, and once none', async (security) => {
  const { report, sent } = await judged(documentOf(security), strict);
  expect(report.findings).toEqual([]);
  expect(verdict(report, 'document.readMe.answer')).toBe('fail');
  expect(sent.filter((line) => line === 'GET /me Bearer good').length).toBeGreaterThan(0);
  expect(sent.filter((line) => line === 'GET /me -')).toHaveLength(1);
});

test('a declared refusal of the anonymous call is no fault, and one that is not declared is', async () => {
  const [security = ''] = EITHER_ORDER;
  const declared = await judged(documentOf(security), strict);
  expect(verdict(declared.report, 'document.readMe.status')).toBe('pass');
  const silent = await judged(documentOf(security, ''), strict);
  expect(verdict(silent.report, 'document.readMe.status')).toBe('warn');
  const open = await judged(documentOf(security, ''), ({ target }) =>
    target === '/me' ? json(200, { name: 'Ada' }) : json(404, {}),
  );
  expect(verdict(open.report, 'document.readMe.status')).toBe('pass');
  expect(conclude(open.report).exitCode).toBe(0);
});

test('a refusal of the credential is one of the credential alone, and is not judged by the document', async () => {
  const { report } = await judged(documentOf(EITHER_ORDER[0] ?? '', ''), (request) =>
    headerIn(request, 'Authorization') === undefined ? json(200, { name: 'Ada' }) : json(403, {}),
  );
  expect(verdict(report, 'document.readMe.status')).not.toBe('warn');
  expect(report.findings[0]?.says).toContain('The credential was refused: GET /me returned 403');
});

test('without a credential, the operations are called without one', async () => {
  const open = await judged(
    documentOf(EITHER_ORDER[0] ?? ''),
    ({ target }) => (target === '/me' ? json(200, { name: 'Ada' }) : json(404, {})),
    { credential: undefined },
  );
  expect(verdict(open.report, 'document.readMe.answer')).toBe('pass');
  const closed = await judged(documentOf(EITHER_ORDER[0] ?? ''), strict, { credential: undefined });
  expect(closed.report.findings[0]?.says).toBe(
    'The server wants a credential: GET /me returned 401 without one, which the document allows',
  );
});

test('a write with the optional credential could be billed, and the plan says so', async () => {
  const contracts = [await own('own-me', documentOf(EITHER_ORDER[0] ?? ''))];
  const options = {
    contracts,
    baseUrl: 'http://localhost',
    allow: permissions,
    fixtures: { writes: ['nameMe'] },
  };
  const credential = { header: 'Authorization', value: 'Bearer good' };
  expect(planConformance(options).billedAtMost).toBe(0);
  expect(planConformance({ ...options, credential }).billedAtMost).toBeGreaterThan(0);
  const { sent } = await judged(documentOf(EITHER_ORDER[0] ?? ''), strict, options);
  expect(sent).toContain('PUT /me Bearer good');
  expect(sent.filter((line) => line === 'PUT /me -')).toEqual([]);
});

test('of two keys that are wanted together or not at all, both are sent', async () => {
  const { report } = await judged(
    documentOf('[{ Bearer: [], Key: [] }, {}]'),
    (request) => {
      if (request.target !== '/me') return json(404, {});
      const isWhole =
        headerIn(request, 'Authorization') !== undefined && headerIn(request, 'X-Api-Key') === 'key';
      return isWhole ? json(200, { name: 'Ada' }) : json(401, {});
    },
    { fixtures: { cred: { apiKey: 'key' } } },
  );
  expect(verdict(report, 'document.readMe.answer')).toBe('pass');
});
