// @module-tag long
import { expect, test } from 'vitest';
// Loaded before a run: while it waits for them, time that is virtual leaps.
import 'fast-check';
import '../../conformance/fuzz/negative-arbitrary.ts';
import '../../conformance/fuzz/refused.ts';
import { planConformance, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Fixtures, Permission, Report, Transport, WireRequest } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import type { MockOptions } from '../../mock/index.ts';
import { startSecondServer } from '../fixtures/second-server/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { allContracts, scripted } from './servers.ts';

const rules = [
  'registry.publish.wrong-types',
  'proxy.skin.sharpen-range',
  'proxy.skin.grain-range',
  'jobs.submit.webhook-url-rejected',
  'jobs.submit.inputs-rejected',
];

/** Each is judged by a fixed handful of requests too: what the fuzz adds is counted by its scenarios. */
const fuzzes = ['registry.publish.fuzz', 'proxy.skin.fuzz', 'jobs.submit.fuzz'];

async function judge(
  options: {
    readonly through?: (inner: Transport) => Transport;
    readonly profile?: MockOptions['profile'];
    readonly allow?: readonly Permission[];
    readonly fuzz?: number;
    readonly seed?: number;
  } = {},
): Promise<Report> {
  const { through = (inner) => inner, profile, allow = ['negatives'], fuzz = 60, seed = 5 } = options;
  const clock = virtualClock({ startAt: 0 });
  const mock = createMock({ clock, ...(profile === undefined ? {} : { profile }) });
  await mock.ready();
  const report = await runConformance({
    contracts: await allContracts(),
    baseUrl: 'https://api.example.com',
    transport: through(inProcess(mock.handle)),
    clock,
    fixtures: mock.fixtures() as Fixtures,
    allow,
    rules,
    fuzz,
    seed,
    concurrency: 1,
  });
  mock.close();
  return report;
}

function told(report: Report): readonly string[] {
  return report.rules.map(({ id, verdict }) => `${id} ${verdict}`);
}

function bodiesOf(report: Report, id: string): readonly string[] {
  return report.exchanges
    .filter(({ scenario }) => scenario === id)
    .map(({ request }) => request.body?.text ?? '');
}

test('the faithful mock refuses all that is broken', async () => {
  const report = await judge();
  expect([...told(report)].sort()).toEqual([...rules].sort().map((rule) => `${rule} pass`));
  for (const id of fuzzes) expect(bodiesOf(report, id)).toHaveLength(60);
});

test('a mock that is odd and legal fails nothing; its token is looked at before the types', async () => {
  const report = await judge({ profile: 'legal-but-odd', allow: ['negatives', 'publish'] });
  const passed = rules.filter((rule) => rule !== 'registry.publish.wrong-types');
  expect(told(report)).toEqual(expect.arrayContaining(passed.map((rule) => `${rule} pass`)));
  expect(told(report)).toContain('registry.publish.wrong-types inconclusive');
  // A body without the token proves no permission; with the right token, the other faults are reported.
  const byToken = report.exchanges.filter(({ scenario }) => scenario === 'registry.publish.fuzz-by-token');
  expect(byToken).toHaveLength(61);
  expect(new Set(byToken.map(({ answer }) => answer?.status))).toEqual(new Set([403, 400]));
});

test('one seed sends the same again, and another one something else', async () => {
  const [once, again, other] = await Promise.all([judge(), judge(), judge({ seed: 6 })]);
  for (const id of fuzzes) {
    expect(bodiesOf(again, id)).toEqual(bodiesOf(once, id));
    expect(bodiesOf(other, id)).not.toEqual(bodiesOf(once, id));
  }
});

test('a publication that is broken bears a token that opens nothing, and no member is made up', async () => {
  for (const text of bodiesOf(await judge(), 'registry.publish.fuzz')) {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    expect(Object.keys(body).sort()).toEqual(['node', 'node_version', 'personal_access_token']);
    expect(body['personal_access_token']).not.toMatch(/^pat/);
  }
});

test('a server by another author refuses all of it too', async () => {
  const server = await startSecondServer();
  try {
    const read = readFixtures(JSON.stringify(server.fixtures), {});
    if (!read.ok) throw new Error('fixtures');
    const report = await runConformance({
      contracts: await allContracts(),
      baseUrl: server.url,
      fixtures: read.fixtures,
      allow: ['negatives'],
      rules,
      fuzz: 60,
      seed: 5,
    });
    expect([...told(report)].sort()).toEqual([...rules].sort().map((rule) => `${rule} pass`));
  } finally {
    await server.stop();
  }
});

/** Answers by itself what it should refuse and takes for good. */
function lax(
  status: number,
  takes: (body: Readonly<Record<string, unknown>>) => boolean,
): (inner: Transport) => Transport {
  const { transport } = scripted(() => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: {},
  }));
  return (inner) => (request) => (takes(bodyOf(request)) ? transport(request) : inner(request));
}

function bodyOf({ method, body }: WireRequest): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = method === 'POST' ? JSON.parse(new TextDecoder().decode(body)) : undefined;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const slips = [
  {
    api: 'registry',
    rule: 'registry.publish.wrong-types',
    through: lax(201, ({ node }) => typeof (node as { author?: unknown } | undefined)?.author === 'number'),
    says: /\/node\/author type: /,
  },
  {
    api: 'proxy',
    rule: 'proxy.skin.grain-range',
    through: lax(200, ({ smart_grain: grain }) => typeof grain === 'number' && grain > 101 && grain < 1e3),
    says: /\/smart_grain maximum: 102 /,
  },
  {
    api: 'jobs',
    rule: 'jobs.submit.inputs-rejected',
    through: lax(201, ({ inputs }) => typeof inputs === 'number'),
    says: /\/inputs false: 0 /,
  },
];

test.each(slips)(
  '$api: what slips past the fixed requests of $rule is found and made small',
  async (slip) => {
    expect(told(await judge({ through: slip.through, fuzz: 0 }))).toContain(`${slip.rule} pass`);
    const report = await judge({ through: slip.through, fuzz: 60 });
    const broken = report.rules.filter(({ verdict }) => verdict === 'fail');
    expect(broken.map(({ id }) => id)).toEqual([slip.rule]);
    expect(broken[0]?.observed).toMatch(slip.says);
  },
);

test('where the token comes first, the right one shows what slips through, with permission to publish', async () => {
  const through = lax(201, ({ node, personal_access_token: token }) => {
    const { author } = (node ?? {}) as { readonly author?: unknown };
    return typeof author === 'number' && token !== 'tallystick-no-such-token';
  });
  const given = { through, profile: 'legal-but-odd' } as const;
  const rule = 'registry.publish.wrong-types';
  expect(told(await judge({ ...given, fuzz: 60 }))).toContain(`${rule} inconclusive`);
  expect(told(await judge({ ...given, fuzz: 60, allow: ['negatives', 'publish'] }))).toContain(
    `${rule} fail`,
  );
});

test('the bound of a plan counts them, and none of them goes out without permission', async () => {
  const given = {
    contracts: await allContracts(),
    baseUrl: 'https://api.example.com',
    fixtures: {
      cred: { apiKey: 'k', jwt: 'j' },
      publish: { publisherId: 'p', nodeId: 'n', node: {}, pat: 't' },
      proxy: { partner: 'x' },
      job: { ok: {} },
    },
    rules,
  } as const;
  const bound = (fuzz: number): number =>
    planConformance({ ...given, allow: ['negatives'], fuzz }).billedAtMost;
  expect(bound(100) - bound(0)).toBe(300);
  expect(planConformance({ ...given, fuzz: 100 }).billedAtMost).toBe(0);
});
