import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { socketTransport } from '../../conformance/index.ts';
import type { Transport, WireRequest, WireResponse } from '../../conformance/index.ts';

const servers: Server[] = [];
const transports: Transport[] = [];

afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close?.();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A server that hands out raw bytes; `onData` sees what came in on each connection. */
async function serve(onData: (socket: Socket, text: string, connection: number) => void): Promise<Transport> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    socket.on('error', () => undefined);
    socket.on('data', (data) => onData(socket, data.toString('latin1'), connection));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const transport = socketTransport(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  transports.push(transport);
  return transport;
}

const get: WireRequest = { method: 'GET', target: '/', headers: [['Host', 'h']] };

async function textOf(response: WireResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

test('targets and headers are sent unchanged', async () => {
  let seen = '';
  const transport = await serve((socket, text) => {
    seen += text;
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  await textOf(
    await transport({
      method: 'GET',
      target: '/v1/%2e%2e/a//b?x=%zz',
      headers: [
        ['host', 'h'],
        ['X-Odd', ' a '],
      ],
    }),
  );
  expect(seen).toBe('GET /v1/%2e%2e/a//b?x=%zz HTTP/1.1\r\nhost: h\r\nX-Odd:  a \r\n\r\n');
});

test.each<[string, string, { status: number; body: string }]>([
  ['counted', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', { status: 200, body: 'hello' }],
  [
    'chunked, with an extension and a trailer',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=1\r\nhe\r\n3\r\nllo\r\n0\r\nX-T: 1\r\n\r\n',
    { status: 200, body: 'hello' },
  ],
  ['ended by the connection', 'HTTP/1.0 500 Oh\r\n\r\nhello', { status: 500, body: 'hello' }],
  ['bare line feeds', 'HTTP/1.1 404 Not Found\nContent-Length: 2\n\nno', { status: 404, body: 'no' }],
  [
    'an early hint first',
    'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    { status: 200, body: '' },
  ],
  [
    'no redirect followed',
    'HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n',
    { status: 302, body: '' },
  ],
])('a body that is %s is read to its end', async (_, bytes, { status, body }) => {
  const transport = await serve((socket) => socket.end(bytes));
  const response = await transport(get);
  expect({ status: response.status, body: await textOf(response) }).toEqual({ status, body });
});

test('informational answers are distinguished from the final one', async () => {
  const transport = await serve((socket) =>
    socket.end(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    ),
  );
  expect((await transport(get)).informational).toEqual([100, 102]);
});

test('router.schema.304-no-body: bytes after a 304 are detected', async () => {
  const transport = await serve((socket) =>
    socket.end('HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nbody'),
  );
  const response = await transport({ ...get, headers: [...get.headers, ['Connection', 'close']] });
  expect(await textOf(response)).toBe('body');
});

test('reads share a connection, and each POST has a separate one', async () => {
  const used: number[] = [];
  const transport = await serve((socket, _, connection) => {
    used.push(connection);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  await textOf(await transport(get));
  await textOf(await transport(get));
  await textOf(await transport({ ...get, method: 'POST' }));
  expect(used).toEqual([1, 1, 2]);
});

test('a kept connection that the server closed is replaced without a word', async () => {
  const transport = await serve((socket, _, connection) => {
    if (connection === 1) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew');
  });
  await textOf(await transport(get));
  expect(await textOf(await transport(get))).toBe('new');
});

test.each<[string, string, RegExp]>([
  ['cut before an answer', '', /closed before any response/],
  ['cut in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello', /4 bytes of the body are missing/],
  ['no HTTP', 'SSH-2.0-OpenSSH\r\n', /is not an HTTP\/1.1 status line/],
  [
    'with an invalid chunk size',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    /is not a valid chunk size/,
  ],
])('an answer that is %s is told so', async (_, bytes, message) => {
  const transport = await serve((socket) => socket.end(bytes));
  await expect(transport(get).then(textOf)).rejects.toThrow(message);
});

test('an abort drops the connection', async () => {
  let closed: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const hangUp = new AbortController();
  const transport = await serve((socket) => {
    socket.on('close', closed);
    hangUp.abort(new Error('enough'));
  });
  await expect(transport({ ...get, signal: hangUp.signal })).rejects.toThrow('enough');
  await gone;
});

test('prepared calls hold back their last byte until they are released', async () => {
  const seen: string[] = [];
  const transport = await serve((socket, text) => {
    seen.push(text);
    if (seen.join('').endsWith('}')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  const body = new TextEncoder().encode('{"a":1}');
  const release = await transport.prepare?.({
    method: 'POST',
    target: '/',
    headers: [
      ['Host', 'h'],
      ['Content-Length', '7'],
    ],
    body,
  });
  expect(seen.join('')).not.toContain('}');
  const response = await release?.();
  expect(response?.status).toBe(200);
  expect(seen.join('').endsWith('{"a":1}')).toBe(true);
});

test('a line break in a header is refused before anything is sent', { tags: 'attack' }, async () => {
  const transport = await serve(() => undefined);
  await expect(transport({ ...get, headers: [['X', 'a\r\nY: b']] })).rejects.toThrow(/line break/);
});
