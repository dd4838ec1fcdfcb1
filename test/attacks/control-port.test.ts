// @module-tag attack
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/index.ts';
import { Wire } from '../mock/wire.ts';
import { heads, request, statuses, untilClosed } from './bytes.ts';

/** A developer's mock with its state, and everything on the same machine or in the same browser that would like to steer it. */
let parent: string;
let mock: RunningMock;
let control: URL;
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'tallystick-attack-'));
  mock = await startMock({ apis: ['router'], data: join(parent, 'data') });
  control = new URL(mock.controlUrl ?? '');
});
beforeEach(async () => {
  mock.reset();
  await fetch(`${mock.url}/v1/models`, { headers: { 'X-API-Key': 'service-mock-ok' } });
});
afterAll(async () => {
  await mock.stop();
  rmSync(parent, { recursive: true });
});

const RESET = 'POST /control/v1/reset';
const JSON_TYPE = 'Content-Type: application/json';
const EMPTY = 'Content-Length: 0';

const here = (): string => `Host: ${control.host}`;
const statusOf = async (bytes: string): Promise<number> => statuses(await heads(control.href, bytes))[0] ?? 0;
/** A reset would have emptied the journal. */
const expectUntouched = (): void => expect(mock.journal.entries()).toHaveLength(1);
const expectServing = async (): Promise<void> => {
  for (const path of ['state', 'models', 'journal'])
    expect((await fetch(new URL(`/control/v1/${path}`, control))).status).toBe(200);
};

test.each([
  'evil.example',
  'evil.example:PORT',
  '127.0.0.1.evil.example:PORT',
  'localhost.evil.example:PORT',
  'evil-localhost:PORT',
  'evil.example/.localhost',
  'evil.example?.localhost',
  'localhost@evil.example:PORT',
  '127.0.0.1:PORT@evil.example',
  '127.0.0.1:PORT:80',
  '127.0.0.1:evil',
  '127.0.0.2:PORT',
  '0.0.0.0:PORT',
  '2130706433:PORT',
  '0x7f.1:PORT',
  '[::ffff:127.0.0.1]:PORT',
  '[::]:PORT',
  'localhost.:PORT',
  '127.0.0.1, evil.example',
  '',
])('rebinding: a request for the host %j is refused and changes nothing', async (host) => {
  const named = host.replace('PORT', control.port);
  expect(await statusOf(request(RESET, [`Host: ${named}`, JSON_TYPE, EMPTY]))).toBe(403);
  expect(await statusOf(request('GET /control/v1/journal', [`Host: ${named}`]))).toBe(403);
  expectUntouched();
});

test('rebinding: a request without a host is refused', async () => {
  expect(await statusOf(request(RESET, [JSON_TYPE, EMPTY]))).toBe(400);
  expect(await statusOf(`${RESET} HTTP/1.0\r\n${JSON_TYPE}\r\n${EMPTY}\r\n\r\n`)).toBe(403);
  expectUntouched();
});

test.each([
  'null',
  '',
  'file://',
  'http://evil.example',
  'http://127.0.0.1',
  'http://127.0.0.1:1',
  'https://127.0.0.1:PORT',
  'http://localhost:PORT',
  'http://127.0.0.1:PORT.evil.example',
  'http://127.0.0.1:PORT@evil.example',
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1:PORT, http://evil.example',
  'HTTP://127.0.0.1:PORT',
  'chrome-extension://abcdefghijklmnop',
])('a page of the origin %j may neither write nor read', async (origin) => {
  const from = `Origin: ${origin.replace('PORT', control.port)}`;
  for (const line of [RESET, 'GET /control/v1/journal', 'GET /control/v1/stream', 'GET /']) {
    const head = await heads(control.href, request(line, [here(), from, JSON_TYPE, EMPTY]));
    expect(statuses(head)).toStrictEqual([403]);
    expect(head).not.toMatch(/^access-control-/im);
  }
  expectUntouched();
});

test.each([
  'text/plain',
  'text/plain; charset=application/json',
  'text/plain, application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=application/json',
  'application/xml',
  '',
])('a form of the type %j is refused, with and without an origin', async (type) => {
  const body = '{"advance":"PT24H"}';
  const before = mock.clock.now();
  const lines = [here(), `Content-Type: ${type}`, `Content-Length: ${String(body.length)}`];
  expect(await statusOf(request('POST /control/v1/clock', lines, body))).toBe(415);
  expect(
    await statusOf(request('POST /control/v1/clock', [...lines, `Origin: ${control.origin}`], body)),
  ).toBe(415);
  expect(mock.clock.now() - before).toBeLessThan(86_400_000);
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('a preflight for %s is never granted', async (method) => {
  const asks = [`Access-Control-Request-Method: ${method}`, 'Access-Control-Request-Headers: content-type'];
  const network = 'Access-Control-Request-Private-Network: true';
  for (const origin of ['http://evil.example', 'null', control.origin]) {
    const head = await heads(
      control.href,
      request('OPTIONS /control/v1/reset', [here(), `Origin: ${origin}`, ...asks, network]),
    );
    expect(statuses(head)[0]).toBeGreaterThanOrEqual(400);
    expect(head).not.toMatch(/^access-control-/im);
  }
});

test.each([
  ['GET /control/v1/reset', []],
  ['HEAD /control/v1/reset', []],
  ['GET /control/v1/reset?_method=POST', []],
  ['GET /control/v1/journal', ['X-HTTP-Method-Override: DELETE']],
  ['TRACE /control/v1/reset', ['Cookie: secret']],
  ['GET /control/v1/snapshot?changes=[]', []],
] as const)('an address alone changes nothing: %s', async (line, more) => {
  const head = await heads(control.href, request(line, [here(), ...more]));
  expect(head).not.toContain('secret');
  expectUntouched();
});

test.each([
  'http://evil.example/control/v1/reset',
  '//evil.example/control/v1/reset',
  '/\\evil.example/control/v1/reset',
  '\\\\evil.example/control/v1/reset',
])('a target that names another host is not a path: %s', async (target) => {
  expect(await statusOf(request(`POST ${target}`, [here(), JSON_TYPE, EMPTY]))).toBe(400);
  expectUntouched();
});

test('the control port opens no connection to another host and switches no protocol', async () => {
  expect(await untilClosed(control.href, request('CONNECT evil.example:443', [here()]))).not.toMatch(
    / 2\d\d /,
  );
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  for (const path of ['stream', 'state']) {
    const evil = [here(), ...upgrade, 'Origin: http://evil.example'];
    expect(await statusOf(request(`GET /control/v1/${path}`, evil))).toBe(403);
    expect(await statusOf(request(`GET /control/v1/${path}`, [here(), ...upgrade]))).toBe(200);
  }
});

test.each([
  '/../../package.json',
  '/assets/../../../package.json',
  '/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/assets/..%5c..%5c..%5cpackage.json',
  '/assets/....//....//package.json',
  '/assets//etc/passwd',
  '/assets/%00',
  '/assets/index.html%00.js',
  '/index.html',
  '/control/v1/../../package.json',
  '/control/v1/%2e%2e/%2e%2e/etc/passwd',
  '/control/v1/openapi/..%2f..%2fpackage.json',
  '/control/v1/openapi/__proto__',
  '/control/v1/openapi/constructor.json',
  '/control/v1/snapshots/..%2f..%2fpackage',
  '/control/v1/snapshots/%2fetc%2fpasswd',
  '/control/v1/snapshots/__proto__',
  '/control/v1/__proto__',
  '/control/v1/constructor',
  '/control/v1/hasOwnProperty',
  '/control/v1/journal/__proto__',
  '/control/v1/journal/1e999',
  '/control/v1/journal/-1',
])('there is nothing to read at %s', async (path) => {
  const said = await untilClosed(control.href, request(`GET ${path}`, [here(), 'Connection: close']));
  expect(said).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(said).toMatch(/\r\n\{"error":"[^\n]*"\}\r\n/);
  expect(said).not.toMatch(/root:|"version"/);
});

test.each([
  '../x',
  '..',
  '.',
  '/etc/x',
  'a/b',
  'a\\b',
  'x\0',
  'x\ny',
  '__proto__',
  '-rf',
  'a'.repeat(65),
  '\u202ex',
  '',
])('a snapshot called %j is written nowhere', async (name) => {
  const type = { 'Content-Type': 'application/json' };
  const save = await fetch(new URL('/control/v1/snapshots', control), {
    method: 'POST',
    headers: type,
    body: JSON.stringify({ name }),
  });
  expect(save.status).toBe(400);
  const file = await (await fetch(new URL('/control/v1/snapshot', control))).text();
  const bytes = request(
    `PUT /control/v1/snapshots/${encodeURIComponent(name)}`,
    [here(), JSON_TYPE, `Content-Length: ${String(file.length)}`],
    file,
  );
  expect(await statusOf(bytes)).toBeGreaterThanOrEqual(400);
  expect(readdirSync(parent)).toStrictEqual(['data']);
  expect(mock.snapshots.list()).toStrictEqual([]);
});

test.each([
  ['PUT', 'models/__proto__/constructor', '{"__proto__":{"polluted":1}}'],
  [
    'PUT',
    'models/acme/x',
    '{"inputSchema":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
  ],
  ['PATCH', 'models/mock/ok', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'],
  ['POST', 'scenarios', '{"name":"__proto__","times":1}'],
  ['POST', 'scenarios', '{"name":"constructor"}'],
  ['POST', 'scenarios', '{"name":"unavailable","caller":"__proto__","times":1}'],
  ['POST', 'clock', '{"__proto__":{"advance":1}}'],
  [
    'POST',
    'requests',
    '{"__proto__":{"polluted":1},"method":"GET","target":"/","headers":[["__proto__","polluted"]]}',
  ],
  ['PUT', 'snapshot', '{"changes":[{"part":"__proto__","__proto__":{"polluted":1}}]}'],
  ['PUT', 'snapshots/x', '{"__proto__":{"tallystick-mock-snapshot":1}}'],
  ['POST', 'keys/__proto__', '{}'],
  ['DELETE', 'scenarios/__proto__', ''],
  ['DELETE', 'models/__proto__/constructor', ''],
] as const)('%s %s with %s reaches no prototype', async (method, path, body) => {
  const lines = [here(), JSON_TYPE, `Content-Length: ${String(body.length)}`];
  expect(await statusOf(request(`${method} /control/v1/${path}`, lines, body))).toBeGreaterThanOrEqual(200);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Object.keys(Object.prototype)).toStrictEqual([]);
  await expectServing();
});

const DEEP = 100_000;
test.each([
  ['PUT', 'snapshot', '['.repeat(DEEP) + ']'.repeat(DEEP)],
  ['PUT', 'snapshot', `{"changes":[${'['.repeat(DEEP)}${']'.repeat(DEEP)}]}`],
  ['PUT', 'models/acme/deep', `{"inputSchema":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`],
  ['PATCH', 'models/mock/ok', `{"inputSchema":${'{"not":'.repeat(DEEP)}{}${'}'.repeat(DEEP)}}`],
  ['POST', 'requests', '{"a":'.repeat(DEEP)],
] as const)(
  '%s %s: a body that is nested without end is refused, and nothing breaks',
  async (method, path, body) => {
    const response = await fetch(new URL(`/control/v1/${path}`, control), {
      method,
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(response.status).toBe(400);
    await expectServing();
  },
);

test('a body above 64 MiB is discarded, and the next caller is served', async () => {
  const wire = await Wire.open(control.href);
  const length = `Content-Length: ${String(100 * 2 ** 20)}`;
  wire.write(request('PUT /control/v1/snapshot', [here(), JSON_TYPE, length]));
  const chunk = Buffer.alloc(2 ** 20, 0x20);
  for (let sent = 0; sent < 66; sent += 1) wire.write(chunk);
  expect(statuses(await wire.until((received) => received.includes('\r\n\r\n')))).not.toContain(200);
  wire.drop();
  expectUntouched();
  await expectServing();
});

test('text of a caller in a path is never part of a response head', async () => {
  for (const path of [
    'x%0d%0aSet-Cookie:%20a=b',
    'snapshots/x%0d%0aSet-Cookie:a=b',
    'models/a/%0d%0aSet-Cookie:a=b',
  ]) {
    for (const method of ['GET', 'DELETE']) {
      const head = await heads(control.href, request(`${method} /control/v1/${path}`, [here()]));
      expect(head).not.toMatch(/set-cookie/i);
    }
  }
});

test.each([
  ['GET /control/v1/state', [], 200],
  ['GET /control/v1/stream', [], 200],
  ['GET /control/v1/nothing', [], 404],
  ['GET /nothing', [], 404],
  ['GET //', [], 400],
  [RESET, ['Content-Type: text/plain', EMPTY], 415],
  ['GET /control/v1/state', ['Origin: null'], 403],
] as const)('%s %j: no other page may frame, guess or embed the answer', async (line, more, status) => {
  const head = await heads(control.href, request(line, [here(), ...more]));
  expect(statuses(head)).toStrictEqual([status]);
  expect(head).toMatch(/^Content-Security-Policy: .*frame-ancestors 'none'/im);
  expect(head).toMatch(/^X-Content-Type-Options: nosniff/im);
  expect(head).toMatch(/^Cross-Origin-Resource-Policy: same-origin/im);
});

test.each([
  ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 4']],
  ['an encoding that is none', ['Transfer-Encoding: xchunked']],
  ['an encoding with a blank before its colon', ['Transfer-Encoding : chunked']],
])('%s hide no second request', async (_what, lines) => {
  const hidden = request(RESET, [here(), JSON_TYPE, EMPTY]);
  const bytes = request('POST /control/v1/requests', [here(), JSON_TYPE, ...lines], `0\r\n\r\n${hidden}`);
  expect(statuses(await untilClosed(control.href, bytes))).toStrictEqual([400]);
  expectUntouched();
});

test('the token cannot be guessed, and is never shown to a caller who sends it', async () => {
  const token = 'Correct-horse-1';
  const guarded = await startMock({ apis: ['router'], controlToken: token });
  try {
    const { port } = new URL(guarded.controlUrl ?? '');
    const address = `http://127.0.0.1:${port}`;
    const ask = async (target: string, more: readonly string[] = []): Promise<string> =>
      heads(address, request(`GET ${target}`, [`Host: 127.0.0.1:${port}`, ...more]));
    const guesses: readonly (readonly [string, readonly string[]])[] = [
      ['', []],
      ['?token', []],
      ['?token=', []],
      ['?token=Correct-horse-', []],
      ['?token=Correct-horse-11', []],
      ['?token=correct-horse-1', []],
      ['?token=Correct-horse-1%00', []],
      ['?token=%20Correct-horse-1', []],
      ['?token[]=Correct-horse-1', []],
      ['?Token=Correct-horse-1', []],
      ['?token=x&token=Correct-horse-1', []],
      ['?__proto__[token]=Correct-horse-1', []],
      [`?token=${'x'.repeat(8_000)}`, []],
      ['', ['Authorization:']],
      ['', ['Authorization: Bearer']],
      ['', ['Authorization: Bearer undefined']],
      ['', ['Authorization: Bearer Bearer Correct-horse-1']],
      ['', ['Authorization: Basic Correct-horse-1']],
      ['?token=Correct-horse-1', ['Authorization: Bearer x']],
      ['', ['Cookie: token=Correct-horse-1']],
      ['', ['X-Token: Correct-horse-1']],
      ['', ['Referer: http://127.0.0.1/?token=Correct-horse-1']],
    ];
    for (const [query, more] of guesses)
      for (const path of ['state', 'stream', 'journal'])
        expect(statuses(await ask(`/control/v1/${path}${query}`, more)), query + more.join()).toStrictEqual([
          401,
        ]);
    expect(statuses(await ask(`/control/v1/state?token=${token}`))).toStrictEqual([200]);
    expect(statuses(await ask('/control/v1/state', [`Authorization: Bearer ${token}`]))).toStrictEqual([200]);
    expect(statuses(await ask(`/control/v1/state?token=${token}`, ['Origin: null']))).toStrictEqual([403]);
    for (const path of ['/', '/control/v1/nothing', `/control/v1/state?token=${token}`, `/?token=${token}`]) {
      const shown = await (await fetch(`${address}${path}`)).text();
      expect(shown).not.toContain(token);
    }
  } finally {
    await guarded.stop();
  }
});
