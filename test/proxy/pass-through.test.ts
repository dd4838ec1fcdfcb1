import { createServer } from 'node:http';
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

test('a request arrives with its headers in their order and case, Host apart, and nothing added but the mark of the proxy', async () => {
  const server = await rawServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  const proxy = await proxyTo(`${server.url}/base/`);
  const client = rawClient(
    proxy.url,
    [
      'POST /v1/a%2Fb?x=%zz&x= HTTP/1.1',
      'hOST: localhost',
      'X-Twice: 1',
      'x-twice: 2',
      'Keep-Alive: timeout=5',
      'X-Of-This-Hop: secret',
      'Connection: close, x-of-this-hop',
      'Content-Length: 2',
      '',
      '{}',
    ].join('\r\n'),
  );
  await client.ended;
  const { host } = new URL(server.url);
  expect(server.received().replace(/(?<=proxy=)[\da-f-]{36}/, 'THIS')).toBe(
    [
      'POST /base/v1/a%2Fb?x=%zz&x= HTTP/1.1',
      `hOST: ${host}`,
      'X-Twice: 1',
      'x-twice: 2',
      'Content-Length: 2',
      'CDN-Loop: tallystick; proxy=THIS',
      'Connection: close',
      '',
      '{}',
    ].join('\r\n'),
  );
});

test.each([
  ['without a body', '', 'Content-Length: 0\r\n', ''],
  // The same to every reader of HTTP: no body.
  ['with no length at all', '', '', '', 'Content-Length: 0\r\n'],
  ['in chunks', '2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'],
])('a POST %s is framed as it came', async (_, body, framing, arrives, framed = framing) => {
  const server = await rawServer((socket, head) => {
    const answer = (): void => void socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    if (!head.includes('chunked') || head.endsWith('0\r\n\r\n')) answer();
    else socket.on('data', (part: Buffer) => part.toString().endsWith('0\r\n\r\n') && answer());
  });
  const proxy = await proxyTo(server.url);
  const client = rawClient(
    proxy.url,
    `POST / HTTP/1.1\r\nHost: localhost\r\n${framing}Connection: close\r\n\r\n${body}`,
  );
  await client.ended;
  const [head = '', ...rest] = server.received().split('\r\n\r\n');
  expect(`${head}\r\n`).toContain(framed);
  expect(head.includes('Transfer-Encoding')).toBe(framing.includes('Transfer-Encoding'));
  expect(rest.join('\r\n\r\n')).toBe(arrives);
});

test('an answer arrives with its headers, its reason, repeated lines and trailers', async () => {
  const server = await rawServer((socket) =>
    socket.end(
      [
        'HTTP/1.1 299 Odd Reason',
        'sEt-cookie: a=1',
        'Set-Cookie: b=2',
        'Trailer: X-Sum',
        'Transfer-Encoding: chunked',
        '',
        '3',
        'abc',
        '0',
        'X-Sum: 3',
        '',
        '',
      ].join('\r\n'),
    ),
  );
  const proxy = await proxyTo(server.url);
  const client = rawClient(proxy.url, 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await client.ended;
  expect(client.received()).toMatch(/^HTTP\/1\.1 299 Odd Reason\r\nsEt-cookie: a=1\r\nSet-Cookie: b=2\r\n/);
  expect(client.received()).toMatch(/\r\n3\r\nabc\r\n0\r\nX-Sum: 3\r\n\r\n$/);
  expect(client.received()).not.toMatch(/^Date:/im);
});

test('frames of a stream arrive while the server still sends', async () => {
  let more = (): void => undefined;
  const server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n');
    more = () => socket.end('data: 2\n\n');
  });
  const proxy = await proxyTo(server.url);
  const client = rawClient(proxy.url, 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await until('the first frame arrives', () => client.received().includes('data: 1'));
  more();
  await client.ended;
  expect(client.received()).toContain('data: 2');
});

test('a body that the server cuts is cut for the client, and written down as cut', async () => {
  const server = await rawServer((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy()),
  );
  const proxy = await proxyTo(server.url);
  const client = rawClient(proxy.url, 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await client.ended;
  expect(client.received()).toMatch(/\r\n\r\nabc$/);
  await until('the exchange is written down', () => proxy.seen.length === 1);
  expect(proxy.seen[0]?.entry).toMatchObject({ status: 200, delivery: 'short' });
  expect(proxy.seen[0]?.entry.trail[0]?.decision).toContain('before the end of the body');
});

test('a client that leaves ends the request to the server', async () => {
  let isGone = false;
  const server = await rawServer((socket) => {
    socket.on('close', () => (isGone = true));
  });
  const proxy = await proxyTo(server.url);
  const client = rawClient(proxy.url, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until('the request arrives', () => server.received() !== '');
  client.socket.destroy();
  await until('the request is ended', () => isGone);
});

test('an unreachable server is reported as 502 with a Proxy-Status', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  const proxy = await proxyTo(`http://127.0.0.1:${port}`);
  const answer = await fetch(`${proxy.url}/v1/models`);
  expect(answer.status).toBe(502);
  expect(answer.headers.get('proxy-status')).toBe('tallystick; error=connection_refused');
});

test('a body is sent when the server asks for it', async () => {
  const server = await rawServer((socket, head) => {
    expect(head).toMatch(/^Expect: 100-continue\r$/m);
    socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    socket.on('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  });
  const proxy = await proxyTo(server.url);
  const client = rawClient(
    proxy.url,
    'PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n',
  );
  await until('the body is asked for', () => client.received().includes('100 Continue'));
  client.socket.write('{}');
  await client.ended;
  expect(client.received()).toContain('204 No Content');
});

test('a body of 10 MB is forwarded completely and not judged', async () => {
  const size = 10_000_000;
  let arrived = 0;
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => (arrived += part.length));
    request.on('end', () => response.end(Buffer.alloc(size, 'b')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const proxy = await proxyTo(`http://127.0.0.1:${port}`);
  const answer = await fetch(`${proxy.url}/v1/models/a/b`, {
    method: 'POST',
    body: Buffer.alloc(size, 'a'),
  });
  expect((await answer.arrayBuffer()).byteLength).toBe(size);
  expect(arrived).toBe(size);
  await until('the exchange is written down', () => proxy.seen.length === 1);
  expect(proxy.seen[0]?.entry.requestFindings).toStrictEqual([]);
});
