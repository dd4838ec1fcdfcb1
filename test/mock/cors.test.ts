// @module-tag attack
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../mock/index.ts';
import { own } from './own-document.ts';

/** What browsers let a page of another origin do. */
const page = 'http://localhost:5173';
let mock: Mock;
beforeAll(() => {
  mock = createMock();
});
afterAll(() => {
  mock.close();
});

const handled = async (
  to: Mock,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> => {
  const { reply, settle } = await to.handle({
    method,
    target: '/v1/models?limit=1',
    rawHeaders: Object.entries(headers).flat(),
    body: new Uint8Array(),
  });
  settle('delivered');
  return Object.fromEntries(reply.headers.map(([name, value]) => [name.toLowerCase(), value]));
};
const preflight = (names: string, origin = page, to = mock): ReturnType<typeof handled> =>
  handled(to, 'OPTIONS', {
    Origin: origin,
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': names,
  });
const made = (options: MockOptions): Mock => {
  const other = createMock({ apis: ['router'], ...options });
  onTestFinished(() => {
    other.close();
  });
  return other;
};

test.each([
  'x-key',
  'x-api-key, content-type',
  'traceparent,tracestate,baggage,sentry-trace',
  'x-stainless-os',
])('a page may send what it asks for: %s', async (names) => {
  const answer = await preflight(names);
  expect(answer['access-control-allow-headers']?.split(', ')).toStrictEqual(names.split(/, ?/));
  expect(answer['access-control-allow-origin']).toBe(page);
});

test('what is not the name of a header is not repeated, and long lists are cut', async () => {
  expect((await preflight('x-key, a b, "c"'))['access-control-allow-headers']).toBe('x-key');
  expect(await preflight('a b')).not.toHaveProperty('access-control-allow-headers');
  const many = Array.from({ length: 200 }, (_, index) => `x-${String(index)}`).join(',');
  expect((await preflight(many))['access-control-allow-headers']?.split(', ')).toHaveLength(100);
});

test('a page may read every header of an answer', async () => {
  const answer = await handled(mock, 'GET', { Origin: page, 'X-API-Key': 'service-mock-ok' });
  const exposed = answer['access-control-expose-headers']?.toLowerCase().split(', ') ?? [];
  const own = Object.keys(answer).filter((name) => !/^(vary|access-control-)/.test(name));
  expect(own).toContain('x-service-request-id');
  expect(exposed).toStrictEqual(expect.arrayContaining(own));
});

test.each<[string, MockOptions['cors']]>([
  ['https://app.example.com', 'loopback'],
  ['http://localhost.evil.example', 'loopback'],
  [page, 'off'],
  [page, 'https://app.example.com'],
])('%s is refused by %s, and the journal says why', async (origin, option = 'loopback') => {
  const strict = made({ cors: option });
  for (const answer of [
    await preflight('x-key', origin, strict),
    await handled(strict, 'GET', { Origin: origin, 'X-API-Key': 'service-mock-ok' }),
  ])
    expect(Object.keys(answer).filter((name) => name.startsWith('access-control-'))).toStrictEqual([]);
  const trails = strict.journal.entries().map(({ trail }) => trail.find(({ step }) => step === 'origin'));
  expect(trails.map((step) => step?.decision)).toStrictEqual([
    expect.stringContaining(`the option cors is "${option}"`),
    expect.stringContaining(JSON.stringify(origin)),
  ]);
});

test.each(['loopback', '*'])('%s allows no cookies where no document declares one', async (option) => {
  const open = made({ cors: option });
  expect(await preflight('cookie', page, open)).not.toHaveProperty('access-control-allow-credentials');
  expect((await preflight('x-key', page, open))['access-control-allow-origin']).toBe(
    option === '*' ? '*' : page,
  );
});

test('a page whose requests have credentials may call if --cors names its origin', async () => {
  const named = { 'access-control-allow-origin': page, 'access-control-allow-credentials': 'true' };
  expect(await preflight('x-key', page, made({ cors: page }))).toMatchObject(named);
  expect(await handled(made({ cors: page }), 'GET', { Origin: page })).toMatchObject(named);
});

test('pages of an accepted origin may send cookies to a document whose credential is a cookie', async () => {
  const contract = await own(
    'sessions',
    `
openapi: 3.1.0
info: { title: Sessions, version: '1' }
paths: { /v1/models: { get: { security: [{ session: [] }], responses: { '200': { description: Fine. } } } } }
components: { securitySchemes: { session: { type: apiKey, in: cookie, name: sid } } }
`,
  );
  const cookies = (option: string): Mock => made({ apis: [], contracts: [contract], cors: option });
  const named = { 'access-control-allow-origin': page, 'access-control-allow-credentials': 'true' };
  for (const option of ['loopback', page]) {
    expect(await preflight('x-key', page, cookies(option))).toMatchObject(named);
    expect(await handled(cookies(option), 'GET', { Origin: page, Cookie: 'sid=1' })).toMatchObject(named);
  }
  for (const [option, origin] of [
    ['*', page],
    ['loopback', 'https://elsewhere.example.com'],
  ] as const)
    expect(await preflight('x-key', origin, cookies(option))).not.toHaveProperty(
      'access-control-allow-credentials',
    );
});
