import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../conformance/index.ts';
import { loadOwnContract, ownContractNames, type Contract } from '../../contract/index.ts';
import { startMock } from '../../mock/index.ts';
import { smallGraph } from '../inspector/traffic.ts';
import { type JudgedExchange, startProxy } from '../../proxy/index.ts';

let contracts: readonly Contract[];
beforeAll(async () => {
  contracts = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
});

interface Session {
  readonly get: (target: string, init?: RequestInit) => Promise<Response>;
  /** Ends the proxy and gives its report. */
  readonly end: () => Promise<Report>;
  readonly seen: readonly JudgedExchange[];
  readonly controlUrl: string;
}

async function through(deviations: readonly string[] = []): Promise<Session> {
  const mock = await startMock({ deviations, controlPort: false });
  const seen: JudgedExchange[] = [];
  const proxy = await startProxy({
    target: new URL(mock.url),
    contracts,
    controlPort: 0,
    onExchange: (judged) => void seen.push(judged),
  });
  let report: Promise<Report> | undefined;
  const end = (): Promise<Report> => (report ??= proxy.stop());
  onTestFinished(async () => {
    await end();
    await mock.stop();
  });
  return {
    get: async (target, init = {}) => {
      const headers = { 'X-API-Key': 'service-mock-ok', ...(init.headers as Record<string, string>) };
      const answer = await fetch(`${proxy.url}${target}`, { ...init, headers });
      await answer.clone().arrayBuffer();
      return answer;
    },
    end,
    seen,
    controlUrl: proxy.controlUrl ?? '',
  };
}

const broken = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

const run: RequestInit = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'one' },
  body: '{"prompt":"a tally stick"}',
};

test('calls to a faithful server break no rule, and the rules that they show have a verdict', async () => {
  const session = await through();
  await session.get('/v1/models');
  await session.get('/v1/models/mock/ok', run);
  await session.get('/v1/models/no/such', { ...run, headers: { ...run.headers, 'Idempotency-Key': 'two' } });
  const report = await session.end();
  expect(broken(report)).toStrictEqual([]);
  const passed = report.rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  expect(passed).toEqual(
    expect.arrayContaining([
      'router.headers.request-id',
      'router.errors.body-shape',
      'router.errors.closed-fifteen',
    ]),
  );
  expect(report.requests.sent).toBe(3);
});

test('the key of one caller is not the key of another, though neither credential is kept', async () => {
  const session = await through();
  for (const caller of ['service-mock-ok', 'service-mock-ok-2'])
    await session.get('/v1/models/mock/ok', {
      ...run,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'one', 'X-API-Key': caller },
    });
  expect(broken(await session.end())).toStrictEqual([]);
  expect(session.seen.map(({ entry }) => entry.status)).toStrictEqual([200, 200]);
});

test('an answer that breaks a rule names it at once, in the journal and in the report', async () => {
  const session = await through(['router.headers.request-id~missing-on-401']);
  await session.get('/v1/models', { headers: { 'X-API-Key': '' } });
  const report = await session.end();
  expect(broken(report)).toContain('router.headers.request-id');
  expect(session.seen[0]?.breaches[0]).toMatchObject({ rule: 'router.headers.request-id', level: 'must' });
  expect(session.seen[0]?.entry.trail[0]).toMatchObject({ because: 'router.headers.request-id' });
});

test('a job that another caller cannot find is not reported as lost', async () => {
  const session = await through();
  const as = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` });
  const made = await session.get('/api/v2/jobs', {
    method: 'POST',
    headers: { ...as('service-mock-ok'), 'Content-Type': 'application/json' },
    body: JSON.stringify(smallGraph),
  });
  const { id } = (await made.json()) as { id: string };
  const read = async (key: string): Promise<number> =>
    (await session.get(`/api/v2/jobs/${id}`, { headers: as(key) })).status;
  expect(await read('service-mock-ok')).toBe(200);
  expect(await read('service-mock-ok+somebody-else')).toBe(404);
  expect(broken(await session.end())).not.toContain('jobs.submit.durable');
});

test('answers to HEAD have headers alone, and break no rule', async () => {
  const session = await through();
  for (const target of ['/v1/models', '/v1/models/mock/ok/openapi.json'])
    await session.get(target, { method: 'HEAD' });
  expect(broken(await session.end())).toStrictEqual([]);
  expect(session.seen.map(({ entry }) => [entry.status, entry.responseFindings])).toStrictEqual([
    [200, []],
    [200, []],
  ]);
});

test('a client that changes the body under a key breaks a rule for clients', async () => {
  const session = await through();
  await session.get('/v1/models/mock/ok', run);
  await session.get('/v1/models/mock/ok', { ...run, body: '{"prompt":"another"}' });
  const report = await session.end();
  expect(broken(report)).toContain('router.idem.recommended');
});

test('a request that the document does not allow is a finding about the request', async () => {
  const session = await through();
  await session.get('/v1/models?limit=much');
  await session.end();
  expect(session.seen[0]?.entry.requestFindings[0]).toMatchObject({ at: 'query.limit' });
});

test('the page shows the traffic, and no control of a mock', async () => {
  const session = await through();
  await session.get('/v1/models');
  const control = (path: string, method = 'GET'): Promise<Response> =>
    fetch(`${session.controlUrl}/control/v1/${path}`, { method });
  const { resources } = (await (await control('state')).json()) as { resources: readonly string[] };
  expect(resources).toStrictEqual(['state', 'journal', 'reference', 'operations', 'openapi']);
  expect((await control('reset', 'POST')).status).toBe(404);
  expect((await control('journal/1/replay', 'POST')).ok).toBe(false);
});

test('no credential is in the report, in the journal or on the page', async () => {
  const secret = 'service-mock-ok+a-secret-that-nobody-sees';
  const session = await through();
  await session.get('/v1/models', { headers: { 'X-API-Key': secret } });
  // No call waits for its judgement.
  let page = '';
  const read = async (): Promise<string> =>
    (page = await (await fetch(`${session.controlUrl}/control/v1/journal`)).text());
  await expect.poll(read).toContain('/v1/models');
  const report = await session.end();
  for (const text of [JSON.stringify(report), JSON.stringify(session.seen), page])
    expect(text).not.toContain(secret);
});

test('however many callers pass, no credential of them is in the report', async () => {
  const session = await through();
  for (let caller = 0; caller <= 100; caller += 1)
    await session.get('/v1/models', { headers: { 'X-API-Key': `k-${String(caller)}-is-nobodys` } });
  const text = JSON.stringify(await session.end());
  expect(text).not.toContain('is-nobodys');
});
