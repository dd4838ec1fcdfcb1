// @module-tag attack
import { expect, test } from 'vitest';

import { send } from '../../../generator/runtime/http.ts';
import { at, linkIn } from '../../../generator/runtime/links.ts';
import { fakeServer, jsonAnswer, readThing } from './fake-server.ts';

const secret = 'very-secret';

test('jobs.urls.follow-not-build, jobs.urls.origin-resolution: a link counts from the origin, never from the base address', async () => {
  const body = { urls: { self: '/deployment/7/api/v2/jobs/1?x=1' } };
  const { connection, seen } = fakeServer([jsonAnswer(body), jsonAnswer({})], {
    baseUrl: 'https://h.example/x/api/v2',
  });
  const answer = await send(connection, readThing, { id: '1' });
  const link = linkIn(answer, 'urls', 'self');
  await send(at(connection, link ?? ''), readThing, { id: '1', part: 2 });
  expect(seen.map(({ url }) => url)).toStrictEqual([
    'https://h.example/x/api/v2/v1/things/1',
    'https://h.example/deployment/7/api/v2/jobs/1?x=1&part=2',
  ]);
});

test.each([
  [{ urls: { self: '//evil.example/1' } }],
  [{ urls: { self: 7 } }],
  [{ urls: null }],
  [{}],
  [null],
  ['text'],
])('%j contains no link to follow', async (body) => {
  const { connection } = fakeServer([jsonAnswer(body)]);
  expect(linkIn(await send(connection, readThing, { id: '1' }), 'urls', 'self')).toBeUndefined();
});

test.each([
  ['https://api.example.com/deployment/7/v1/things/a?x=1', secret],
  ['https://api.example.com:443/v1/things/a', secret],
  ['http://api.example.com/v1/things/a', null],
  ['https://api.example.com:8443/v1/things/a', null],
  ['https://evil.example/v1/things/a', null],
  ['https://api.example.com.evil.example/', null],
  ['https://api.example.com@evil.example/', null],
])('a link to %s is followed with the key %s', async (link, key) => {
  const { connection, seen } = fakeServer([jsonAnswer({})], {
    credentials: { Key: secret },
    headers: { 'x-session': secret },
  });
  await send(at(connection, link), readThing, { id: 'a' });
  expect(seen[0]?.url).toBe(link);
  expect(seen[0]?.headers.get('x-api-key')).toBe(key);
  expect(seen[0]?.headers.get('x-session')).toBe(key);
});

test('with a base address that is relative to a page, no key goes anywhere else', async () => {
  const { connection, seen } = fakeServer([jsonAnswer({})], {
    baseUrl: '/api',
    credentials: { Key: secret },
  });
  await send(at(connection, 'https://api.example.com/v1/things/a'), readThing, { id: 'a' });
  expect(seen[0]?.headers.get('x-api-key')).toBeNull();
});

test.each([['/v1/things/a'], ['data:application/json,{}'], ['file:///etc/passwd'], ['//evil.example'], ['']])(
  'an incomplete address is refused: %j',
  (link) => {
    expect(() => at(fakeServer([]).connection, link)).toThrow('complete');
  },
);
