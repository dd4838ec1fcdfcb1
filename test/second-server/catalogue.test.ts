import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { bucketOf, page, rawStatus, run, send } from '../fixtures/second-server/client.ts';
import { start } from './start.ts';

test('a walk ends when has_more is false and meets every listed model once', async () => {
  const { server, fixtures } = await start();
  const seen: string[] = [];
  let query = '?limit=1';
  const sizes = new Set<number>();
  for (;;) {
    const { data, has_more, limit, next_cursor } = await page(server, query);
    expect(limit).toBe(1);
    sizes.add(data.length);
    seen.push(...data.map(({ id }) => id));
    expect(typeof next_cursor).toBe(has_more ? 'string' : 'undefined');
    if (!has_more) break;
    query = `?limit=1&cursor=${encodeURIComponent(next_cursor ?? '')}`;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThan(100);
  expect(seen).not.toContain(fixtures.model.unreleased);
  expect(sizes).toEqual(new Set([0, 1]));
});

test.each([
  ['', 20],
  ['?limit=7', 7],
  ['?limit=100', 100],
  ['?limit=101', 100],
  ['?limit=99999999999999999999', 100],
  ['?limit=0', 20],
  ['?limit=-3', 20],
])('the list %s serves pages of %i', async (query, limit) => {
  const { server } = await start();
  expect((await page(server, query)).limit).toBe(limit);
});

test('a cursor that is empty, foreign, too long, cut, changed or old is refused', async () => {
  const { server, fixtures } = await start();
  const { next_cursor: good } = await page(server, '');
  if (typeof good !== 'string') throw new Error('the first page is the last');
  expect(good).toMatch(/^[A-Za-z0-9._~+/=-]{1,512}$/);
  const changed = good.slice(0, -3) + (good.at(-3) === 'A' ? 'B' : 'A') + good.slice(-2);
  const bad = [
    '',
    'nonsense',
    'a'.repeat(513),
    good.slice(0, -4),
    good.slice(0, 8),
    changed,
    fixtures.cursor.expired,
  ];
  for (const cursor of bad) {
    const got = await send(server, `/v1/models?cursor=${encodeURIComponent(cursor)}`);
    expect([cursor, got.status, bucketOf(got)]).toEqual([cursor, 400, 'invalid_input']);
  }
});

test('every listed model can be read, and only identity and billing facts are in it', async () => {
  const { server } = await start();
  for (const { id } of (await page(server, '?limit=20')).data) {
    const detail: unknown = JSON.parse((await send(server, `/v1/models/${id}`)).text);
    expect(detail).toMatchObject({
      id,
      billing: { charges_on_policy_rejection: expect.any(String) as string },
    });
  }
});

test.each([
  ['/v1/models/Quartz/sketch', 400],
  ['/v1/models/quartz/a..b', 400],
  ['/v1/models/quartz/../onyx.labs', 400],
  ['/v1/models/quartz%2Fsketch_2.1/x', 400],
  ['/v1/models/quartz/%73ketch_2.1', 400],
  [`/v1/models/${'a'.repeat(65)}/b`, 414],
  ['/v1/models/quartz/mirror/variant', 400],
  ['/v1/models/quartz', 404],
  ['/v1/queue/models/quartz/mirror', 501],
  ['/v2/models', 404],
])('the path %s is answered with %i', async (path, status) => {
  const { server } = await start();
  expect(await rawStatus(server, path)).toBe(status);
});

test('even bytes that are not HTTP get a request id and a bucket', async () => {
  const { server } = await start();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
    socket.write('rubbish\r\n\r\n'),
  );
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toMatch(
    /^HTTP\/1.1 400 .*x-service-request-id: \S+\r\nx-service-error-type: invalid_input\r\n/s,
  );
});

test('a schema document is read once and then confirmed', async () => {
  const { server, fixtures } = await start();
  const path = `/v1/models/${fixtures.model.ok.id}/openapi.json`;
  const first = await send(server, path);
  const etag = first.headers.get('etag') ?? '';
  expect(JSON.parse(first.text)).toMatchObject({
    'x-service-router-model-id': fixtures.model.ok.id,
    'x-service-input-schema-authored': true,
  });
  for (const condition of ['*', etag, etag.slice(2), `"other", ${etag}, W/"x"`]) {
    const got = await send(server, path, { headers: { 'if-none-match': condition } });
    expect([got.status, got.text, got.headers.get('etag')]).toEqual([304, '', etag]);
    expect(got.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
    expect(got.headers.has('x-service-request-id')).toBe(true);
  }
  expect((await send(server, path, { headers: { 'if-none-match': '"other"' } })).text).toBe(first.text);
  const fallback = await send(server, `/v1/models/${fixtures.model.noSchema.id}/openapi.json`);
  expect(JSON.parse(fallback.text)).toMatchObject({ 'x-service-input-schema-authored': false });
});

test('a credential is an API key, the same as a bearer, or a JWT', async () => {
  const { server, fixtures } = await start();
  const { apiKey, jwt, forbidden } = fixtures.cred;
  const read = async (headers: Record<string, string>): Promise<string> => {
    const response = await fetch(`${server.url}/v1/models/no/one`, { headers });
    await response.text();
    return `${response.status} ${response.headers.get('x-service-error-type') ?? ''}`;
  };
  expect(await read({ 'X-API-Key': apiKey })).toBe('404 model_not_found');
  expect(await read({ Authorization: `Bearer ${apiKey}` })).toBe('404 model_not_found');
  expect(await read({ Authorization: `Bearer ${jwt}` })).toBe('404 model_not_found');
  expect(await read({ 'X-API-Key': forbidden })).toBe('403 forbidden');
  expect(await read({ 'X-API-Key': jwt })).toBe('401 unauthorized');
  expect(await read({ Authorization: 'Bearer rubbish' })).toBe('401 unauthorized');
  expect(await read({})).toBe('401 unauthorized');
  const poor = await run(server, fixtures.model.ok, { 'x-api-key': fixtures.account.noCredits });
  expect(bucketOf(poor)).toBe('insufficient_credits');
});
