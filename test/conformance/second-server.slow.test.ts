// @module-tag long
import { afterAll, expect, test } from 'vitest';
import {
  permissions,
  planConformance,
  readFixtures,
  runConformance,
  socketTransport,
} from '../../conformance/index.ts';
import type { ConformanceOptions, Report } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { breaks, startSecondServer } from '../fixtures/second-server/index.ts';
import type { BreakName, SecondServer, SecondServerOptions } from '../fixtures/second-server/index.ts';
import { leapingClock } from './leaping-clock.ts';
import { allContracts, headerIn, recording, routerContract } from './servers.ts';

const running: SecondServer[] = [];

// Tests that run at the same time must not stop each other's servers.
afterAll(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function judge(
  options: Partial<ConformanceOptions> & Pick<SecondServerOptions, 'breaks' | 'surface' | 'staticToken'> = {},
): Promise<{
  readonly report: Report;
  readonly server: SecondServer;
}> {
  const clock = leapingClock();
  const server = await startSecondServer({
    deadlineMs: 600,
    now: () => clock.now(),
    breaks: options.breaks ?? [],
    ...(options.surface === undefined ? {} : { surface: options.surface }),
    ...(options.staticToken === undefined ? {} : { staticToken: options.staticToken }),
  });
  running.push(server);
  const read = readFixtures(JSON.stringify(server.fixtures), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  const report = await runConformance({
    contracts: await allContracts(),
    baseUrl: server.url,
    fixtures: read.fixtures,
    allow: permissions,
    clock,
    seed: 1,
    ...options,
  });
  return { report, server };
}

function verdictsOf(report: Report, ...wanted: readonly string[]): readonly string[] {
  return report.rules
    .filter(({ verdict }) => wanted.includes(verdict))
    .map(({ id, observed, reason }) => `${id}: ${observed ?? reason}`);
}

test('a conforming server with unusual habits breaks no rule', async () => {
  const { report } = await judge();
  expect(verdictsOf(report, 'fail', 'warn', 'error', 'inconclusive')).toEqual([]);
  expect(report.findings).toEqual([]);
  expect(report.summary.pass).toBeGreaterThan(80);
});

// They wait more than they work.
test.concurrent.each([
  { surface: 'cloud' },
  { surface: 'self-hosted' },
  { surface: 'self-hosted', staticToken: 'token-of-this-one' },
  { surface: 'demo' },
] as const)('its jobs break no rule either as $surface $staticToken', async (setting) => {
  const { report } = await judge({ ...setting, contracts: [await loadOwnContract('jobs')] });
  expect(verdictsOf(report, 'fail', 'warn', 'error', 'inconclusive')).toEqual([]);
  expect(report.findings).toEqual([]);
  expect(report.summary.pass).toBeGreaterThan(75);
});

const judgedBreaks = Object.entries(breaks) as [BreakName, { readonly rule: string }][];

test('at least ten faults of each API are in the second server', () => {
  for (const areas of [['router'], ['registry', 'proxy'], ['jobs']]) {
    const own = judgedBreaks.filter(([, { rule }]) => areas.includes(rule.split('.')[0] ?? ''));
    expect(own.length, areas.join()).toBeGreaterThanOrEqual(10);
  }
});

async function detects(name: BreakName, { rule }: { readonly rule: string }): Promise<void> {
  const { report } = await judge({ breaks: [name], rules: [rule] });
  const [broken] = report.rules;
  expect(broken?.id).toBe(rule);
  expect(broken?.verdict).toBe(broken?.level === 'should' ? 'warn' : 'fail');
}

/** What a process shows that is in time: the suite leaves it open beside a hundred other runs in the same process. */
const isTimed = ([name]: (typeof judgedBreaks)[number]): boolean => name.includes('-kept-after-');

test.concurrent.each(judgedBreaks.filter((one) => !isTimed(one)))('the suite detects %s', detects);

test.each(judgedBreaks.filter(isTimed))('the suite detects %s', detects);

test('with only a base URL and a key, no POST has a usable credential', async () => {
  const server = await startSecondServer();
  running.push(server);
  const { cred } = server.fixtures as { cred: { valid: { header: string; value: string } } };
  const { transport, requests } = recording(socketTransport(new URL(server.url)));
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: server.url,
    credential: cred.valid,
    transport,
  });
  transport.close?.();
  const posts = requests.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  expect(posts.length).toBeGreaterThan(0);
  for (const post of posts) {
    expect(headerIn(post, cred.valid.header)).toBeUndefined();
    expect(headerIn(post, 'Authorization') ?? '').not.toContain(cred.valid.value);
  }
  const exercised = report.rules.filter(
    ({ verdict }) => verdict === 'pass' || verdict === 'fail' || verdict === 'warn',
  );
  expect(exercised.length).toBeGreaterThanOrEqual(50);
  expect(verdictsOf(report, 'fail', 'warn', 'error')).toEqual([]);
});

test('a plan sends nothing and names every request that the run then sends', async () => {
  const server = await startSecondServer({ deadlineMs: 600 });
  running.push(server);
  const read = readFixtures(JSON.stringify(server.fixtures), {});
  if (!read.ok) throw new Error('the fixtures do not read');
  const { transport, requests } = recording(socketTransport(new URL(server.url)));
  const options = {
    contracts: await routerContract(),
    baseUrl: server.url,
    fixtures: read.fixtures,
    allow: ['negatives', 'billed', 'slow'],
    transport,
  } as const;
  const plan = planConformance(options);
  expect(requests).toEqual([]);
  const report = await runConformance(options);
  transport.close?.();
  expect(report.requests.sent).toBeLessThanOrEqual(plan.requestsAtMost);
  const runs = report.exchanges.filter(
    ({ request }) => request.method === 'POST' && !['none', 'unusable'].includes(request.as),
  );
  expect(runs.length).toBeLessThanOrEqual(plan.billedAtMost);
  const planned = plan.requests.map(({ method, target, as }) => ({ method, as, target: pattern(target) }));
  for (const { request } of report.exchanges) {
    expect(
      planned.some(
        ({ method, as, target }) =>
          method === request.method && as === request.as && target.test(request.target),
      ),
      `${request.method} ${request.target}`,
    ).toBe(true);
  }
});

test('no secret of the fixtures is in the report', async () => {
  const { report, server } = await judge();
  const text = JSON.stringify(report);
  const { cred, account } = server.fixtures as {
    cred: Record<string, unknown>;
    account: Record<string, string>;
  };
  for (const secret of [cred['apiKey'], cred['jwt'], cred['forbidden'], account['noCredits']]) {
    expect(text.includes(String(secret)), String(secret)).toBe(false);
  }
  expect(text).toContain('$API_KEY');
});

function pattern(target: string): RegExp {
  const parts = target.split(/\{\??\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
