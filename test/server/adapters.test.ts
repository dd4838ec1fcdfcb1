import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createServer as createJobs } from '../../generated/jobs/server.ts';
import { createServer, join, type Server } from '../../generated/router/server.ts';
import { expressServer } from '../../generated/server-runtime/express.ts';
import { fastifyServer } from '../../generated/server-runtime/fastify.ts';
import { honoServer } from '../../generated/server-runtime/hono.ts';
import { attach, nodeListener } from '../../generated/server-runtime/node.ts';

const unused = (): never => {
  throw new Error('not part of this test');
};

/** A router whose model answers with its input as it came, and counts. */
function router(
  wait?: () => Promise<unknown>,
  onFinding?: (finding: { readonly kind: string }) => void,
): { readonly server: Server; readonly runs: () => number } {
  let runs = 0;
  const server = createServer(
    {
      ...{ listModels: unused, getModelInputSchema: unused },
      getModel: ({ provider, model }) => ({
        status: 200,
        body: { id: `${provider}/${model}`, provider, model, billing: { charges_on_policy_rejection: 'no' } },
      }),
      async runModel(_input, { bytes }) {
        runs += 1;
        await wait?.();
        return { status: 200, raw: bytes };
      },
    },
    { authenticate: () => ({ id: 'caller' }), ...(onFinding === undefined ? {} : { onFinding }) },
  );
  return { server, runs: () => runs };
}

async function listen(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
}

type Start = (server: Server) => Promise<string>;

const adapters: [name: string, start: Start][] = [
  ['node:http', (server) => listen(createHttpServer(nodeListener(server)))],
  [
    'fastify',
    async (server) => {
      const app = fastify({ forceCloseConnections: true });
      await app.register(fastifyServer(server));
      onTestFinished(() => app.close());
      return app.listen({ port: 0, host: '127.0.0.1' });
    },
  ],
  [
    'express',
    (server) => {
      const app = express();
      app.use(expressServer(server));
      return listen(createHttpServer(app));
    },
  ],
];

const run = (url: string, key: string): Promise<Response> =>
  fetch(`${url}/v1/models/acme/echo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': 'service-x', 'Idempotency-Key': key },
    body: '{ "n": 1.0 }',
  });

test.each(adapters)('%s carries bodies, answers and replays unchanged', async (_name, start) => {
  const { server, runs } = router();
  const url = await start(server);
  const first = await run(url, 'a');
  expect([first.status, await first.text()]).toStrictEqual([200, '{ "n": 1.0 }']);
  expect(first.headers.get('x-service-request-id')).not.toBeNull();
  await expect.poll(async () => (await run(url, 'a')).headers.get('idempotent-replayed')).toBe('true');
  expect(runs()).toBe(1);
});

test.each(adapters)(
  '%s: a caller who disconnects releases the key, and a retry runs again',
  async (_name, start) => {
    let begun = (): void => undefined;
    const running = new Promise<void>((resolve) => (begun = resolve));
    let hold = true;
    const { server, runs } = router(() => {
      begun();
      return hold ? new Promise(() => undefined) : Promise.resolve();
    });
    const url = await start(server);
    const hangUp = new AbortController();
    const gone = fetch(`${url}/v1/models/acme/echo`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': 'service-x', 'Idempotency-Key': 'a' },
      body: '{}',
      signal: hangUp.signal,
    }).catch(() => undefined);
    await running;
    hangUp.abort();
    await gone;
    hold = false;
    await expect
      .poll(
        async () =>
          (
            await fetch(`${url}/v1/models/acme/echo`, {
              method: 'POST',
              headers: {
                'Content-Type': 'application/json',
                'X-API-Key': 'service-x',
                'Idempotency-Key': 'a',
              },
              body: '{}',
            })
          ).status,
      )
      .toBe(200);
    expect(runs()).toBe(2);
  },
);

test.each(adapters)(
  'router.ids.segment-revalidated: %s hands the target over as it came',
  async (_name, start) => {
    const { server } = router();
    const { port } = new URL(await start(server));
    const raw = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          'GET /v1/models/acme/%2e%2e HTTP/1.1\r\nHost: x\r\nX-API-Key: service-x\r\nConnection: close\r\n\r\n',
        );
      });
      socket.on('data', (chunk) => (text += String(chunk)));
      socket.on('close', () => {
        resolve(text);
      });
    });
    expect(raw).toMatch(/^HTTP\/1\.1 404 /);
  },
);

test('hono and its like hand over requests, and keep the paths that are their own', async () => {
  const app = new Hono();
  app.all('*', honoServer(router().server));
  app.get('/health', (context) => context.text('well'));
  expect(await (await app.request('/health')).text()).toBe('well');
  const answer = await app.request('/v1/models/acme/echo', { headers: { 'X-API-Key': 'service-x' } });
  expect(await answer.json()).toMatchObject({ id: 'acme/echo' });
});

test('express keeps the paths that are its own, and a server may stand under a path', async () => {
  const app = express();
  app.use('/', expressServer(router().server));
  app.get('/health', (_request, response) => {
    response.send('well');
  });
  const url = await listen(createHttpServer(app));
  expect(await (await fetch(`${url}/health`)).text()).toBe('well');
  expect((await fetch(`${url}/v1/models/acme/echo`, { headers: { 'X-API-Key': 'service-x' } })).status).toBe(
    200,
  );
});

test('several APIs at one address: each answers for its paths, and for those that are like them', async () => {
  const jobs = createJobs(
    { ...{ submitJob: unused, getJob: unused, cancelJob: unused, streamJobEvents: unused } },
    { authenticate: () => ({ id: 'caller' }) },
  );
  const server = join(router().server, jobs);
  const get = async (path: string): Promise<unknown> =>
    (await server(new Request(`http://x${path}`, { headers: { 'X-API-Key': 'service-x' } }))).json();
  expect(await get('/v1/models/acme/echo')).toHaveProperty('id');
  expect(await get('/v1/nothing')).toHaveProperty('error_type');
  expect(await get('/api/v2/nothing')).toHaveProperty('error.code');
});

test.each([
  ['what is no HTTP', 'nonsense\r\n\r\n'],
  ['a request without a Host', 'GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n'],
])('%s is answered as the API answers errors', async (_what, bytes) => {
  const http = createHttpServer({ requireHostHeader: false });
  attach(router().server, http);
  const { port } = new URL(await listen(http));
  const raw = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(bytes);
    });
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('close', () => {
      resolve(text);
    });
  });
  expect(raw).toMatch(/^HTTP\/1\.1 400 /);
  expect(raw).toMatch(/x-service-error-type: invalid_input/i);
  expect(raw).toMatch(/x-service-request-id: /i);
});

const hono: [name: string, start: Start] = [
  'hono',
  (server) => {
    const app = new Hono();
    app.all('*', honoServer(server));
    return listen(
      createHttpServer((request, response) => {
        void Promise.resolve(
          app.fetch(
            new Request(`http://${request.headers.host ?? ''}${request.url ?? ''}`, {
              headers: new Headers(request.headers as Record<string, string>),
            }),
          ),
        ).then(async (answer) => {
          response.writeHead(answer.status).end(await answer.text());
        });
      }),
    );
  },
];

describe.each<[how: string, onFinding: () => void | Promise<void>]>([
  [
    'throws',
    () => {
      throw new Error('the observer is broken');
    },
  ],
  ['rejects', () => Promise.reject(new Error('the observer is broken'))],
])('where onFinding %s', (_how, onFinding) => {
  test.each([...adapters, hono])('%s still answers, and the fault is printed', async (_name, start) => {
    const printed = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => {
      printed.mockRestore();
    });
    const told: string[] = [];
    const { server } = router(undefined, ({ kind }) => {
      told.push(kind);
      return onFinding();
    });
    const answer = await fetch(`${await start(server)}/v1/models/acme/echo`, {
      headers: { 'X-API-Key': 'service-x' },
    });
    expect([answer.status, await answer.json()]).toStrictEqual([
      200,
      expect.objectContaining({ id: 'acme/echo' }),
    ]);
    await expect.poll(() => told).toStrictEqual(['started', 'answered', 'ended']);
    const fault = [
      expect.stringContaining('onFinding'),
      expect.objectContaining({ message: 'the observer is broken' }),
    ];
    await expect.poll(() => printed.mock.calls).toStrictEqual([fault, fault, fault]);
  });
});
