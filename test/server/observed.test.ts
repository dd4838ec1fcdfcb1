import express from 'express';
import { Hono } from 'hono';
import { createServer as createHttpServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createServer as createJobs, type JobsHandlers } from '../../generated/jobs/server.ts';
import {
  createServer,
  type Finding,
  type RouterHandlers,
  type Server,
} from '../../generated/router/server.ts';
import { expressServer } from '../../generated/server-runtime/express.ts';
import { honoServer } from '../../generated/server-runtime/hono.ts';
import { adapters, during } from './served-by.ts';

const unused = (): never => {
  throw new Error('not part of this test');
};

function router(
  handlers: Partial<RouterHandlers>,
  options: { readonly checkResponses?: boolean } = {},
): { readonly server: Server; readonly findings: Finding[] } {
  const findings: Finding[] = [];
  const server = createServer(
    {
      ...{ listModels: unused, getModelInputSchema: unused, getModel: unused, runModel: unused },
      ...handlers,
    },
    {
      authenticate: ({ ApiKeyAuth }) => (ApiKeyAuth === 'service-ada' ? { id: 'ada' } : undefined),
      onFinding: (finding) => findings.push(finding),
      ...options,
    },
  );
  return { server, findings };
}

function jobs(events: JobsHandlers['streamJobEvents']): {
  readonly server: Server;
  readonly findings: Finding[];
} {
  const findings: Finding[] = [];
  const server = createJobs(
    { ...{ submitJob: unused, getJob: unused, cancelJob: unused }, streamJobEvents: events },
    { authenticate: () => ({ id: 'ada' }), onFinding: (finding) => findings.push(finding), keepAliveMs: 20 },
  );
  return { server, findings };
}

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const headers = {
  'Content-Type': 'application/json',
  'X-API-Key': 'service-ada',
  'Idempotency-Key': 'order-1',
};
const run = (url: string): Promise<Response> =>
  fetch(`${url}/v1/models/acme/echo`, {
    method: 'POST',
    headers: { ...headers, traceparent: TRACEPARENT, tracestate: 'a=1' },
    body: '{}',
  });

test.each(adapters)(
  '%s: a call is told at its start, with its answer and at its end, by one id',
  async (_name, listen) => {
    const { server, findings } = router({ runModel: () => ({ status: 200, body: {} }) });
    const { url } = await during(listen, server);
    const answer = await run(url);
    await answer.text();
    await expect.poll(() => findings.map(({ kind }) => kind)).toStrictEqual(['started', 'answered', 'ended']);
    expect(new Set(findings.map(({ call }) => call)).size).toBe(1);
    expect(findings[0]?.call).toStrictEqual({
      requestId: answer.headers.get('x-service-request-id'),
      ...{ method: 'POST', path: '/v1/models/acme/echo' },
      ...{ operation: 'runModel', route: '/v1/models/{provider}/{model}', caller: 'ada', key: 'order-1' },
      ...{ traceparent: TRACEPARENT, tracestate: 'a=1' },
    });
    expect(findings[2]).toMatchObject({ operation: 'runModel', status: 200, delivery: 'delivered' });
  },
);

test.each([
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01'],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01'],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  [`${TRACEPARENT}-extra`],
  ['nonsense'],
])('a trace context that is none is left out: %s', async (traceparent) => {
  const { server, findings } = router({});
  await server(new Request('http://x/v1/models', { headers: { traceparent, tracestate: 'a=1' } }));
  expect(findings[0]?.call).not.toHaveProperty('traceparent');
  expect(findings[0]?.call).not.toHaveProperty('tracestate');
});

test.each(adapters)('%s: a stream that dies is told, and cut', async (_name, listen) => {
  // Hono's server prints it, too.
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    printed.mockRestore();
  });
  const { server, findings } = jobs(() => ({
    status: 200,
    events: (async function* () {
      yield { event: 'status', data: { id: '1', status: 'queued' } };
      await Promise.resolve();
      throw new Error('the board is gone');
    })(),
  }));
  const { url } = await during(listen, server);
  const answer = await fetch(`${url}/api/v2/jobs/9b2f0a52-6b0a-4b3e-9d0a-0d2f4c6a8e10/events`, {
    headers: { 'X-API-Key': 'x' },
  });
  await expect(answer.text()).rejects.toThrow();
  await expect
    .poll(() => findings.map(({ kind }) => kind))
    .toStrictEqual(['started', 'answered', 'stream', 'ended']);
  expect(findings[2]).toMatchObject({
    operation: 'streamJobEvents',
    error: { message: 'the board is gone' },
  });
  expect(findings[3]).toMatchObject({ delivery: 'short' });
});

test.each(adapters)('%s: a caller who leaves a stream is no fault', async (_name, listen) => {
  let ended = false;
  const { server, findings } = jobs((_input, { signal }) => ({
    status: 200,
    events: (async function* () {
      try {
        yield { event: 'status', data: { id: '1', status: 'queued' } };
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('nobody listens'));
          });
        });
      } finally {
        ended = true;
      }
    })(),
  }));
  const { url } = await during(listen, server);
  const leave = new AbortController();
  const answer = await fetch(`${url}/api/v2/jobs/9b2f0a52-6b0a-4b3e-9d0a-0d2f4c6a8e10/events`, {
    headers: { 'X-API-Key': 'x' },
    signal: leave.signal,
  });
  await answer.body?.getReader().read();
  leave.abort();
  await expect.poll(() => findings.at(-1)?.kind).toBe('ended');
  expect(findings.map(({ kind }) => kind)).toStrictEqual(['started', 'answered', 'ended']);
  await expect.poll(() => ended).toBe(true);
});

test.each(adapters)(
  '%s: a caller who leaves in mid-upload is no fault, and no handler runs',
  async (_name, listen) => {
    const { server, findings } = router({});
    const { port } = await during(listen, server);
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /v1/models/acme/echo HTTP/1.1\r\nHost: x\r\nX-API-Key: service-ada\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"half"',
    );
    await expect.poll(() => findings.length).toBe(1);
    socket.destroy();
    await expect.poll(() => findings.map(({ kind }) => kind)).toStrictEqual(['started', 'answered', 'ended']);
    expect(findings[1]).toMatchObject({ status: 499 });
    expect(findings[2]).toMatchObject({ delivery: 'dropped' });
  },
);

test('a credential in the query is never reported', async () => {
  const { serverOf } = await import('../../generated/server-runtime/index.ts');
  const findings: Finding[] = [];
  const server = serverOf(
    {
      ...{ name: 'notes', errors: { kind: 'plain' } },
      operations: [
        {
          id: 'listNotes',
          method: 'GET',
          path: '/notes',
          responses: {},
          security: [[{ name: 'Key', kind: 'query', parameter: 'api key' }]],
        },
      ],
    },
    {},
    { listNotes: () => ({ status: 204 }) },
    {
      authenticate: ({ Key }) => (Key === undefined ? undefined : { id: Key.length.toString() }),
      onFinding: (finding) => findings.push(finding),
    },
  );
  const answer = await server(
    new Request('http://x/notes?a=1&api+key=secret&%61pi%20key=secret&access_token=secret'),
  );
  expect(answer.status).toBe(204);
  expect(findings[0]?.call.path).toBe('/notes');
  expect(JSON.stringify(findings)).not.toContain('secret');
});

test('a fault is printed if there is no observer', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    printed.mockRestore();
  });
  const server = createServer(
    { ...{ listModels: unused, getModelInputSchema: unused, getModel: unused, runModel: unused } },
    { authenticate: () => ({ id: 'ada' }) },
  );
  const answer = await server(new Request('http://x/v1/models', { headers: { 'X-API-Key': 'service-x' } }));
  expect(answer.status).toBe(500);
  expect(printed.mock.calls).toStrictEqual([
    [
      expect.stringContaining(answer.headers.get('x-service-request-id') ?? '?'),
      expect.objectContaining({ message: 'not part of this test' }),
    ],
  ]);
});

test('an answer with a status that the document does not declare is reported; a refusal may have one', async () => {
  const { server, findings } = router(
    { getModel: () => ({ status: 418, body: {} }) as never, listModels: () => ({ status: 204 }) as never },
    { checkResponses: true },
  );
  const read = (path: string): Promise<Response> =>
    Promise.resolve(server(new Request(`http://x${path}`, { headers })));
  await read('/v1/models/acme/echo');
  expect(findings.find(({ kind }) => kind === 'response')).toMatchObject({
    ...{ operation: 'getModel', status: 418 },
    misfits: ['the document declares no answer with the status 418'],
  });
  findings.length = 0;
  await read('/v1/models?limit=nonsense');
  expect(findings.filter(({ kind }) => kind === 'response')).toStrictEqual([]);
});

test.each(adapters)('%s: an answer can set several cookies', async (_name, listen) => {
  const { server } = router({
    runModel: () => ({
      status: 200,
      headers: { 'Set-Cookie': ['a=1; Path=/', 'b=2'], 'X-Model': 'echo' },
      body: {},
    }),
  });
  const { url } = await during(listen, server);
  const first = await run(url);
  await first.text();
  expect([first.headers.getSetCookie(), first.headers.get('x-model')]).toStrictEqual([
    ['a=1; Path=/', 'b=2'],
    'echo',
  ]);
  await expect
    .poll(async () => {
      const again = await run(url);
      return [again.headers.get('idempotent-replayed'), again.headers.getSetCookie()];
    })
    .toStrictEqual(['true', ['a=1; Path=/', 'b=2']]);
});

test('express says what to do where a body parser was faster', async () => {
  const { server, findings } = router({});
  const app = express();
  app.use(express.json());
  app.use(expressServer(server));
  const http = createHttpServer(app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const answer = await run(`http://127.0.0.1:${String((http.address() as AddressInfo).port)}`);
  expect(answer.status).toBe(500);
  expect(findings.find(({ kind }) => kind === 'handler')).toMatchObject({
    error: {
      name: 'BodyTaken',
      message: expect.stringContaining('mount this server before express.json()') as string,
    },
  });
});

test('hono hands over a body that a middleware has read', async () => {
  const { server } = router({ runModel: ({ body }) => ({ status: 200, body }) });
  const app = new Hono();
  app.use(async (context, next) => {
    await context.req.json();
    await next();
  });
  app.all('*', honoServer(server));
  const answer = await app.request('/v1/models/acme/echo', { method: 'POST', headers, body: '{"n":1}' });
  expect([answer.status, await answer.text()]).toStrictEqual([200, '{"n":1}']);
});

test('a fetch handler says what to do where its request was read before', async () => {
  const { server, findings } = router({});
  const request = new Request('http://x/v1/models/acme/echo', { method: 'POST', headers, body: '{}' });
  await request.text();
  expect((await server(request)).status).toBe(500);
  expect(findings.find(({ kind }) => kind === 'handler')).toMatchObject({ error: { name: 'BodyTaken' } });
});
