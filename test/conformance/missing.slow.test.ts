import { expect, test } from 'vitest';
import { permissions, planConformance, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Fixtures, Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { readValid } from '../contract/diff/read.ts';
import { allContracts } from './servers.ts';

const contracts = await allContracts();
const baseUrl = 'https://api.example.com';

/** Needs that one suggested line cannot satisfy: several lines can provide such a credential. */
async function bare(): Promise<Report> {
  const clock = virtualClock({ startAt: 0 });
  const mock = createMock({ clock });
  await mock.ready();
  try {
    return await runConformance({
      contracts,
      baseUrl,
      transport: inProcess(mock.handle),
      clock,
      credential: { header: 'X-API-Key', value: 'service-mock-ok' },
      allow: permissions,
    });
  } finally {
    mock.close();
  }
}

const report = await bare();
const open = report.rules.filter(({ verdict }) => verdict === 'not-exercised');

test('every rule that was not exercised names the missing fixture or permission', () => {
  expect(open.length).toBeGreaterThan(50);
  expect(open.filter(({ reason }) => reason === undefined || reason === '')).toEqual([]);
  const lines = open.map(({ fixtureLine }) => fixtureLine).filter((line) => line !== undefined);
  expect(lines.length).toBeGreaterThan(50);
  const silent = open.filter(
    ({ fixtureLine, missing }) => missing !== undefined && fixtureLine === undefined,
  );
  expect(silent.map(({ id, missing }) => `${id}: ${missing ?? ''}`)).toEqual([]);
});

test('each suggested line is valid unchanged and satisfies its need', () => {
  const environment = new Proxy({}, { get: () => 'secret' });
  const plan = planConformance({ contracts, baseUrl, fixtures: {}, allow: permissions });
  expect(plan.missing.filter(({ line }) => line === undefined)).toEqual([]);
  for (const { need, line = '' } of plan.missing) {
    const read = readFixtures(`{ ${line} }`, environment);
    if (!read.ok)
      throw new Error(`${need}: ${line}: ${read.diagnostics.map(({ message }) => message).join()}`);
    const fixtures: Fixtures = read.fixtures;
    const left = planConformance({ contracts, baseUrl, fixtures, allow: permissions }).missing;
    expect(left.map((one) => one.need)).not.toContain(need);
  }
});

function ownContract(scheme: object): Promise<Contract> {
  return readValid({
    openapi: '3.1.0',
    info: { title: 'Polls', version: '1' },
    security: [{ main: [] }],
    paths: {
      '/polls': {
        get: { operationId: 'listPolls', responses: { 200: { description: 'All of them.' } } },
        post: {
          operationId: 'addPoll',
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { 201: { description: 'A new one.' } },
        },
      },
    },
    components: { securitySchemes: { main: scheme } },
  });
}

test.each([
  [{ type: 'http', scheme: 'bearer' }, '"cred": { "jwt": "$TOKEN" }'],
  [
    { type: 'apiKey', in: 'query', name: 'key' },
    '"cred": { "valid": { "query": "key", "value": "$API_KEY" } }',
  ],
  [
    { type: 'http', scheme: 'basic' },
    '"cred": { "valid": { "header": "Authorization", "value": "$BASIC" } }',
  ],
])(
  'the credential of an own API is shown at the place that its document declares: %j',
  async (scheme, line) => {
    const own = [await ownContract(scheme)];
    const plan = planConformance({ contracts: own, baseUrl, fixtures: {}, allow: permissions });
    expect(plan.missing.map((one) => one.line)).toContain(line);
    expect(plan.rulesClosed.map(({ gap }) => gap.fixtureLine)).toContain(line);
  },
);

test('a time limit is refused only where a deadline is stated that it would cut short', async () => {
  const own = [await ownContract({ type: 'http', scheme: 'bearer' })];
  const options = { contracts: own, baseUrl, allow: permissions, timeoutMs: 10_000 };
  const cred = { jwt: 'secret' };
  const writes = ['addPoll'];
  expect(planConformance({ ...options, fixtures: { cred, writes } }).billedAtMost).toBeGreaterThan(0);
  expect(() => planConformance({ ...options, fixtures: { cred, writes, deadlineMs: 60_000 } })).toThrow(
    /shorter than the server's deadline of 60 s/,
  );
});
