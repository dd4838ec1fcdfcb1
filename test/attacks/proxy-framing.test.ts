// @module-tag attack
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadOwnContract, type Contract } from '../../contract/index.ts';
import { startProxy } from '../../proxy/index.ts';
import { rawClient, rawServer } from '../proxy/raw.ts';
import { request, statuses, untilClosed } from './bytes.ts';
import { until } from '../until.ts';

let router: Contract;
beforeAll(async () => {
  router = await loadOwnContract('router');
});

async function proxyTo(url: string): Promise<string> {
  const proxy = await startProxy({ target: new URL(url), contracts: [router], controlPort: false });
  onTestFinished(async () => void (await proxy.stop()));
  return proxy.url;
}

/** The targets that arrived at a server which drops no header line. */
const arrived: string[] = [];
const bodies: string[] = [];
const target = createServer({ maxHeaderSize: 262_144 }, (incoming, response) => {
  arrived.push(`${incoming.method} ${incoming.url}`);
  const parts: Buffer[] = [];
  incoming.on('data', (part: Buffer) => parts.push(part));
  incoming.on('end', () => {
    bodies.push(Buffer.concat(parts).toString());
    answers.get(incoming.url ?? '')?.(incoming, response);
    if (!response.writableEnded) response.end('ok');
  });
});
target.maxHeadersCount = 0;
const answers = new Map<string, (incoming: IncomingMessage, response: ServerResponse) => void>();
let targetUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
});
afterAll(() => void target.close());

/** More lines than Node keeps by default. */
const many = Array.from({ length: 5_000 }, (_, index) => `a${index}:`);
const inner = request('GET /inner', ['Host: localhost']);
const chunkedInner = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;

test.each([
  ['GET', `Content-Length: ${inner.length}`, inner],
  ['POST', `Content-Length: ${inner.length}`, inner],
  ['GET', 'Transfer-Encoding: chunked', chunkedInner],
  ['POST', 'Transfer-Encoding: chunked', chunkedInner],
])('%s: a body whose "%s" follows 5,000 header lines is a body', async (method, framing, body) => {
  arrived.length = 0;
  bodies.length = 0;
  const url = await proxyTo(targetUrl);
  const first = request(`${method} /outer`, ['Host: localhost', ...many, framing], body);
  const last = request('GET /last', ['Host: localhost', 'Connection: close']);
  expect(statuses(await untilClosed(url, first + last))).toStrictEqual([200, 200]);
  expect(arrived).toStrictEqual([`${method} /outer`, 'GET /last']);
  expect(bodies).toStrictEqual([inner, '']);
});

test('an answer keeps its header lines, however many', async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => `X${index}: y`);
  const server = await rawServer((socket) => {
    socket.end(['HTTP/1.1 200 OK', ...lines, 'Content-Length: 2', '', 'ok'].join('\r\n'));
  });
  const client = rawClient(
    await proxyTo(server.url),
    request('GET /', ['Host: localhost', 'Connection: close']),
  );
  await client.ended;
  expect(client.received().match(/^X\d+: y\r$/gm)).toHaveLength(3_000);
  expect(client.received()).toContain('\r\nContent-Length: 2\r\n');
});

test.each([
  ['both framings', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ['a length twice', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
  ['two lengths', ['Content-Length: 2', 'Content-Length: 0'], '{}'],
  ['chunks that are not the last coding', ['Transfer-Encoding: chunked, gzip'], '0\r\n\r\n'],
])('a request with %s goes nowhere, and its connection ends', async (_, lines, body) => {
  arrived.length = 0;
  const url = await proxyTo(targetUrl);
  const said = await untilClosed(url, request('POST /outer', ['Host: localhost', ...lines], body) + inner);
  expect(statuses(said)).toStrictEqual([400]);
  expect(arrived).toStrictEqual([]);
});

test.each([
  ['both framings', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 4\r\n\r\nokok'],
])('an answer with %s is not passed on', async (_, rest) => {
  const server = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\n${rest}`));
  const said = await untilClosed(await proxyTo(server.url), request('GET /', ['Host: localhost']));
  expect(statuses(said)).toStrictEqual([502]);
});

test('bytes after an answer are nobody’s answer', async () => {
  let connections = 0;
  const server = createServer((_, response) => void response.end('mine'));
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('data', () => {
      // After the answer, while the connection is idle.
      setImmediate(() =>
        setImmediate(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray')),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = await proxyTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let turn = 1; turn <= 5; turn += 1) {
    expect(await (await fetch(url)).text()).toBe('mine');
    await until('the connection is closed', async () => (await connectionsOf(server)) === 0);
    expect(connections).toBe(turn);
  }
});

function connectionsOf(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}

test('after an answer that came before the end of the body, the connection is used for nothing else', async () => {
  const server = await rawServer((socket, head) => {
    if (head.startsWith('POST')) socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
  });
  const url = await proxyTo(server.url);
  const client = rawClient(url, request('POST /outer', ['Host: localhost', 'Content-Length: 9'], 'half'));
  await until('the refusal arrives', () => client.received().includes('413'));
  expect(client.received()).toMatch(/^Connection: close\r$/m);
  client.socket.write(`-body${inner}`);
  await client.ended;
  expect(statuses(client.received())).toStrictEqual([413]);
  expect(server.received()).not.toContain('/inner');
});

test('a transfer coding of a request and of an answer stays named', async () => {
  const server = await rawServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n');
  });
  const client = rawClient(
    await proxyTo(server.url),
    request(
      'POST /',
      ['Host: localhost', 'Transfer-Encoding: gzip, chunked', 'Connection: close'],
      '2\r\n{}\r\n0\r\n\r\n',
    ),
  );
  await client.ended;
  expect(server.received()).toMatch(/^Transfer-Encoding: gzip, chunked\r$/m);
  expect(client.received()).toMatch(/^Transfer-Encoding: gzip, chunked\r$/m);
});

test('a transfer coding that a client of HTTP/1.0 cannot know is refused', async () => {
  const server = await rawServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n');
  });
  const said = await untilClosed(await proxyTo(server.url), 'GET / HTTP/1.0\r\nHost: localhost\r\n\r\n');
  expect(said).toMatch(/^HTTP\/1\.1 502 /);
});
