// @module-tag long
import { expect, test } from 'vitest';
import { permissions, planConformance, runConformance, TargetError } from '../../conformance/index.ts';
import type { ConformanceOptions, Fixtures, Report } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { allContracts, headerIn, scripted } from './servers.ts';
import type { Scripted } from './servers.ts';

const contracts = await allContracts();
const baseUrl = 'https://api.example.com';
const mock = createMock();
await mock.ready();
const fixtures = mock.fixtures() as Fixtures;
mock.close();

/** Includes credentials, but neither the made-up ones that a server must refuse nor empty texts. */
const usable = new Set(textsIn(fixtures).filter((text) => text !== ''));

const refusal: Scripted = { status: 500, body: { error_type: 'internal_error', detail: 'no' } };

async function judge(
  answer: Scripted | ((count: number) => Scripted),
  options: Partial<ConformanceOptions>,
): Promise<{ readonly report: Report; readonly posts: number; readonly sent: number }> {
  let count = 0;
  const { transport, requests } = scripted(() => {
    count += 1;
    return typeof answer === 'function' ? answer(count) : answer;
  });
  const clock = virtualClock({ startAt: 0 });
  const report = await runConformance({ contracts, baseUrl, fixtures, transport, clock, ...options });
  const posts = requests.filter(
    (request) =>
      request.method === 'POST' &&
      [headerIn(request, 'authorization'), headerIn(request, 'x-api-key')].some(
        (value) => value !== undefined && usable.has(value.replace(/^Bearer /i, '')),
      ),
  );
  return { report, posts: posts.length, sent: requests.length };
}

test.each<[string, Scripted]>([
  ['everything fails', refusal],
  ['everything succeeds', { status: 200, body: { data: [], has_more: false, limit: 20 } }],
  ['everything is refused', { status: 422, body: { detail: [] } }],
])('a run stays within its plan, regardless of the server: %s', async (_, answer) => {
  const options = { allow: permissions, retries: 2 };
  const plan = planConformance({ contracts, baseUrl, fixtures, ...options });
  const { report, posts, sent } = await judge(answer, options);
  expect(report.requests.billedAtMost).toBe(plan.billedAtMost);
  expect(posts).toBeGreaterThan(0);
  expect(posts).toBeLessThanOrEqual(plan.billedAtMost);
  expect(sent).toBeLessThanOrEqual(plan.requestsAtMost);
});

test('a scenario with retries counts as often as it may run', () => {
  const once = planConformance({ contracts, baseUrl, fixtures, allow: permissions });
  const again = planConformance({ contracts, baseUrl, fixtures, allow: permissions, retries: 1 });
  expect(again.billedAtMost).toBeGreaterThan(once.billedAtMost);
});

test.each([0, 1, 7, 40])(
  'no more than --max-runs %i POSTs with a usable credential are sent',
  async (maxRuns) => {
    const { posts } = await judge(refusal, { allow: permissions, maxRuns, retries: 1 });
    expect(posts).toBeLessThanOrEqual(maxRuns);
  },
);

test('without permission no request with a usable credential is other than a read', async () => {
  const { posts } = await judge(refusal, {});
  expect(posts).toBe(0);
});

test("a time limit below the server's deadline is refused where runs would be sent, and nothing is", async () => {
  const short = { contracts, baseUrl, fixtures, allow: ['billed'], timeoutMs: 30_000 } as const;
  expect(() => planConformance(short)).toThrow(TargetError);
  expect(() => planConformance(short)).toThrow(/shorter than the server's deadline of 600 s/);
  const { transport, requests } = scripted(() => refusal);
  await expect(runConformance({ ...short, transport })).rejects.toThrow(TargetError);
  expect(requests).toEqual([]);
  expect(() => planConformance({ ...short, allow: [] })).not.toThrow();
  expect(() => planConformance({ ...short, timeoutMs: 600_000 })).not.toThrow();
  expect(() => planConformance({ ...short, fixtures: { ...fixtures, deadlineMs: 20_000 } })).not.toThrow();
});

test('a read that takes longer than the time limit is inconclusive, and says after how long', async () => {
  const clock = virtualClock({ startAt: 0 });
  const { transport } = scripted(async () => {
    await clock.sleep(60_000);
    return refusal;
  });
  const report = await runConformance({
    contracts,
    baseUrl,
    fixtures,
    transport,
    clock,
    timeoutMs: 5000,
    rules: ['router.auth.garbage'],
  });
  expect(report.status).toBe('unreachable');
  expect(report.findings[0]?.says).toContain('no complete response within 5 s');
});

test('the budget of the run ends it, and what was done by then is in the report', async () => {
  const clock = virtualClock({ startAt: 0 });
  const { transport } = scripted(async () => {
    await clock.sleep(1000);
    return refusal;
  });
  const report = await runConformance({
    contracts,
    baseUrl,
    fixtures,
    transport,
    clock,
    budgetMs: 20_000,
    concurrency: 1,
  });
  const reasons = new Set(report.rules.map(({ reason }) => reason));
  expect(reasons).toContain('the time budget of 20 s for the run is used up');
  expect(report.exchanges.length).toBeGreaterThan(10);
  expect(report.durationMs).toBeLessThanOrEqual(21_000);
});

test('no more scenarios than the limit run at the same time', async () => {
  let running = 0;
  let most = 0;
  const clock = virtualClock({ startAt: 0 });
  const { transport } = scripted(async () => {
    running += 1;
    most = Math.max(most, running);
    await clock.sleep(10);
    running -= 1;
    return refusal;
  });
  await runConformance({ contracts, baseUrl, fixtures, transport, clock, concurrency: 2 });
  expect(most).toBe(2);
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
