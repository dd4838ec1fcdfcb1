import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadOwnContract, type Contract } from '../../contract/index.ts';
import { type JudgedExchange, startProxy } from '../../proxy/index.ts';
import { rawClient, rawServer } from './raw.ts';
import { until } from '../until.ts';

let router: Contract;
beforeAll(async () => {
  router = await loadOwnContract('router');
});

async function proxyTo(url: string): Promise<{ url: string; seen: JudgedExchange[] }> {
  const seen: JudgedExchange[] = [];
  const proxy = await startProxy({
    target: new URL(url),
    contracts: [router],
    controlPort: false,
    onExchange: (judged) => void seen.push(judged),
  });
  onTestFinished(async () => void (await proxy.stop()));
  return { url: proxy.url, seen };
}

const wish = (method: string, protocol: string, ...more: readonly string[]): string =>
  [
    `${method} /live HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    `Upgrade: ${protocol}`,
    ...more,
    '',
    '',
  ].join('\r\n');

const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nuPgrade: websocket\r\n\r\n';

test('a WebSocket connection passes in both directions, and is written down when it is over', async () => {
  const server = await rawServer((socket) => {
    socket.write(`${switched}hello`);
    socket.on('data', (part: Buffer) => socket.write(part.toString().toUpperCase()));
    socket.on('end', () => socket.end());
  });
  const proxy = await proxyTo(server.url);
  const client = rawClient(proxy.url, `${wish('GET', 'websocket', 'Sec-WebSocket-Key: k')}early`);
  await until('what was sent early is answered', () => client.received().endsWith('EARLY'));
  expect(client.received()).toBe(`${switched}helloEARLY`);
  expect(server.received()).toContain('Connection: Upgrade\r\nUpgrade: websocket\r\n');
  client.socket.write('more');
  await until('the rest is answered', () => client.received().endsWith('MORE'));
  client.socket.end();
  await client.ended;
  await until('the exchange is written down', () => proxy.seen.length === 1);
  expect(proxy.seen[0]?.entry).toMatchObject({ status: 101, delivery: 'delivered' });
});

test.each(['client', 'server'])(
  'when the %s leaves a switched connection, the other side is left',
  async (who) => {
    let leave = (): void => undefined;
    let isLeft = false;
    const server = await rawServer((socket) => {
      socket.write(switched);
      leave = () => socket.destroy();
      socket.on('close', () => (isLeft = true));
    });
    const proxy = await proxyTo(server.url);
    const client = rawClient(proxy.url, wish('GET', 'websocket'));
    await until('the connection is switched', () => client.received().includes('101'));
    if (who === 'server') leave();
    else client.socket.destroy();
    await client.ended;
    await until('the server is left', () => isLeft);
  },
);

test('a refused switch is forwarded as an ordinary answer', async () => {
  const server = createServer((_, response) => {
    response.writeHead(426, { 'Content-Type': 'text/plain' }).end('no sockets here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const proxy = await proxyTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = rawClient(proxy.url, wish('GET', 'websocket'));
  await client.ended;
  expect(client.received()).toMatch(/^HTTP\/1\.1 426 [^]*no sockets here/);
  await until('the exchange is written down', () => proxy.seen.length === 1);
  expect(proxy.seen[0]?.entry).toMatchObject({ status: 426, delivery: 'delivered' });
});

test('an unreachable server is a 502 for a WebSocket client', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const proxy = await proxyTo(`http://127.0.0.1:${port}`);
  const client = rawClient(proxy.url, wish('GET', 'websocket'));
  await client.ended;
  expect(client.received()).toMatch(/^HTTP\/1\.1 502 /);
});

test.each([
  ['HTTP/2 over clear text, as curl asks for it', 'GET', 'h2c', '', ''],
  ['another protocol with a body', 'POST', 'websocket', 'Content-Length: 2', '{}'],
])('%s passes as an ordinary request', async (_, method, protocol, length, body) => {
  const server = await rawServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  const proxy = await proxyTo(server.url);
  const more = ['Connection: close', ...(length === '' ? [] : [length])];
  const client = rawClient(proxy.url, `${wish(method, protocol, ...more)}${body}`);
  await client.ended;
  expect(client.received()).toMatch(/^HTTP\/1\.1 204 /);
  expect(server.received()).toContain(`${method} /live HTTP/1.1`);
  expect(server.received()).not.toMatch(/upgrade/i);
  expect(server.received().endsWith(`\r\n\r\n${body}`)).toBe(true);
});
