import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer as createJobsServer } from '../../generated/jobs/server.ts';
import { createServer as createRouterServer } from '../../generated/router/server.ts';
import { createMock, virtualClock, type Mock } from '../../mock/index.ts';

// Two keys with one call are refused before anything is charged, by the mock and by generated servers.

let mock: Mock;
beforeAll(async () => {
  mock = createMock({ clock: virtualClock() });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

let calls = 0;
const never = (): never => {
  calls += 1;
  throw new Error('no handler may run');
};
const authenticate = (): { id: string } => ({ id: 'caller' });
const router = createRouterServer(
  { listModels: never, getModel: never, getModelInputSchema: never, runModel: never },
  { authenticate },
);
const jobs = createJobsServer(
  { getJob: never, cancelJob: never, streamJobEvents: never, submitJob: never },
  { authenticate },
);

const CALLS = [
  { at: '/v1/models/mock/ok', scheme: { 'X-API-Key': 'service-mock-ok' }, body: '{"prompt":"x"}' },
  {
    at: '/api/v2/jobs',
    scheme: { Authorization: 'Bearer service-mock-ok' },
    body: '{"workflow":{"1":{"class_type":"WriteText","inputs":{"text":"x"}}}}',
  },
] as const;

test.each(
  CALLS.flatMap((call) =>
    [
      ['one', 'two'],
      ['one', 'one'],
      ['one', ''],
    ].map((keys) => ({ ...call, keys })),
  ),
)('a call of $at with the keys $keys is refused, and the sentence says why', async (call) => {
  const request = (): Request => {
    const headers = new Headers({ ...call.scheme, 'Content-Type': 'application/json' });
    for (const key of call.keys) headers.append('Idempotency-Key', key);
    return new Request(`http://localhost${call.at}`, { method: 'POST', headers, body: call.body });
  };
  const server = call.at.startsWith('/v1') ? router : jobs;
  for (const answer of [await mock.fetch(request()), await server(request())]) {
    const text = await answer.text();
    expect(answer.status).toBeOneOf([400, 422]);
    expect(text).toContain('Send one Idempotency-Key');
    expect(text).not.toContain('idempotency_key_reuse');
  }
  expect(calls).toBe(0);
});

test('a key with a comma is one key', async () => {
  const headers = { ...CALLS[0].scheme, 'Content-Type': 'application/json', 'Idempotency-Key': 'a,b' };
  const answer = await mock.fetch(CALLS[0].at, { method: 'POST', headers, body: CALLS[0].body });
  expect(answer.status).toBe(200);
});
