import { prepareBody } from '../../../generator/runtime/bodies.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { connect } from '../../../generator/runtime/connection.ts';
import { send } from '../../../generator/runtime/http.ts';
import type { Operation } from '../../../generator/runtime/operation.ts';
import { form, label, simple } from '../../../generator/runtime/parameters.ts';
import { basic, bearer, keyInCookie, keyInHeader, keyInQuery } from '../../../generator/runtime/secrets.ts';
import { fakeServer, jsonAnswer, readThing, runThing } from './fake-server.ts';
import type { SeenRequest } from './fake-server.ts';

const secret = 'very-secret';

async function requestOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  options: Parameters<typeof fakeServer>[1] = {},
  call: Parameters<typeof send>[3] = {},
): Promise<SeenRequest> {
  const { connection, seen } = fakeServer([jsonAnswer({})], options);
  await send(connection, operation, input, call);
  const [request] = seen;
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

test.each([
  ['https://h.example', 'https://h.example/v1/things/a'],
  ['https://h.example/', 'https://h.example/v1/things/a'],
  ['https://h.example:8443/deployment/7/', 'https://h.example:8443/deployment/7/v1/things/a'],
  ['/api', '/api/v1/things/a'],
  ['/', '/v1/things/a'],
  ['', '/v1/things/a'],
])('the path comes after the base address %j', async (baseUrl, want) => {
  expect((await requestOf(readThing, { id: 'a' }, { baseUrl })).url).toBe(want);
});

test.each([
  ['https://h.example/?a=b', 'query'],
  ['https://h.example/#a', 'query'],
  ['ftp://h.example', 'http'],
  ['javascript:alert(1)', 'http'],
  ['//h.example', 'http'],
  ['h.example', 'http'],
  ['https://', 'http'],
  [`https://me:${secret}@h.example`, 'password'],
])('the base address %j is refused, and not shown', (baseUrl, why) => {
  expect(() => connect({ baseUrl })).toThrow(new RegExp(`^(?!.*${secret}).*${why}`));
});

test.each([
  ['acme', 'acme'],
  ['a/b', 'a%2Fb'],
  ['a\\b', 'a%5Cb'],
  ['a b#c?d', 'a%20b%23c%3Fd'],
  ['%2e%2e', '%252e%252e'],
  ['..a', '..a'],
  ['...', '...'],
  ['ü', '%C3%BC'],
  ['{id}', '%7Bid%7D'],
  ['$&', '%24%26'],
])('a value keeps its place in the path: %j', async (id, want) => {
  expect((await requestOf(readThing, { id })).url).toBe(`https://api.example.com/v1/things/${want}`);
});

test.each([['.'], ['..'], [''], [undefined], [null]])(
  'the path value %j is refused before anything is sent',
  async (id) => {
    const { connection, seen } = fakeServer([]);
    await expect(send(connection, readThing, { id })).rejects.toThrow(TypeError);
    expect(seen).toHaveLength(0);
  },
);

test(
  'a segment that only becomes dots by its style or its neighbours is refused, too',
  { tags: 'attack' },
  async () => {
    const { connection } = fakeServer([]);
    const styled: Operation = { ...readThing, parameters: [{ name: 'id', in: 'path', style: label }] };
    await expect(send(connection, styled, { id: '.' })).rejects.toThrow(TypeError);
    const joined: Operation = {
      ...readThing,
      path: '/{a}{b}/x',
      parameters: [
        { name: 'a', in: 'path', style: simple },
        { name: 'b', in: 'path', style: simple },
      ],
    };
    await expect(send(connection, joined, { a: '.', b: '.' })).rejects.toThrow(TypeError);
  },
);

test(
  'whatever a value holds, it stays one segment of the path that a server sees',
  { tags: 'attack' },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (id) => {
        fc.pre(id !== '.' && id !== '..');
        const { url } = await requestOf(readThing, { id });
        const segments = new URL(url).pathname.split('/');
        expect(segments.slice(0, 3)).toStrictEqual(['', 'v1', 'things']);
        expect(segments.slice(3).map(decodeURIComponent)).toStrictEqual([id]);
      }),
    );
  },
);

test('parameters go to their places, what is missing is left out', async () => {
  const all = await requestOf(readThing, { id: 'a', part: ['x', 'y&z'], ifNoneMatch: '"t"' });
  expect(all.url).toBe('https://api.example.com/v1/things/a?part=x&part=y%26z');
  expect(all.headers.get('if-none-match')).toBe('"t"');
  const few = await requestOf(readThing, { id: 'a', part: undefined, ifNoneMatch: null });
  expect(few.url).toBe('https://api.example.com/v1/things/a');
  expect(few.headers.has('if-none-match')).toBe(false);
});

test('a parameter that is called like a member of every object is only sent when it is given', async () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  const operation: Operation = {
    ...readThing,
    parameters: [
      { name: 'id', in: 'path', style: simple },
      ...names.map((name) => ({ name, in: 'query', style: form }) as const),
    ],
    security: [
      [{ name: 'constructor', write: bearer }],
      [{ name: 'Key', write: keyInHeader, parameter: 'X-API-Key' }],
    ],
  };
  const without = await requestOf(operation, { id: 'a' }, { credentials: { Key: secret } });
  expect(without.url).toBe('https://api.example.com/v1/things/a');
  expect(without.headers.get('x-api-key')).toBe(secret);
  const input = Object.fromEntries([['id', 'a'], ...names.map((name) => [name, '1'])]) as Record<
    string,
    string
  >;
  expect((await requestOf(operation, input)).url).toBe(
    'https://api.example.com/v1/things/a?constructor=1&toString=1&__proto__=1&hasOwnProperty=1',
  );
});

test('a date is written as ISO 8601', async () => {
  const { url } = await requestOf(readThing, { id: 'a', part: new Date(0) });
  expect(url).toBe('https://api.example.com/v1/things/a?part=1970-01-01T00%3A00%3A00.000Z');
});

test('all cookies are sent in one header', async () => {
  const operation: Operation = {
    ...readThing,
    parameters: [
      { name: 'id', in: 'path', style: simple },
      { name: 'a', in: 'cookie', style: form },
      { name: 'b', in: 'cookie', style: form },
    ],
    security: [[{ name: 'Key', write: keyInCookie, parameter: 'session' }]],
  };
  const { headers } = await requestOf(operation, { id: '1', a: 'x y', b: 2 }, { credentials: { Key: 's' } });
  expect(headers.get('cookie')).toBe('a=x%20y; b=2; session=s');
});

test('a body is written once, with its media type', async () => {
  const { headers, body } = await requestOf(runThing, { id: 'a', body: { n: null, big: 1 } });
  expect(body).toBe('{"n":null,"big":1}');
  expect(headers.get('content-type')).toBe('application/json');
});

test('a required body that is missing is refused before anything is sent', async () => {
  const { connection, seen } = fakeServer([]);
  await expect(send(connection, runThing, { id: 'a' })).rejects.toThrow('runThing needs a body');
  expect(seen).toHaveLength(0);
});

test('an optional body that is missing sends no media type', async () => {
  const operation: Operation = {
    ...runThing,
    body: { prepare: prepareBody, write: () => '', mediaType: 'application/json' },
  };
  const { headers, body } = await requestOf(operation, { id: 'a' });
  expect(body).toBeNull();
  expect(headers.has('content-type')).toBe(false);
});

test.each<
  [
    string,
    Operation['security'],
    Record<string, string | (() => Promise<string>)>,
    Record<string, string | null>,
  ]
>([
  [
    'a token',
    readThing.security,
    { Token: secret },
    { authorization: `Bearer ${secret}`, 'x-api-key': null },
  ],
  ['a key', readThing.security, { Key: secret }, { authorization: null, 'x-api-key': secret }],
  [
    'both at hand: the first alternative',
    readThing.security,
    { Key: 'k', Token: 't' },
    { authorization: 'Bearer t', 'x-api-key': null },
  ],
  [
    'one that is asked for',
    readThing.security,
    { Key: () => Promise.resolve(secret) },
    { 'x-api-key': secret },
  ],
  ['none at hand', readThing.security, {}, { authorization: null, 'x-api-key': null }],
  ['none needed', undefined, { Token: secret }, { authorization: null }],
  [
    'two together',
    [
      [
        { name: 'Key', write: keyInHeader, parameter: 'X-API-Key' },
        { name: 'Token', write: bearer },
      ],
    ],
    { Key: 'k', Token: 't' },
    { authorization: 'Bearer t', 'x-api-key': 'k' },
  ],
  [
    'user and password',
    [[{ name: 'Login', write: basic }]],
    { Login: 'Jürgen:geheim' },
    { authorization: 'Basic SsO8cmdlbjpnZWhlaW0=' },
  ],
])('credentials: %s', async (_, security, credentials, want) => {
  const { headers } = await requestOf(
    { ...readThing, ...(security ? { security } : { security: [] }) },
    { id: 'a' },
    { credentials },
  );
  for (const [name, value] of Object.entries(want)) expect(headers.get(name), name).toBe(value);
});

test('a key in the query is sent, and not shown in errors', async () => {
  const operation: Operation = {
    ...readThing,
    security: [[{ name: 'Key', write: keyInQuery, parameter: 'key' }]],
  };
  const { connection, seen } = fakeServer([jsonAnswer({}, 404)], { credentials: { Key: secret } });
  const error: unknown = await send(connection, operation, { id: 'a', part: 1 }).catch(
    (reason: unknown) => reason,
  );
  expect(seen[0]?.url).toBe(`https://api.example.com/v1/things/a?part=1&key=${secret}`);
  expect(String(error)).toContain('GET https://api.example.com/v1/things/a');
  expect(String(error)).not.toContain(secret);
});

test.each([
  [`${secret}\n`, 'line break'],
  [`${secret}\0`, 'line break'],
  [` ${secret}`, 'line break'],
  ['', 'empty'],
  [`${secret}’`, 'characters'],
])('a credential that cannot be sent (%j) is named, and not shown', async (value, why) => {
  const { connection, seen } = fakeServer([], { credentials: { Key: value } });
  const error: unknown = await send(connection, readThing, { id: 'a' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain('"Key"');
  expect(String(error)).toContain(why);
  expect(String(error)).not.toContain(secret);
  expect(seen).toHaveLength(0);
});

test('a header that cannot be sent is named, and its value not shown', { tags: 'attack' }, async () => {
  const { connection } = fakeServer([]);
  const call = send(
    connection,
    readThing,
    { id: 'a' },
    { headers: { 'x-trace': `${secret}\r\nx-admin: 1` } },
  );
  await expect(call).rejects.toThrow(/^(?!.*very-secret).*"x-trace"/);
});

test('headers of the call override those of the connection, and credentials override both', async () => {
  const { headers } = await requestOf(
    readThing,
    { id: 'a' },
    {
      headers: { 'x-a': 'connection', 'x-b': 'connection', authorization: 'mine' },
      credentials: { Token: 't' },
    },
    { headers: { 'x-b': 'call' } },
  );
  expect([headers.get('x-a'), headers.get('x-b'), headers.get('authorization')]).toStrictEqual([
    'connection',
    'call',
    'Bearer t',
  ]);
});

test('redirects are never followed', { tags: 'attack' }, async () => {
  const { init } = await requestOf(readThing, { id: 'a' });
  expect(init.redirect).toBe('manual');
});
