import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { exitCode, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Report } from '../../conformance/index.ts';
import { makeExchange } from '../../conformance/exchanges/exchange.ts';
import { retryAfterMs } from '../../conformance/http/retry-after.ts';
import { main } from '../../cli/main.ts';
import { rate } from '../../cli/command-line.ts';
import { virtualClock } from '../../mock/index.ts';
import { allContracts, routerContract, scripted } from './servers.ts';
import type { Scripted } from './servers.ts';

const NOW = Date.UTC(2026, 0, 5, 9);

const page = { data: [], has_more: false, limit: 20 };

function answered(headers: readonly (readonly [string, string])[]): ReturnType<typeof makeExchange> {
  const request = { method: 'GET', target: '/', headers: [], body: undefined, as: 'none' };
  const answer = { status: 429, headers, body: new Uint8Array(), informational: [] };
  return makeExchange({
    id: 'x1',
    api: 'router',
    scenario: 's',
    request,
    answer,
    failure: undefined,
    startedAt: 0,
    endedAt: 0,
  });
}

test.each<[string, readonly (readonly [string, string])[], number | undefined]>([
  ['no header', [], undefined],
  ['seconds', [['Retry-After', '60']], 60_000],
  ['zero', [['retry-after', '0']], 0],
  ['a date, by the clock of the suite', [['Retry-After', 'Mon, 05 Jan 2026 09:01:30 GMT']], 90_000],
  [
    "a date, by the server's own clock",
    [
      ['Retry-After', 'Mon, 05 Jan 2026 12:00:20 GMT'],
      ['Date', 'Mon, 05 Jan 2026 12:00:00 GMT'],
    ],
    20_000,
  ],
  ['a date in the form of RFC 850', [['Retry-After', 'Monday, 05-Jan-26 09:00:10 GMT']], 10_000],
  ['a date in the form of asctime', [['Retry-After', 'Mon Jan  5 09:00:10 2026']], 10_000],
  ['a date that has passed', [['Retry-After', 'Mon, 05 Jan 2026 08:00:00 GMT']], 0],
  ['a negative number', [['Retry-After', '-5']], undefined],
  ['a fraction', [['Retry-After', '1.5']], undefined],
  ['a word', [['Retry-After', 'soon']], undefined],
])('Retry-After: %s', (_, headers, milliseconds) => {
  expect(retryAfterMs(answered(headers), NOW)).toBe(milliseconds);
});

test.each([
  ['5/s', 5],
  ['5', 5],
  ['0.5', 0.5],
  ['30/m', 0.5],
  ['90/h', 0.025],
  ['1.5/m', 0.025],
])('--rate %s is %d requests per second', (text, perSecond) => {
  expect(rate(text)).toBeCloseTo(perSecond, 10);
});

test.each(['0', '0/m', '-1', '5/d', '30/min', 'fast', '', '5/', '/m', '1e3', '2000000'])(
  '--rate %s is refused, with examples of rates',
  (text) => {
    expect(() => rate(text)).toThrow('Expected a rate such as 5/s, 30/m or 100/h');
  },
);

async function judge(
  answer: (count: number) => Scripted,
  options: Partial<ConformanceOptions> = {},
): Promise<Report> {
  let count = 0;
  const { transport } = scripted(() => answer((count += 1)));
  return runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    credential: { header: 'X-API-Key', value: 'service-secret-4711' },
    transport,
    clock: virtualClock({ startAt: NOW }),
    rules: ['router.list.limit-default'],
    ...options,
  });
}

const limited = (retryAfter: string): Scripted => ({ status: 429, headers: { 'Retry-After': retryAfter } });

test('a Retry-After of 100 s is honoured in full, does not count against the scenario, and is reported', async () => {
  const waits: number[] = [];
  const report = await judge((count) => (count === 2 ? limited('100') : { status: 200, body: page }), {
    onEvent: (event) => event.event === 'wait' && waits.push(event.milliseconds),
  });
  expect(report.rules.map(({ verdict }) => verdict)).toEqual(['pass']);
  expect(waits).toEqual([100_000]);
  expect(report.durationMs).toBeGreaterThanOrEqual(100_000);
  expect(report.findings).toContainEqual(
    expect.objectContaining({
      kind: 'doubt',
      says: 'the run waited 100 s because the server returned 429 (once)',
      exchanges: ['x0002'],
    }),
  );
});

test('a Retry-After that is longer than --max-wait is not waited for, and the report says how to', async () => {
  const answer = (count: number): Scripted => (count === 2 ? limited('300') : { status: 200, body: page });
  const report = await judge(answer);
  expect(report.durationMs).toBeLessThan(1000);
  expect(report.rules[0]).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the server returned 429 and asked to wait 300 s; the suite waits for at most 120 s',
  });
  expect(report.findings.map(({ help }) => help).join('\n')).toContain('add --max-wait 300s');
  const patient = await judge(answer, { longestWaitMs: 300_000 });
  expect(patient.rules[0]?.verdict).toBe('pass');
});

test('no wait is begun that would last longer than the time budget of the run', async () => {
  const report = await judge((count) => (count === 2 ? limited('100') : { status: 200, body: page }), {
    budgetMs: 50_000,
  });
  expect(report.durationMs).toBeLessThan(1000);
  expect(report.rules[0]?.reason).toContain('the time budget of the run ends before');
});

test('a server that always answers 429 is reported as a rate limit, exit 3, in bounded time', async () => {
  const bucket = 'concurrency_limit_exceeded';
  const headers = { 'Retry-After': '60', 'X-Service-Request-Id': 'r', 'X-Service-Error-Type': bucket };
  const body = { error_type: bucket, detail: 'no', error: { code: 'rate_limited', message: 'no' } };
  const report = await judge(() => ({ status: 429, headers, body }), {
    contracts: await allContracts(),
    rules: [],
  });
  expect(report.findings.filter(({ kind }) => kind === 'not-served').map(({ says }) => says)).toEqual([
    'The router API was not tested, because the server limits the rate of requests: GET /v1/models returned 429 each time (Retry-After: 60)',
    expect.stringMatching(/^The jobs API was not tested, because the server limits the rate of requests: .*/),
  ]);
  expect(JSON.stringify(report.findings)).not.toContain('not served here');
  expect(report.summary.fail + report.summary.error).toBe(0);
  expect(report.durationMs).toBeLessThanOrEqual(20 * 60_000);
  expect(exitCode(report)).toBe(3);
});

test('after a rate limit for one scenario, no other one sends requests until it is over', async () => {
  const clock = virtualClock({ startAt: NOW });
  let refused = 0;
  let answered = 0;
  const { transport } = scripted(() => {
    answered += 1;
    const isLimited = answered > 10 && clock.now() < NOW + 30_000;
    if (!isLimited) return { status: 200, body: page };
    refused += 1;
    return limited(String(Math.ceil((NOW + 30_000 - clock.now()) / 1000)));
  });
  const report = await judge(() => ({ status: 200 }), { transport, clock, rules: ['router.list.*'] });
  // Those that were under way, and no further one.
  expect(refused).toBeLessThanOrEqual(4);
  expect(report.findings.map(({ says }) => says)).toContainEqual(
    expect.stringMatching(/^the run waited 30 s because the server returned 429 \(.*\)$/),
  );
});

test('a rate below one request for each scenario does not run scenarios out of their time', async () => {
  const report = await judge(() => ({ status: 200, body: page }), {
    rate: 1 / 300,
    rules: ['router.list.*'],
  });
  expect(report.rules.filter(({ reason }) => reason?.includes('time limit') === true)).toEqual([]);
  const starts = report.exchanges.map(({ startedAtMs }) => startedAtMs);
  expect(starts.slice(1).every((start, index) => start - (starts[index] ?? 0) >= 300_000)).toBe(true);
});

test('discover reports a rate limit: exit 3', async () => {
  const server = createServer((_, response) => response.writeHead(429, { 'Retry-After': '600' }).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let said = '';
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      said += chunk.toString();
      done();
    },
  });
  const code = await main(
    ['fixtures', 'discover', `http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    {
      stdout: stream,
      stderr: stream,
      cwd: '.',
      environment: { TALLYSTICK_API_KEY: 'service-secret-4711' },
      onSignal: () => () => undefined,
    },
  );
  server.close();
  expect(said).toContain('refuses the requests: the server returned 429 and asked to wait 600 s');
  expect(said).toContain('add --rate 30/m; to wait longer, add --max-wait');
  expect(code).toBe(3);
});

test('Ctrl-C ends a wait for Retry-After', async () => {
  const stop = new AbortController();
  const server = createServer((_, response) => response.writeHead(429, { 'Retry-After': '100' }).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credential: { header: 'X-API-Key', value: 'service-secret-4711' },
    signal: stop.signal,
    onEvent: ({ event }) => event === 'wait' && stop.abort(),
  });
  server.close();
  expect(report.status).toBe('interrupted');
});
