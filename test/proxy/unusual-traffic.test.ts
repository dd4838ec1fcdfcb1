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

/** What a client receives when the server sends this answer. */
async function passed(answer: string): Promise<string> {
  const server = await rawServer((socket) => socket.end(answer, 'latin1'));
  const proxy = await proxyTo(server.url);
  const client = rawClient(
    proxy.url,
    'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  await client.ended;
  return client.received();
}

/** What a server receives when the client sends this request. */
async function arrived(request: string): Promise<string> {
  const server = await rawServer((socket, head) => {
    const isOver = (text: string): boolean => !/chunked/i.test(text) || text.includes('\r\n0\r\n');
    const end = (): void => void socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    if (isOver(head)) end();
    else socket.once('data', end);
  });
  const proxy = await proxyTo(server.url);
  await rawClient(proxy.url, request).ended;
  const unmarked = server.received().replaceAll(/CDN-Loop: tallystick; .*\r\n/g, '');
  return unmarked.replaceAll(new URL(server.url).host, 'the-server');
}

test.each([
  ['102 Processing', ''],
  ['103 Early Hints', 'Link: </a>; rel=preload\r\nX-More: 1\r\n'],
  ['103 Early Hints', 'Link: not a link\r\n'],
  ['104 Upload Resumption Supported', 'Upload-Offset: 3\r\n'],
])('the informational answer %s passes with its headers, whatever they are', async (status, headers) => {
  const informational = `HTTP/1.1 ${status}\r\n${headers}\r\n`;
  expect(await passed(`${informational}HTTP/1.1 204 No Content\r\n\r\n`)).toBe(
    `${informational}HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n`,
  );
});

test('bytes beyond ASCII in the head of an answer pass unchanged', async () => {
  const head = 'HTTP/1.1 200 Gr\xfc\xdfe\r\nX-Latin: \xe4\r\nX-Utf-8: \xc3\xa4\r\nContent-Length: 2\r\n';
  expect(await passed(`${head}\r\nok`)).toBe(`${head}Connection: close\r\n\r\nok`);
});

test.each(['', 'Expect: 100-continue\r\n'])(
  'bytes beyond ASCII in the head of a request pass unchanged %s',
  async (expectation) => {
    const head = `X-Latin: \xe4\r\nX-Utf-8: \xc3\xa4\r\nContent-Length: 2\r\n${expectation}`;
    expect(await arrived(`PUT / HTTP/1.1\r\nHost: localhost\r\n${head}Connection: close\r\n\r\n{}`)).toBe(
      `PUT / HTTP/1.1\r\nHost: the-server\r\n${head}Connection: close\r\n\r\n{}`,
    );
  },
);

test('trailers of a request pass', async () => {
  const request =
    'POST / HTTP/1.1\r\nHost: localhost\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n';
  expect(await arrived(request)).toBe(request.replace('Host: localhost', 'Host: the-server'));
});

test.each([
  ['HTTP/1.0, which does not require it, gets one', '1.0', 'Host: the-server\r\n'],
  ['HTTP/1.1 is left to the server', '1.1', ''],
])('a request without Host: %s', async (_, version, host) => {
  expect(await arrived(`GET /a HTTP/${version}\r\nX-A: 1\r\nConnection: close\r\n\r\n`)).toBe(
    `GET /a HTTP/1.1\r\n${host}X-A: 1\r\nConnection: keep-alive\r\n\r\n`,
  );
});

test('an answer that cannot be passed on is a 502, and the proxy continues', async () => {
  expect(await passed('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 502 [^]*Invalid status code: 99/,
  );
});

test.each([
  ['an unknown method', 'FETCH / HTTP/1.1\r\n', '400 Bad Request', 'Invalid method'],
  ['bytes beyond ASCII in the target', 'GET /\xe4 HTTP/1.1\r\n', '400 Bad Request', 'percent-encoded'],
  ['headers that are too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(70_000)}\r\n`, '431 Request', 'overflow'],
])(
  'a request that cannot be passed on, with %s, is answered with the reason',
  async (_, head, status, why) => {
    const proxy = await proxyTo('http://127.0.0.1:9');
    const client = rawClient(proxy.url, `${head}Host: localhost\r\n\r\n`);
    await client.ended;
    expect(client.received()).toContain(`HTTP/1.1 ${status}`);
    expect(client.received()).toContain('Proxy-Status: tallystick; error=http_request_error');
    expect(client.received().toLowerCase()).toContain(why.toLowerCase());
  },
);

test('pipelined requests reach the server one after the other', async () => {
  const course: string[] = [];
  let finishFirst = (): void => undefined;
  const server = createServer((request, response) => {
    course.push(`begin ${request.url}`);
    const finish = (): void => {
      course.push(`end ${request.url}`);
      response.end();
    };
    if (request.url === '/a') finishFirst = finish;
    else finish();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const proxy = await proxyTo(`http://127.0.0.1:${port}`);
  const client = rawClient(
    proxy.url,
    'POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}GET /b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  await until('the first request is begun', () => course.length > 0);
  // A request of its own shows that the server had the time for the second one.
  await fetch(`${proxy.url}/c`);
  finishFirst();
  await client.ended;
  expect(course).toStrictEqual(['begin /a', 'begin /c', 'end /c', 'end /a', 'begin /b', 'end /b']);
});

test('a GET with a body is sent whole, also if the idle connection to the server is dead', async () => {
  let bodies = '';
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => (bodies += part.toString()));
    request.on('end', () => response.end());
  });
  server.on('connection', (socket) => {
    let count = 0;
    // The second request on a connection finds it closed.
    socket.on('data', () => (count += 1) > 1 && socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const proxy = await proxyTo(`http://127.0.0.1:${port}`);
  await (await fetch(`${proxy.url}/a`)).text();
  const client = rawClient(
    proxy.url,
    'GET /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody',
  );
  await client.ended;
  expect(client.received()).toContain('200 OK');
  expect(bodies).toBe('body');
});
