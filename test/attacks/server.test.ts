// @module-tag attack
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createServer } from '../../generated/router/server.ts';
import { attach } from '../../generated/server-runtime/node.ts';
import { heads, request, statuses, untilClosed } from './bytes.ts';

/** A generated server whose handlers give back what they were given, as careless handlers do. */
let http: Server;
let url: string;
let runs: string[];
beforeAll(async () => {
  const server = createServer(
    {
      listModels: ({ limit = 20 }) => ({ status: 200, body: { data: [], has_more: false, limit } }),
      getModel: ({ provider, model }) => {
        throw new Error(`${provider}/${model} at /etc/secret-4711`);
      },
      runModel: ({ provider, model, body }) => {
        runs.push(`${provider}/${model}`);
        return { status: 200, headers: { 'X-Service-Credits-Used': model }, body };
      },
      getModelInputSchema: ({ model }) => {
        throw new Error(`${model} at /etc/secret-4711`);
      },
    },
    {
      authenticate: (credentials) => ({ id: Object.values(credentials)[0] ?? 'nobody' }),
    },
  );
  http = createHttpServer();
  attach(server, http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
});
beforeEach(() => {
  runs = [];
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
});

const head = ['Host: x', 'X-API-Key: service-one', 'Content-Type: application/json'];
const expectServing = async (): Promise<void> => {
  expect(statuses(await heads(url, request('GET /v1/models', head)))).toStrictEqual([200]);
};

test.each([
  '..',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%zz',
  '%',
  '%ff%fe',
  '%ed%a0%80',
  '__proto__',
  'constructor',
  '%0d%0aSet-Cookie:%20a=b',
  '%c4%8d%c4%8aSet-Cookie:a=b',
  '%e2%80%ae',
  'a'.repeat(8_000),
  '{provider}',
  '*',
  '%3Cscript%3E',
])('a model called %s adds no line to a head and reaches no prototype', async (id) => {
  for (const line of [
    `GET /v1/models/${id}/${id}`,
    `POST /v1/models/${id}/${id}`,
    `GET /v1/models?cursor=${id}&${id}=${id}`,
  ]) {
    const body = line.startsWith('POST')
      ? '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
      : '';
    const bytes = request(
      line,
      [...head, `Content-Length: ${String(body.length)}`, 'Connection: close'],
      body,
    );
    const [answered = '', ...rest] = (await untilClosed(url, bytes)).split('\r\n\r\n');
    expect(statuses(answered)).toHaveLength(1);
    expect(answered).not.toMatch(/^set-cookie/im);
    expect(answered).not.toMatch(/^content-type: text\/html/im);
    expect(rest.join()).not.toMatch(/secret-4711|node_modules|\.ts:\d/);
  }
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  await expectServing();
});

test.each([
  'X-API-Key: ',
  'X-API-Key: \u00e9\u00ff',
  'Authorization: Bearer __proto__',
  `Authorization: Bearer ${'a'.repeat(12_000)}`,
  'Authorization: Basic \u00e9',
  'Idempotency-Key: __proto__',
  'Idempotency-Key: %0d%0aSet-Cookie:a=b',
  `Idempotency-Key: ${'k'.repeat(12_000)}`,
  'Idempotency-Key: \u00e9\u00ff',
  'Content-Type: application/json; charset=__proto__',
  'Content-Type: multipart/form-data; boundary=',
  'Content-Type: ;;;',
  'Content-Encoding: gzip',
  'Transfer-Encoding: gzip, chunked',
  'Expect: 100-continue',
  'Expect: everything',
  'If-None-Match: *, W/"", "',
  '__proto__: x',
  'constructor: x',
  'Host: evil.example/../',
  'Upgrade: h2c',
  'Range: bytes=0-1,'.repeat(500),
])('the header %s ends nothing but its own call', async (line) => {
  const body = '{"prompt":"x"}';
  for (const target of ['POST /v1/models/acme/3', 'GET /v1/models', 'GET /v1/models/acme/echo/schema']) {
    const bytes = request(target, ['Host: x', line, 'Content-Length: 14', 'Connection: close'], body);
    const answered = (await untilClosed(url, bytes)).split('\r\n\r\n')[0] ?? '';
    expect(answered).not.toMatch(/^set-cookie/im);
    for (const status of statuses(answered)) expect(status).toBeLessThan(500);
  }
  await expectServing();
});

const hidden = request('POST /v1/models/acme/hidden', [...head, 'Content-Length: 14'], '{"prompt":"x"}');
test('smuggling: the hidden request would run if it were a request', async () => {
  await heads(url, hidden);
  expect(runs).toStrictEqual(['acme/hidden']);
});

test.each([
  ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 2']],
  ['an encoding that is none', ['Transfer-Encoding: xchunked']],
  ['an encoding with a blank before its colon', ['Transfer-Encoding : chunked']],
  ['a line feed alone', ['X-A: b\nTransfer-Encoding: chunked']],
  ['a NUL', ['X-A: a\0b']],
])('smuggling: %s, and the request after it does not run', async (_what, lines) => {
  const said = await untilClosed(
    url,
    request('POST /v1/models/acme/3', [...head, ...lines], '0\r\n\r\n') + hidden,
  );
  expect(statuses(said)).toStrictEqual([400]);
  expect(runs).not.toContain('acme/hidden');
  await expectServing();
});
