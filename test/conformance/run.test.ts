import { expect, test } from 'vitest';
import { exitCode, renderReport, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Report } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { headerIn, routerContract, scripted } from './servers.ts';
import type { Scripted } from './servers.ts';

const key = { header: 'X-API-Key', value: 'service-secret-4711' };

async function judge(
  answer: (target: string, authenticated: boolean) => Scripted,
  options: Partial<ConformanceOptions> = {},
): Promise<Report> {
  const { transport } = scripted((request) =>
    answer(request.target, headerIn(request, 'X-API-Key') !== undefined),
  );
  return runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    credential: key,
    transport,
    clock: virtualClock({ startAt: 0 }),
    ...options,
  });
}

const error = (status: number, bucket: string): Scripted => ({
  status,
  headers: { 'x-service-request-id': 'r', 'x-service-error-type': bucket },
  body: { error_type: bucket, detail: 'no' },
});

test('router.availability.served: a router before its rollout is one finding, no failure, exit 3', async () => {
  const report = await judge((_, authenticated) =>
    authenticated ? error(404, 'model_not_found') : error(401, 'unauthorized'),
  );
  expect(report.status).toBe('not-served');
  expect(report.findings.map(({ kind }) => kind)).toEqual(['not-served']);
  expect(report.summary.fail + report.summary.warn + report.summary.error).toBe(0);
  expect(report.exchanges).toHaveLength(1);
  expect(exitCode(report)).toBe(3);
});

test('a server without answers results in one finding and exit code 3', async () => {
  const report = await judge(() => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.4:443'), { code: 'ECONNREFUSED' });
  });
  expect(report.status).toBe('unreachable');
  expect(report.findings[0]?.says).toBe(
    'https://api.example.com does not respond: connect ECONNREFUSED 10.0.0.4:443',
  );
  expect(exitCode(report)).toBe(3);
});

test('a server that comes up late is waited for', async () => {
  let calls = 0;
  const report = await judge(
    (_, authenticated) => {
      calls += 1;
      if (calls < 4) throw new Error('not yet');
      return authenticated ? error(404, 'model_not_found') : error(401, 'unauthorized');
    },
    { waitMs: 10_000 },
  );
  expect(report.status).toBe('not-served');
});

test('a refused credential is one error, and rules without a credential are still judged', async () => {
  const report = await judge(() => error(401, 'unauthorized'));
  expect(report.findings.filter(({ kind }) => kind === 'credential')).toHaveLength(1);
  const verdict = (id: string): string | undefined => report.rules.find((rule) => rule.id === id)?.verdict;
  expect(verdict('router.list.limit-default')).toBe('error');
  expect(verdict('router.auth.required')).toBe('pass');
  expect(exitCode(report)).toBe(2);
});

test('a 503 leaves rules inconclusive and breaks none', async () => {
  const report = await judge((_, authenticated) =>
    authenticated ? error(503, 'service_unavailable') : error(401, 'unauthorized'),
  );
  expect(report.summary.fail).toBe(0);
  expect(report.rules.find(({ id }) => id === 'router.list.limit-default')).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the server returned 503',
  });
});

test('without a credential the rules that need one name the line to add', async () => {
  const report = await judge(() => error(401, 'unauthorized'), { credential: undefined });
  expect(report.rules.find(({ id }) => id === 'router.list.limit-default')).toMatchObject({
    verdict: 'not-exercised',
    missing: 'cred.valid',
    fixtureLine: '"cred": { "valid": { "header": "X-API-Key", "value": "$API_KEY" } }',
  });
});

test('a wrong fixture is one error, and does not fail the rules that use it', async () => {
  const report = await judge(
    (target, authenticated) => {
      if (!authenticated) return error(401, 'unauthorized');
      if (target.startsWith('/v1/models?') || target === '/v1/models') {
        return {
          status: 200,
          headers: { 'x-service-request-id': 'r', 'cache-control': 'private' },
          body: { data: [], has_more: false, limit: 20 },
        };
      }
      return error(404, 'model_not_found');
    },
    {
      fixtures: { model: { ok: { id: 'acme/ok', input: {} } } },
      allow: ['billed'],
      rules: ['router.idem.*', 'router.run.ok'],
    },
  );
  expect(report.findings.map(({ kind, says }) => `${kind}: ${says}`)).toEqual([
    'fixture: fixture model.ok: it returned 404 model_not_found',
  ]);
  expect(report.rules.find(({ id }) => id === 'router.idem.replay')?.verdict).toBe('error');
  expect(report.summary.fail).toBe(0);
  expect(exitCode(report)).toBe(2);
});

test('--max-runs excludes scenarios that would exceed it', async () => {
  const report = await judge(
    (_, authenticated) => (authenticated ? error(500, 'internal_error') : error(401, 'unauthorized')),
    {
      fixtures: { model: { ok: { id: 'acme/ok', input: {} } } },
      allow: ['billed'],
      maxRuns: 1,
      rules: ['router.idem.replay'],
    },
  );
  expect(report.rules[0]).toMatchObject({ verdict: 'not-exercised', missing: '--max-runs' });
  expect(report.exchanges.every(({ request }) => request.method === 'GET')).toBe(true);
});

test('the report counts all sent requests, including repeated ones, and how many could be billed', async () => {
  let calls = 0;
  const { transport, requests } = scripted((request) => {
    calls += 1;
    if (headerIn(request, 'X-API-Key') === undefined) return error(401, 'unauthorized');
    return calls % 3 === 0 ? error(503, 'service_unavailable') : error(500, 'internal_error');
  });
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    credential: key,
    transport,
    clock: virtualClock({ startAt: 0 }),
    fixtures: { model: { ok: { id: 'acme/ok', input: {} } } },
    allow: ['billed'],
    retries: 2,
  });
  const billable = requests.filter(
    (request) => request.method === 'POST' && headerIn(request, 'X-API-Key') === key.value,
  ).length;
  expect(billable).toBeGreaterThan(0);
  expect(report.requests).toMatchObject({ sent: requests.length, billable });
  expect(report.requests.billedAtMost).toBeGreaterThan(billable);
  expect(renderReport(report, 'text')).toContain(
    `${requests.length} requests, ${billable} of them could be billed (limit of the plan: ${report.requests.billedAtMost})`,
  );
});

test.each<[string, Partial<ConformanceOptions>, RegExp]>([
  ['a misspelt rule', { rules: ['router.list.limit-clampd'] }, /Did you mean router\.list\.limit-clamped\?/],
  ['a misspelt requirement', { gate: { require: ['router.lsit.*'] } }, /Did you mean router\.list\.\*\?/],
  ['a rule that no live server is judged by', { rules: ['router.cursor.opaque'] }, /a rule for clients/],
  ['levels that leave no rule', { rules: ['router.idem.replay'], levels: ['should'] }, /chosen level/],
])('%s sends nothing and is an error of the caller', async (_, options, message) => {
  const { transport, requests } = scripted(() => ({ status: 200 }));
  const run = runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    transport,
    ...options,
  });
  await expect(run).rejects.toThrow(message);
  expect(requests).toEqual([]);
});

test('a failure says what was sent, what came back, what was expected and how to see it again', async () => {
  const report = await judge(
    (target, authenticated) =>
      authenticated && /^\/v1\/models(\?|$)/.test(target)
        ? {
            status: 200,
            headers: { 'x-service-request-id': 'r', 'cache-control': 'private' },
            body: { data: [], has_more: false, limit: Number(/limit=(\d+)/.exec(target)?.[1] ?? 20) },
          }
        : error(401, 'unauthorized'),
    { rules: ['router.list.limit-clamped'] },
  );
  expect(report.rules).toHaveLength(1);
  const text = renderReport(report, 'text', { width: 100 });
  expect(text.replace(/x\d{4}/g, 'x0000')).toMatchInlineSnapshot(`
    "  target  https://api.example.com   identity: API key …4711   random seed 0
      sent    20 requests   allowed: reads
      router  1 fail
    ✖ router.list.limit-clamped   must
        rule      A limit over 100 is not an error: the page size becomes 100, and 100 is echoed.
        cites     document 1 (Model Router API), GET /v1/models, parameter limit; Limits, page size
        sent      GET /v1/models?limit=101
        got       200 with 0 items, limit 101, has_more false, next_cursor nothing   exchange x0000
        expected  a page of at most 100 items, with limit 100
                  5 of 5 checks failed
        repeat    npx --no -- tallystick conform replay report.json router.list.limit-clamped --base-url https://api.example.com
                  curl -i --no-location --path-as-is --globoff -H "X-API-Key: $API_KEY" 'https://api.example.com/v1/models?limit=101'
      1 rule: 1 fail     0.0 s     exit 1
    "
  `);
});

test('rules that an interrupted run did not reach are inconclusive', async () => {
  const stop = new AbortController();
  const report = await judge(
    (_, authenticated) => {
      if (!authenticated) return error(401, 'unauthorized');
      stop.abort();
      return error(500, 'internal_error');
    },
    { signal: stop.signal, concurrency: 1 },
  );
  expect(report.status).toBe('interrupted');
  expect(report.rules.find(({ id }) => id === 'router.schema.inm-304')).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the run was interrupted',
  });
});

test('--fail-fast stops at the first broken rule and says so for the others', async () => {
  const report = await judge(
    (_, authenticated) => (authenticated ? error(500, 'internal_error') : error(401, 'unauthorized')),
    {
      failFast: true,
      concurrency: 1,
    },
  );
  expect(report.summary.fail).toBeGreaterThan(0);
  expect(report.rules.find(({ id }) => id === 'router.schema.inm-304')).toMatchObject({
    verdict: 'not-exercised',
    reason: 'the run stopped at the first broken rule',
  });
});

test('the shards of a run judge every rule between them', async () => {
  const answer = (_: string, authenticated: boolean): Scripted =>
    authenticated ? error(500, 'internal_error') : error(401, 'unauthorized');
  const judged = async (shard?: { index: number; count: number }): Promise<ReadonlySet<string>> => {
    const report = await judge(answer, { shard });
    return new Set(report.rules.filter(({ checks }) => checks > 0).map(({ id }) => id));
  };
  const whole = await judged();
  const parts = await Promise.all([1, 2, 3].map((index) => judged({ index, count: 3 })));
  expect(new Set(parts.flatMap((part) => [...part]))).toEqual(whole);
  for (const part of parts) expect(part.size).toBeLessThan(whole.size);
});

test('the rate of requests follows the clock of the run', async () => {
  const clock = virtualClock({ startAt: 0 });
  const report = await judge(
    (_, authenticated) => (authenticated ? error(500, 'internal_error') : error(401, 'unauthorized')),
    {
      clock,
      rate: 2,
      rules: ['router.auth.garbage'],
    },
  );
  const starts = report.exchanges.map(({ startedAtMs }) => startedAtMs);
  expect(starts.slice(1).every((start, index) => start - (starts[index] ?? 0) >= 500)).toBe(true);
});
