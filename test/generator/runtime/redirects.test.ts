import { expect, test } from 'vitest';
import { followRedirects, type RedirectOptions } from '../../../generator/runtime/redirects.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const START = 'https://api.example.com/v1/things';
const SECRET = { authorization: 'Bearer s', 'x-key': 's', cookie: 'a=s', accept: 'application/json' };

/** Sends one request to a server that answers it, and what follows, one after the other. */
async function follow(
  answers: readonly (readonly [status: number, location?: string])[],
  init: RequestInit = {},
  options: RedirectOptions = {},
): Promise<{ readonly status: number; readonly seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  const fetch = (url: string, sent: RequestInit): Promise<Response> => {
    const { method = 'GET', body } = sent;
    const headers = Object.fromEntries(new Headers(sent.headers));
    seen.push({ method, url, headers, body: typeof body === 'string' ? body : '' });
    const [status, location] = answers[seen.length - 1] ?? [200];
    return Promise.resolve(
      new Response(null, { status, headers: location === undefined ? {} : { location } }),
    );
  };
  const { status } = await followRedirects({ ...options, fetch })(START, init);
  return { status, seen };
}

const post = { method: 'POST', body: '{}', headers: { ...SECRET, 'content-type': 'application/json' } };

test.each<[number, string, string, string]>([
  [301, 'POST', 'GET', ''],
  [302, 'POST', 'GET', ''],
  [303, 'POST', 'GET', ''],
  [303, 'PUT', 'GET', ''],
  [301, 'PUT', 'PUT', '{}'],
  [307, 'POST', 'POST', '{}'],
  [308, 'POST', 'POST', '{}'],
])('a %i of a %s is followed by a %s', async (status, method, next, body) => {
  const { seen, status: last } = await follow([[status, '/v2?a=b']], { ...post, method });
  expect(last).toBe(200);
  expect(seen[1]).toMatchObject({ method: next, url: 'https://api.example.com/v2?a=b', body });
  expect(seen[1]?.headers['content-type']).toBe(body === '' ? undefined : 'application/json');
});

test.each([303, 307])('a %i of a HEAD is followed by a HEAD', async (status) => {
  const { seen } = await follow([[status, '/b']], { method: 'HEAD' });
  expect(seen.map(({ method }) => method)).toStrictEqual(['HEAD', 'HEAD']);
});

test.each<[string, string, RedirectOptions, boolean]>([
  ['the same origin', '/b', {}, true],
  ['another host', 'https://files.example.com/b', {}, false],
  ['another port', 'https://api.example.com:8443/b', {}, false],
  [
    'a trusted origin',
    'https://files.example.com/b',
    { trustedOrigins: ['https://files.example.com'] },
    true,
  ],
])('%s gets the credentials: %s', async (_, location, options, gets) => {
  const { seen } = await follow([[307, location]], post, options);
  const { accept, ...secrets } = SECRET;
  expect(seen[1]?.headers).toStrictEqual({
    accept,
    'content-type': 'application/json',
    ...(gets ? secrets : {}),
  });
});

test('credentials do not come back with a second redirect', async () => {
  const { seen } = await follow(
    [
      [302, 'https://files.example.com/b'],
      [302, START],
    ],
    { headers: SECRET },
  );
  expect(seen.map(({ headers }) => 'authorization' in headers)).toStrictEqual([true, false, false]);
});

const stream = (): ReadableStream => new ReadableStream({ start: (controller) => controller.close() });

test.each<[string, readonly [number, string?], RequestInit]>([
  ['from https to http', [302, 'http://api.example.com/'], {}],
  ['to no address', [302, 'https://'], {}],
  ['to another scheme', [302, 'data:,x'], {}],
  ['to an address with a password', [302, 'https://a:b@api.example.com/'], {}],
  ['without a Location', [302], {}],
  ['of a kept resource', [304, '/b'], {}],
  ['with a body that is a stream', [307, '/b'], { method: 'POST', body: stream() }],
])('a redirect %s is the answer', async (_, answer, init) => {
  const { status, seen } = await follow([answer], init);
  expect([status, seen.length]).toStrictEqual([answer[0], 1]);
});

test('after the limit of redirects, the redirect itself is the answer', async () => {
  const { status, seen } = await follow(
    Array.from({ length: 9 }, () => [302, '/b'] as const),
    {},
    { most: 2 },
  );
  expect([status, seen.length]).toStrictEqual([302, 3]);
});
