import { createServer as createHttpServer } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createServer as createJobs } from '../../generated/jobs/server.ts';
import { createServer, join } from '../../generated/router/server.ts';
import { attach } from '../../generated/server-runtime/node.ts';
import { serve } from '../../mock/node-server.ts';
import { adapters, during, listening } from './served-by.ts';

// What real peers send that no fetch would: proxies, old programs, scanners of ports.

const unused = (): never => {
  throw new Error('not part of this test');
};
const authenticate = (): { readonly id: string } => ({ id: 'ada' });
const router = createServer(
  {
    ...{ listModels: unused, getModelInputSchema: unused },
    getModel: ({ provider, model }) => ({
      status: 200,
      body: { id: `${provider}/${model}`, provider, model, billing: { charges_on_policy_rejection: 'no' } },
    }),
    runModel: () => ({ status: 200, body: {} }),
  },
  { authenticate, onFinding: () => undefined },
);
const jobs = createJobs(
  {
    ...{ submitJob: unused, getJob: unused, cancelJob: unused },
    streamJobEvents: (_input, { signal }) => ({
      status: 200,
      events: (async function* () {
        yield { event: 'status', data: { id: '1', status: 'queued' } };
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
      })(),
    }),
  },
  { authenticate, onFinding: () => undefined },
);
const server = join(router, jobs);

const head = (target: string, ...lines: readonly string[]): string =>
  [`${target} HTTP/1.1`, 'Host: x', 'X-API-Key: service-x', ...lines, '', ''].join('\r\n');

/** What arrives until the connection closes. `then` is sent once something has arrived. */
function received(port: number, first: string | Uint8Array, then?: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    let rest = then;
    const socket = connect(port, '127.0.0.1', () => socket.write(first));
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (rest !== undefined && text.includes('queued')) {
        socket.write(rest);
        rest = undefined;
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(text);
    });
  });
}

test.each(adapters)('%s takes an address with scheme and host, as proxies send it', async (_name, listen) => {
  const { port } = await during(listen, server);
  const target = `GET http://127.0.0.1:${String(port)}/v1/models/acme/echo`;
  const answer = await received(port, head(target, 'Connection: close'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('"id":"acme/echo"');
});

test.each([
  ['headers of 100 kB', head('GET /v1/models', `X-Big: ${'a'.repeat(100_000)}`), '431 Request Header Fields'],
  ['an address of 100 kB', head(`GET /v1/models?${'a'.repeat(100_000)}`), '431 Request Header Fields'],
  [
    'extensions of a chunk of 100 kB',
    `${head('POST /v1/models/a/b', 'Transfer-Encoding: chunked')}1;${'a'.repeat(100_000)}`,
    '413 Payload Too Large',
  ],
])('%s are told as what they are', async (_what, bytes, status) => {
  const http = createHttpServer();
  attach(server, http);
  const { port } = await during(() => listening(http), server);
  const answer = await received(port, bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
  expect(answer).toContain('too long');
  expect(answer).toMatch(/x-service-request-id: /i);
});

test('a caller who does not send its headers in time gets an answer that says so', async () => {
  const http = createHttpServer({ headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 5 });
  attach(server, http);
  const { port } = await during(() => listening(http), server);
  expect(await received(port, 'GET /v1/models HTTP/1.1\r\n')).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
});

test('unreadable bytes end a stream, and do not become a part of it', async () => {
  const http = createHttpServer();
  attach(server, http);
  const { port } = await during(() => listening(http), server);
  const events = head('GET /api/v2/jobs/9b2f0a52-6b0a-4b3e-9d0a-0d2f4c6a8e10/events');
  const answer = await received(port, events, 'nonsense\r\n\r\n');
  expect(answer).toContain('queued');
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(['HTTP/1.1 200']);
});

test('nor with the mock', async () => {
  const body = (async function* () {
    yield Buffer.from('data: queued\n\n');
    await new Promise(() => undefined);
  })();
  const reply = { status: 200, headers: [['Content-Type', 'text/event-stream']] as const, body };
  const http = serve(() => Promise.resolve({ reply, settle: () => undefined }), {
    longestBody: () => 1_000,
    unreadable: (status) => ({ status, headers: [], body: new Uint8Array() }),
  });
  const { port } = await during(() => listening(http), server);
  const answer = await received(port, head('GET /'), 'nonsense\r\n\r\n');
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(['HTTP/1.1 200']);
});

test('a compressed body is refused, with what to do', async () => {
  const body = gzipSync('{"prompt":"x"}');
  const send = async (encoding: string): Promise<readonly [number, string]> => {
    const headers = {
      ...{ 'Content-Type': 'application/json', 'X-API-Key': 'service-x', 'Content-Encoding': encoding },
    };
    const request = new Request('http://x/v1/models/acme/echo', {
      ...{ method: 'POST', headers },
      body: encoding === 'identity' ? '{}' : body,
    });
    const answer = await server(request);
    return [answer.status, await answer.text()];
  };
  expect(await send('gzip')).toStrictEqual([
    415,
    '{"error_type":"invalid_input","detail":"The body is compressed or otherwise encoded: send it without Content-Encoding."}',
  ]);
  expect(await send('identity')).toStrictEqual([200, '{}']);
});
