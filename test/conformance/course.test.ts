import { expect, test } from 'vitest';
import { exitCode, planConformance, renderReport, runConformance } from '../../conformance/index.ts';
import type { Report, StoredExchange } from '../../conformance/index.ts';
import { courseOf, scenariosOf } from '../../conformance/exchanges/course.ts';
import { openings } from '../../conformance/reports/openings.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { allContracts, routerContract, scripted } from './servers.ts';

function exchange(id: string, change: Partial<StoredExchange> = {}): StoredExchange {
  return {
    id,
    api: 'router',
    scenario: 'router.idem.replay',
    course: 'x0001',
    startedAtMs: 0,
    durationMs: 1,
    request: { method: 'GET', target: '/', as: 'none', headers: [], body: undefined },
    answer: undefined,
    failure: undefined,
    ...change,
  };
}

const idsOf = (exchanges: readonly StoredExchange[], ...deciding: readonly string[]): readonly string[] =>
  courseOf(exchanges, {
    exchanges: deciding,
    failures: [{ expected: '', observed: '', exchanges: deciding }],
  }).map(({ id }) => id);

test('a course ends with the exchange that decided, and what another scenario sent is not in it', () => {
  const all = [
    exchange('x0001'),
    exchange('x0002', { scenario: 'router.list.limits', course: 'x0002' }),
    exchange('x0003'),
    exchange('x0004'),
  ];
  expect(idsOf(all, 'x0003')).toEqual(['x0001', 'x0003']);
});

test('the two courses of a scenario that ran twice are not mixed', () => {
  const all = [
    exchange('x0001'),
    exchange('x0002', { course: 'x0002' }),
    exchange('x0003', { course: 'x0002' }),
  ];
  expect(idsOf(all, 'x0003')).toEqual(['x0002', 'x0003']);
});

test('requests that were concurrent with the deciding exchange are part of the course', () => {
  const all = [
    exchange('x0001'),
    exchange('x0002', { during: ['x0001'] }),
    exchange('x0003', { during: ['x0001', 'x0002'] }),
    exchange('x0004'),
  ];
  expect(idsOf(all, 'x0001')).toEqual(['x0001', 'x0002', 'x0003']);
});

test('what a check compares from another scenario comes first, in the order of sending, also behind x9999', () => {
  const all = [
    exchange('x9998', { scenario: 'router.list.limits', course: 'x9998' }),
    exchange('x9999', { course: 'x9999' }),
    exchange('x10000', { course: 'x9999' }),
  ];
  expect(idsOf(all, 'x10000', 'x9998')).toEqual(['x9998', 'x9999', 'x10000']);
});

test('a rule that a shared read showed is shown again by one scenario without permissions', () => {
  const shared = [exchange('x0001', { scenario: 'router.catalogue' })];
  const [one, ...others] = scenariosOf(shared, { exchanges: ['x0001'] });
  expect(one?.permissions).toEqual([]);
  expect(one?.uses.map(({ id }) => id)).toContain('router.catalogue');
  expect(others).toEqual([]);
});

test('exchanges of a run know what was open when they were sent', async () => {
  const { transport } = scripted(() => ({ status: 500 }));
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    credential: { header: 'X-API-Key', value: 'service-secret-4711' },
    transport,
    clock: virtualClock({ startAt: 0 }),
    fixtures: { model: { ok: { id: 'acme/ok', input: {} } } },
    allow: ['billed'],
    rules: ['router.idem.race-one-winner'],
  });
  const racing = report.exchanges.filter(({ during = [] }) => during.length > 0);
  expect(racing.length).toBeGreaterThan(0);
  for (const { course, during = [], id } of racing) {
    const before = report.exchanges.filter((one) => during.includes(one.id));
    expect(before.every((one) => one.course === course && one.id < id)).toBe(true);
  }
});

test('registry.publish.pat-not-echoed: a repeated token is a finding and exit code 1, the rule stays a warning', async () => {
  const clock = virtualClock({ startAt: 0 });
  const mock = createMock({ clock, deviations: ['registry.publish.pat-not-echoed~on-success'] });
  await mock.ready();
  const report: Report = await runConformance({
    contracts: await allContracts(),
    baseUrl: 'https://api.example.com',
    transport: inProcess(mock.handle),
    clock,
    fixtures: mock.fixtures(),
    allow: ['publish'],
    rules: ['registry.publish.*'],
  });
  mock.close();
  expect(report.findings).toMatchObject([{ kind: 'leak', about: 'registry.publish.pat-not-echoed' }]);
  expect(report.summary).toMatchObject({ fail: 0, warn: 1 });
  expect(exitCode(report)).toBe(1);
  expect(renderReport(report, 'text')).toContain('✖ the server repeats an access token in its answer');
});

test('a gap names all that a rule lacks, and the greatest gain is first', async () => {
  const contracts = await allContracts();
  const options = { contracts, baseUrl: 'https://api.example.com' };
  const { transport } = scripted(() => ({ status: 404 }));
  const report = await runConformance({ ...options, transport, clock: virtualClock({ startAt: 0 }) });
  const replay = report.rules.find(({ id }) => id === 'router.idem.replay');
  expect(replay).toMatchObject({ reason: 'needs cred.valid and model.ok and --allow billed' });
  const addable = openings(report).filter(({ rules: [first] }) => first?.missing !== undefined);
  const gains = addable.map(({ rules }) => rules.length);
  expect(gains.length).toBeGreaterThan(5);
  expect(gains).toEqual(gains.toSorted((a, b) => b - a));
  const counts = planConformance(options).missing.map(({ rules }) => rules.length);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
});
