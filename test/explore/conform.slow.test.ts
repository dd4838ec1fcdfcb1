// @module-tag long
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { explorations } from '../../conformance/apis/index.ts';
import { permissions, planConformance } from '../../conformance/index.ts';
import type { Fixtures, Permission, Transport } from '../../conformance/index.ts';
import { curlScripts } from '../../conformance/replay/curl-scripts.ts';
import { repeatRule } from '../../conformance/replay/replay-rule.ts';
import { socketTransport } from '../../conformance/http/socket-transport.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { createMock, listDeviations, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { address, jobsOn } from '../kill-matrix/settings.ts';
import type { Setting } from '../kill-matrix/settings.ts';
import { brokenIn, exploreMock } from './explored.ts';

const settings: Readonly<Record<string, Setting>> = {
  router: { apis: ['router'] },
  registry: { apis: ['registry'] },
  jobs: jobsOn({ surface: 'cloud' }),
};
const ids = new Set(explorations.map(({ id }) => id));

test.each(Object.entries(settings))(
  'the faithful mock of %s is explored without an alarm',
  async (_, setting) => {
    const report = await exploreMock(setting, { explore: 100 });
    expect(brokenIn(report)).toEqual([]);
    expect(report.findings).toEqual([]);
    const sent = report.exchanges.filter(({ scenario }) => ids.has(scenario));
    expect(sent.length).toBeGreaterThan(60);
  },
);

test.each([
  ['router', 'router.idem.mismatch-409~replayed'],
  ['registry', 'registry.publish.version-unique~201-twice'],
  ['jobs', 'jobs.idem.duplicate-422~replay'],
])(
  'a fault of %s is found by courses alone, reported with its steps, and kept as a script: %s',
  async (api, part) => {
    const [rule = ''] = part.split('~');
    const deviation = listDeviations().find(({ id }) => id === part);
    expect(deviation, part).toBeDefined();
    const report = await exploreMock(settings[api] ?? { apis: [] }, {
      explore: 300,
      deviations: [deviation?.id ?? ''],
    });
    const found = report.rules.find(({ id }) => id === rule);
    expect(found?.verdict).toBe('fail');
    // The shortest evidence decides: a course of one step has no list of steps.
    expect(found?.observed).toMatch(/, after 1\. .*; \d\. | again$/);
    const own = report.exchanges.filter(({ id }) => found?.failures?.[0]?.exchanges.includes(id));
    expect(own.length).toBeGreaterThan(1);
    expect(own.length).toBeLessThan(9);
    expect(new Set(own.map(({ course }) => course)).size).toBe(1);
    const script = curlScripts(report)[`${rule}.sh`] ?? '';
    for (const { id } of own) expect(script).toContain(`send ${id} `);
  },
);

test('conform replay goes the same courses again, and finds the same rule broken', async () => {
  const [deviation = ''] = listDeviations()
    .filter(({ rule }) => rule === 'registry.publish.version-unique')
    .map(({ id }) => id);
  const setting: Setting = { apis: ['registry'] };
  const report = await exploreMock(setting, { explore: 150, deviations: [deviation] });
  const mock = createMock({ apis: ['registry'], clock: virtualClock(), deviations: [deviation] });
  onTestFinished(() => mock.close());
  await mock.ready();
  const again = await repeatRule(report, 'registry.publish.version-unique', {
    contracts: [await loadOwnContract('registry')],
    baseUrl: address,
    fixtures: mock.fixtures() as Fixtures,
    allow: permissions,
    transport: inProcess(mock.handle),
    clock: virtualClock(),
  });
  expect([again.before.verdict, again.now.verdict]).toEqual(['fail', 'fail']);
  expect(again.report.exchanges.map(({ scenario }) => scenario)).toContain('registry.explore.publications');
});

test('one seed sends the same requests again, another one others', async () => {
  const sent = async (seed: number): Promise<readonly string[]> =>
    (await exploreMock({ apis: ['router'] }, { explore: 60, seed })).exchanges
      .filter(({ scenario }) => ids.has(scenario))
      // A cursor is another one in each process of the mock.
      .map(({ request: { method, target, as, body } }) =>
        [method, target.replace(/cursor=[\w-]{20,}/, 'cursor=…'), as, body?.text].join(' '),
      );
  const first = await sent(3);
  expect(await sent(3)).toEqual(first);
  expect(await sent(4)).not.toEqual(first);
});

test('what is sent is what the plan announced, for each request of it', async () => {
  for (const setting of Object.values(settings)) {
    const report = await exploreMock(setting, { explore: 40, deviations: [] });
    const plan = await planned(setting, permissions, { explore: 40 });
    for (const scenario of ids) {
      const own = report.exchanges.filter((one) => one.scenario === scenario);
      for (const as of new Set(own.map(({ request }) => request.as)))
        for (const method of ['GET', 'POST']) {
          const most = plan.requests
            .filter((one) => one.for === scenario && one.as === as && one.method === method)
            .reduce((sum, { times }) => sum + times, 0);
          const count = own.filter(({ request }) => request.as === as && request.method === method).length;
          expect(count, `${scenario} ${method} as ${as}`).toBeLessThanOrEqual(most);
        }
    }
    expect(report.requests.billable).toBeLessThanOrEqual(plan.billedAtMost);
  }
});

async function planned(
  setting: Setting,
  allow: readonly Permission[],
  options: { readonly explore?: number; readonly rules?: readonly string[] },
): Promise<ReturnType<typeof planConformance>> {
  const mock = createMock({ ...setting.mock, apis: setting.apis });
  await mock.ready();
  const fixtures = mock.fixtures() as Fixtures;
  mock.close();
  const contracts = await Promise.all(setting.apis.map((api) => loadOwnContract(api)));
  return planConformance({ contracts, baseUrl: address, fixtures, allow, ...options });
}

async function searchesIn(...args: Parameters<typeof planned>): Promise<readonly string[]> {
  return [...new Set((await planned(...args)).requests.map((one) => one.for))].filter((id) => ids.has(id));
}

test('without a permission reads alone are explored, and each permission opens its own', async () => {
  const all: Setting = { apis: ['router', 'registry', 'jobs'] };
  expect(await searchesIn(all, [], {})).toEqual(['router.explore.reads']);
  expect(await searchesIn(all, ['publish'], {})).toEqual([
    'router.explore.reads',
    'registry.explore.publications',
  ]);
  expect(await searchesIn(all, permissions, {})).toEqual(explorations.map(({ id }) => id));
});

test('a run about some rules explores only where it is asked to, and none does with 0', async () => {
  const router: Setting = { apis: ['router'] };
  const rules = ['router.idem.*'];
  expect(await searchesIn(router, ['billed'], { rules })).toEqual([]);
  expect(await searchesIn(router, ['billed'], { rules, explore: 20 })).toContain('router.explore.runs');
  expect(await searchesIn(router, ['billed'], { explore: 0 })).toEqual([]);
});

test('operations without permission leave no rule partly untested', async () => {
  const [searching, without] = await Promise.all(
    [100, 0].map((explore) => planned({ apis: ['router'] }, [], { explore })),
  );
  expect(searching?.rulesClosed).toEqual(without?.rulesClosed);
  expect(searching?.missing).toEqual(without?.missing);
  expect(searching?.rulesOpen).toEqual(without?.rulesOpen);
});

const sick: Readonly<Record<string, (inner: Transport) => Transport>> = {
  'drops every third connection': (inner) => {
    let count = 0;
    return (request) =>
      (count += 1) % 3 === 0 ? Promise.reject(new Error('socket hang up')) : inner(request);
  },
  'answers writes with a page of a gateway': (inner) => (request) =>
    request.method === 'GET'
      ? inner(request)
      : Promise.resolve({
          status: 502,
          headers: [['Content-Type', 'text/html']],
          body: bytes('<html>bad gateway</html>'),
        }),
  'has no room for anything': (inner) => (request) =>
    request.method === 'GET'
      ? inner(request)
      : Promise.resolve({ status: 429, headers: [['Retry-After', '1']], body: bytes('{}') }),
  'asks for the length of a body': (inner) => (request) =>
    request.headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')
      ? Promise.resolve({ status: 411, headers: [], body: bytes('') })
      : inner(request),
};

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

test.each(Object.entries(sick))(
  'a server that %s ends the search, and no rule is held against it',
  async (_, line) => {
    for (const setting of Object.values(settings)) {
      const report = await exploreMock(setting, { explore: 60, line });
      expect(report.findings.filter(({ kind }) => kind === 'harness')).toEqual([]);
      expect(report.rules.filter(({ verdict }) => verdict === 'error')).toEqual([]);
      const shapes = /shape$|error-type$|request-id$/;
      expect(brokenIn(report).filter((line) => !shapes.test(line.split(':')[0] ?? ''))).toEqual([]);
    }
  },
);

test('a chunked body arrives completely and without a length', async () => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
      response.end(JSON.stringify({ text: Buffer.concat(parts).toString(), length, coding }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const send = socketTransport(new URL(`http://127.0.0.1:${port}`));
  onTestFinished(() => send.close?.());
  for (const text of ['', 'a', '{"é":"💥"}', 'x'.repeat(70_000)]) {
    const answer = await send({
      method: 'POST',
      target: '/',
      headers: [
        ['Host', 'here'],
        ['Transfer-Encoding', 'chunked'],
      ],
      body: new TextEncoder().encode(text),
    });
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) parts.push(part);
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({ text, coding: 'chunked' });
  }
});
