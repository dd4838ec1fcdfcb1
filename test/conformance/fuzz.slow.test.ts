import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzz } from '../../conformance/fuzz/refused.ts';
import { sitesOf } from '../../conformance/fuzz/negative-arbitrary.ts';
import { planConformance, runConformance } from '../../conformance/index.ts';
import type { Fixtures, Report, Transport } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { recording, routerContract } from './servers.ts';

const schema = {
  type: 'object',
  required: ['prompt'],
  properties: {
    prompt: { type: 'string', minLength: 1, maxLength: 40 },
    steps: { type: 'integer', minimum: 1, maximum: 50 },
    mode: { enum: ['fast', 'fine'] },
    size: { $ref: '#/components/schemas/Size' },
    tags: { type: 'array', maxItems: 2, items: { type: 'string', pattern: '^[a-z]+$' } },
  },
};
const document = {
  components: {
    schemas: { Size: { type: 'object', required: ['w'], properties: { w: { type: 'number', maximum: 9 } } } },
  },
};
const valid = { prompt: 'a', steps: 2, mode: 'fast', size: { w: 1 }, tags: ['b'] };
const sites = sitesOf(document, schema, valid);

test('every place and keyword of a schema can be broken, and nothing that it leaves open', () => {
  expect(sites.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual([
    ' type',
    '/prompt required',
    '/prompt type',
    '/prompt minLength',
    '/prompt maxLength',
    '/steps type',
    '/steps minimum',
    '/steps maximum',
    '/mode enum',
    '/size type',
    '/size/w required',
    '/size/w type',
    '/size/w maximum',
    '/tags type',
    '/tags maxItems',
    '/tags/0 type',
    '/tags/0 pattern',
  ]);
});

test('without a body that is valid there is nothing to break', () => {
  expect(sitesOf(document, schema, { ...valid, steps: 99 })).toEqual([]);
  expect(sitesOf(document, { type: 'object', properties: { a: { pattern: '(' } } }, { a: 'x' })).toEqual([]);
});

test('a counterexample shrinks to the nearest value that is still wrong, and its path finds it in one step', async () => {
  const maximum = sites.find(({ pointer, keyword }) => `${pointer} ${keyword}` === '/steps maximum');
  if (maximum === undefined) throw new Error('no such place');
  const refuses = (): Promise<boolean> => Promise.resolve(false);
  const found = await fuzz(maximum.bodies, refuses, { seed: 7, most: 200 });
  expect(found.accepted).toEqual({ body: { ...valid, steps: 51 }, says: '/steps maximum: 51' });
  const again = await fuzz(maximum.bodies, refuses, { seed: 7, most: 1, path: found.path ?? '' });
  expect(again).toMatchObject({ tried: 1, accepted: found.accepted });
});

test('no more is sent than the budget allows, shrinking included', async () => {
  let sent = 0;
  const { tried } = await fuzz(
    fc.oneof(...sites.map(({ bodies }) => bodies)),
    () => {
      sent += 1;
      return Promise.resolve(sent < 5);
    },
    { seed: 1, most: 9 },
  );
  expect(sent).toBeLessThanOrEqual(9);
  expect(tried).toBe(sent);
});

/** Runs what it should refuse: more steps than its own schema allows. */
function lax(inner: Transport): Transport {
  return (request) => {
    const body = parse(request.body);
    if (request.method === 'POST' && typeof body.steps === 'number' && body.steps > 50)
      return inner({ ...request, body: new TextEncoder().encode('{"prompt":"a lighthouse"}') });
    return inner(request);
  };
}

function parse(body: Uint8Array | undefined): { readonly steps?: unknown } {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

async function judge(
  through: (inner: Transport) => Transport = (inner) => inner,
  seed = 5,
): Promise<{ readonly report: Report; readonly bodies: readonly string[]; readonly gets: number }> {
  const clock = virtualClock({ startAt: 0 });
  const mock = createMock({ clock });
  await mock.ready();
  const { transport, requests } = recording(through(inProcess(mock.handle)));
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    transport,
    clock,
    fixtures: mock.fixtures() as Fixtures,
    allow: ['negatives'],
    rules: ['router.run.schema-is-enforced', 'router.list.cursor-malformed-400'],
    fuzz: 60,
    seed,
    concurrency: 1,
  });
  mock.close();
  const runs = report.exchanges.filter(({ scenario }) => scenario === 'router.run.fuzz');
  const lists = report.exchanges.filter(({ scenario }) => scenario === 'router.list.fuzz');
  expect(requests.length).toBe(report.exchanges.length);
  return { report, bodies: runs.map(({ request }) => request.body?.text ?? ''), gets: lists.length };
}

test('a mock that keeps its schemas refuses all of it, and one seed sends the same again', async () => {
  const { report, bodies, gets } = await judge();
  expect(report.rules.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  expect(bodies).toHaveLength(60);
  expect(gets).toBe(60);
  expect((await judge()).bodies).toEqual(bodies);
  expect((await judge(undefined, 6)).bodies).not.toEqual(bodies);
});

test('what slips through fails the rule, shrunk to the nearest wrong value, with seed and path', async () => {
  const { report } = await judge(lax);
  const rule = report.rules.find(({ id }) => id === 'router.run.schema-is-enforced');
  expect(rule?.verdict).toBe('fail');
  const seen = report.exchanges
    .filter(({ scenario, answer }) => scenario === 'router.run.fuzz' && answer?.status === 200)
    .map(({ request }) => parse(new TextEncoder().encode(request.body?.text)).steps);
  expect(seen).toContain(51);
});

test('--fuzz is in the plan and in its bound, and without it nothing random is sent', async () => {
  const contracts = await routerContract();
  const given = {
    contracts,
    baseUrl: 'https://api.example.com',
    fixtures: { cred: { apiKey: 'k' }, model: { ok: { id: 'p/m', input: {} } } },
    allow: ['negatives'],
  } as const;
  const without = planConformance(given);
  const withFuzz = planConformance({ ...given, fuzz: 100 });
  expect(without.scenarios.map(({ id }) => id)).not.toContain('router.run.fuzz');
  expect(withFuzz.billedAtMost - without.billedAtMost).toBe(100);
  expect(withFuzz.requestsAtMost - without.requestsAtMost).toBe(200);
});
