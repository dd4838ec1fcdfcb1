import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/index.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

const key = { 'X-API-Key': 'service-mock-ok' };
const bearer = { Authorization: 'Bearer service-mock-ok' };
const json = { 'Content-Type': 'application/json' };
const graph = '{"workflow":{"1":{"class_type":"WriteText","inputs":{"text":"a notch"}}}}';
const named = (name: string): Record<string, string> => ({ 'Tallystick-Namespace': name });

async function control(method: string, path: string, name?: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`, {
    method,
    headers: { ...json, ...(name === undefined ? {} : named(name)) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${String(response.status)}: ${(answer as { error: string }).error}`);
  return answer;
}

function run(name: string | undefined, order: string): Promise<Response> {
  return fetch(`${mock.url}/v1/models/mock/ok`, {
    method: 'POST',
    headers: { ...key, ...json, 'Idempotency-Key': order, ...(name === undefined ? {} : named(name)) },
    body: '{"prompt":"a notch"}',
  });
}

/** What a worker sees after it did something to everything: calls, keys, jobs, scenarios and the clock. */
async function work(name: string, turn: number): Promise<unknown> {
  await control('PUT', `namespaces/${name}`, undefined, { seed: 'a', speed: 0 });
  for (let i = 0; i < turn; i += 1) await control('POST', 'clock', name, { advance: 'PT1H' });
  await control('POST', 'scenarios', name, { name: 'unavailable', times: 1 });
  const statuses = [(await run(name, 'order-1')).status, (await run(name, 'order-1')).status];
  const replayed = (await run(name, 'order-1')).headers.get('Idempotent-Replayed');
  const submitted = await fetch(`${mock.url}/api/v2/jobs`, {
    method: 'POST',
    headers: { ...bearer, ...json, ...named(name) },
    body: graph,
  });
  const { jobs } = (await control('GET', 'jobs', name)) as { jobs: unknown[] };
  const { entries } = (await control('GET', 'journal', name)) as { entries: unknown[] };
  const { now } = (await control('GET', 'clock', name)) as { now: number };
  return [statuses, replayed, submitted.status, jobs.length, entries.length, now];
}

test('ten workers on one mock: none sees what another does, nor does the mock itself', async () => {
  const start = Date.UTC(2026, 0, 5, 9);
  const seen = await Promise.all(
    Array.from({ length: 10 }, (_, turn) => work(`worker-${String(turn)}`, turn)),
  );
  expect(seen).toStrictEqual(
    Array.from({ length: 10 }, (_, turn) => [[503, 200], 'true', 201, 1, 4, start + turn * 3_600_000]),
  );
  expect(mock.journal.entries()).toStrictEqual([]);
  expect((await run(undefined, 'order-1')).headers.get('Idempotent-Replayed')).toBeNull();
});

test('two runs with one seed and a stopped clock answer the same bytes, also after other ones', async () => {
  const bytes = async (): Promise<string> => {
    await control('PUT', 'namespaces/bytes', undefined, { seed: 'a seed', speed: 0 });
    const calls: [string, RequestInit][] = [
      ['/v1/models?limit=2', {}],
      ['/v1/models/mock/ok', { method: 'POST', body: '{"prompt":"a notch"}' }],
      ['/api/v2/jobs', { method: 'POST', body: graph }],
      [
        '/publishers/acme/nodes/acme-upscaler/versions',
        {
          method: 'POST',
          body: '{"node":{"id":"acme-upscaler"},"node_version":{"version":"9.0.0"},"personal_access_token":"pat-mock-ok"}',
        },
      ],
    ];
    const said: string[] = [];
    for (const [path, init] of calls) {
      const headers = { ...(path.startsWith('/v1') ? key : bearer), ...json, ...named('bytes') };
      const response = await fetch(mock.url + path, { ...init, headers });
      const lines = [...response.headers].filter(([name]) => name !== 'date');
      said.push(JSON.stringify([response.status, lines, await response.text()]));
    }
    return said.join('\n');
  };
  const first = await bytes();
  expect(first.split('\n').map((line) => line.slice(0, 4))).toStrictEqual(['[200', '[200', '[201', '[201']);
  expect(await bytes()).toBe(first);
});

test('an unknown namespace is reported on both ports', async () => {
  const answer = await fetch(`${mock.url}/v1/models`, { headers: { ...key, ...named('nobody') } });
  expect([answer.status, await answer.text()]).toStrictEqual([
    400,
    'Namespace "nobody" does not exist. PUT /control/v1/namespaces/{name} creates it.\n',
  ]);
  await expect(control('GET', 'journal', 'nobody')).rejects.toThrow('404: Namespace "nobody" does not exist');
  await expect(control('DELETE', 'namespaces/nobody')).rejects.toThrow(
    '404: Namespace "nobody" does not exist',
  );
});

test.each([
  ['namespaces/a%20b', {}, /letters, digits/],
  ['namespaces/a', { speed: -1 }, /"speed" is a number from 0/],
  ['namespaces/a', { seed: 7 }, /body\/seed: expected a string/],
  ['namespaces/a', { sed: 'x' }, /Did you mean seed/],
  ['namespaces', {}, /Name the namespace/],
])('what cannot be a namespace is refused: %s %j', async (path, body, message) => {
  await expect(control('PUT', path, undefined, body)).rejects.toThrow(message);
});
