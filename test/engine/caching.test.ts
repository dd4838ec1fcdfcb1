import { expect, onTestFinished, test } from 'vitest';
import { callerLine } from '../../engine/caching.ts';
import type { ServedScheme } from '../../engine/served-api.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import { billedRouter } from '../server/billed-router.ts';
import { desks, deskServer } from './shared-caches.ts';

const key: ServedScheme = { name: 'key', kind: 'header', parameter: 'X-API-Key' };
const bearer: ServedScheme = { name: 'bearer', kind: 'bearer' };
const inQuery: ServedScheme = { name: 'query', kind: 'query', parameter: 'key' };
const PRIVATE = ['Cache-Control', 'private'] as const;

test.each<[string, Parameters<typeof callerLine>[0], Record<string, string>, ReturnType<typeof callerLine>]>([
  ['an operation without credentials', undefined, {}, undefined],
  ['one that says so', [], {}, undefined],
  ['a key in a header', [[key]], {}, PRIVATE],
  ['a key in the query', [[inQuery]], {}, PRIVATE],
  ['a cookie', [[{ name: 'session', kind: 'cookie', parameter: 'session' }]], {}, PRIVATE],
  ['what the handler says', [[key]], { 'cache-control': 'public, max-age=60' }, undefined],
  ['an answer that varies by its key', [[key]], { vary: 'Accept, x-api-key' }, undefined],
  ['an answer that varies by all', [[key]], { vary: '*' }, undefined],
  ['an answer that varies by one of two', [[key], [bearer]], { vary: 'X-API-Key' }, PRIVATE],
  ['an answer that varies by something else', [[key]], { vary: 'X-API-Key-Id' }, PRIVATE],
  ['an optional key', [[key], []], {}, ['Vary', 'X-API-Key']],
  [
    'an optional key or token',
    [[key], [bearer], []],
    { vary: 'Accept' },
    ['Vary', 'Accept, X-API-Key, Authorization'],
  ],
  ['an optional key that it varies by', [[key], []], { vary: 'X-API-Key' }, undefined],
  ['an optional key in the query', [[inQuery], []], {}, undefined],
])('%s', (_what, security, headers, want) => {
  expect(callerLine(security, (name) => headers[name])).toStrictEqual(want);
});

const CREDENTIALS = { 'X-API-Key': 'ada', Authorization: 'Bearer ada', Cookie: 'session=ada' };
type Fetch = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** Both ways to serve the contract. */
async function served(): Promise<readonly (readonly [name: string, fetch: Fetch])[]> {
  const contract = await desks();
  const [server, mock] = [await deskServer(contract), createMock({ contracts: [contract] })];
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  return [
    ['server', (path, headers = {}) => server(new Request(`http://desks.test${path}`, { headers }))],
    ['mock', (path, headers = {}) => mock.fetch(path, { headers })],
  ];
}

test('generated servers and mocks keep every answer to a credential with its caller, whatever its status', async () => {
  for (const [name, fetch] of await served()) {
    const lines = async (path: string, headers?: Record<string, string>): Promise<unknown[]> => {
      const answer = await fetch(path, headers);
      await answer.arrayBuffer();
      return [answer.status, answer.headers.get('cache-control'), answer.headers.get('vary')];
    };
    for (const path of ['/header', '/bearer', '/cookie', '/either'])
      expect(await lines(path, CREDENTIALS), `${name} ${path}`).toStrictEqual([200, 'private', null]);
    expect(await lines('/query?key=ada'), name).toStrictEqual([200, 'private', null]);
    expect(await lines('/optional', CREDENTIALS), name).toStrictEqual([200, null, 'X-API-Key']);
    expect(await lines('/optional'), name).toStrictEqual([200, null, 'X-API-Key']);
    expect(await lines('/open'), name).toStrictEqual([200, null, null]);
    expect(await lines('/header'), name).toStrictEqual([401, 'private', null]);
    expect(await lines('/nothing', CREDENTIALS), name).toStrictEqual([404, 'private', null]);
  }
});

test('the caching that a handler states stays', async () => {
  const server = await deskServer(await desks(), { 'Cache-Control': 'max-age=60' });
  const answer = await server(new Request('http://desks.test/header', { headers: CREDENTIALS }));
  expect(answer.headers.get('cache-control')).toBe('max-age=60');
});

const built = (): Mock => {
  const mock = createMock();
  onTestFinished(() => {
    mock.close();
  });
  return mock;
};

test.each([
  ['/v1/models?limit=1', 200, 'private'],
  ['/v1/models/mock/ok/openapi.json', 200, 'private, max-age=300, must-revalidate'],
  ['/v1/models/mock/none', 404, 'private'],
])('the mock of the router keeps %s with its caller', async (path, status, want) => {
  const answer = await built().fetch(path, { headers: { 'X-API-Key': 'service-mock-ok' } });
  expect([answer.status, answer.headers.get('cache-control')]).toStrictEqual([status, want]);
});

test('the mock lets an answer vary by the credential beside the origin of a page', async () => {
  const mock = createMock({ contracts: [await desks()] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  const answer = await mock.fetch('/optional', { headers: { Origin: 'http://localhost:5173' } });
  expect(answer.headers.get('vary')).toBe('X-API-Key, Origin');
});

test('the first answer of a key and its replay say the same about caches', async () => {
  const { server } = billedRouter(1_000);
  const run = (): Promise<Response> =>
    server(
      new Request('http://router.test/v1/models/acme/painter', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': 'service-x', 'Idempotency-Key': 'a' },
        body: '{}',
      }),
    );
  const lines: unknown[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const { headers, status, body } = await run();
    await new Response(body).arrayBuffer();
    lines.push([status, headers.get('cache-control'), headers.get('idempotent-replayed')]);
  }
  expect(lines).toStrictEqual([
    [200, 'private', null],
    [200, 'private', 'true'],
  ]);
});
