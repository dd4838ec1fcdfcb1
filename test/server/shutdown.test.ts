import { createServer as createHttpServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createServer as createJobs, join, type JobsHandlers } from '../../generated/jobs/server.ts';
import {
  createServer,
  type Finding,
  type RouterHandlers,
  type Server,
} from '../../generated/router/server.ts';
import { nodeListener, shutDown } from '../../generated/server-runtime/node.ts';
import { adapters, during } from './served-by.ts';

const unused = (): never => {
  throw new Error('not part of this test');
};

/** Several calls may have begun; each is known when its handler runs. */
function router(runModel: RouterHandlers['runModel']): {
  readonly server: Server;
  readonly findings: Finding[];
} {
  const findings: Finding[] = [];
  const server = createServer(
    { ...{ listModels: unused, getModelInputSchema: unused, getModel: unused }, runModel },
    { authenticate: () => ({ id: 'ada' }), onFinding: (finding) => findings.push(finding) },
  );
  return { server, findings };
}

function jobs(handlers: Partial<JobsHandlers>): Server {
  return createJobs(
    { ...{ submitJob: unused, getJob: unused, cancelJob: unused, streamJobEvents: unused }, ...handlers },
    { authenticate: () => ({ id: 'ada' }), onFinding: () => undefined },
  );
}

const headers = {
  'Content-Type': 'application/json',
  'X-API-Key': 'service-x',
  'Idempotency-Key': 'order-1',
};
const run = (url: string): Promise<Response> =>
  fetch(`${url}/v1/models/acme/echo`, { method: 'POST', headers, body: '{}' });
const events = (url: string): Promise<Response> =>
  fetch(`${url}/api/v2/jobs/9b2f0a52-6b0a-4b3e-9d0a-0d2f4c6a8e10/events`, { headers });

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

test.each(adapters)('%s: open calls end, and new ones are refused', async (_name, listen) => {
  const [begun, end] = [gate(), gate()];
  let heard: unknown;
  const { server } = router(async (_input, { closing }) => {
    begun.open();
    closing.addEventListener('abort', () => (heard = closing.reason));
    await end.opened;
    return { status: 200, body: { done: true } };
  });
  const { url } = await during(listen, server);
  const first = run(url);
  await begun.opened;
  const shutdown = server.shutdown({ graceMs: 60_000 });
  const refused = await run(url);
  expect([refused.status, refused.headers.get('retry-after')]).toStrictEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ error_type: 'service_unavailable' });
  end.open();
  const answer = await first;
  expect([answer.status, await answer.json()]).toStrictEqual([200, { done: true }]);
  expect(await shutdown).toStrictEqual({ cut: 0, left: 0 });
  expect(heard).toMatchObject({ name: 'ShutdownError' });
  expect(await server.shutdown()).toStrictEqual({ cut: 0, left: 0 });
});

test.each(adapters)(
  '%s: a call that heeds no signal is answered when the grace is over',
  async (_name, listen) => {
    const begun = gate();
    let reason: unknown;
    let isCharged: boolean | undefined;
    const { server, findings } = router(async (_input, call) => {
      call.signal.addEventListener('abort', () => {
        reason = call.signal.reason;
        void call.charge().then((charged) => (isCharged = charged));
      });
      begun.open();
      return new Promise(() => undefined);
    });
    const { url } = await during(listen, server);
    const first = run(url);
    await begun.opened;
    const shutdown = server.shutdown({ graceMs: 0 });
    const answer = await first;
    expect([answer.status, answer.headers.get('retry-after')]).toStrictEqual([503, '1']);
    await answer.text();
    expect(await shutdown).toStrictEqual({ cut: 1, left: 0 });
    expect(reason).toMatchObject({ name: 'ShutdownError' });
    await expect.poll(() => isCharged).toBe(false);
    expect(findings.map(({ kind }) => kind)).toStrictEqual(['started', 'answered', 'ended']);
  },
);

test('a submission is answered when the grace is over', async () => {
  const begun = gate();
  const server = jobs({
    submitJob: () => {
      begun.open();
      return new Promise(() => undefined);
    },
  });
  const submit = (): Promise<Response> =>
    server(
      new Request('http://x/api/v2/jobs', {
        ...{ method: 'POST', headers },
        body: JSON.stringify({ workflow: { 1: { class_type: 'Load', inputs: {} } } }),
      }),
    );
  const first = submit();
  await begun.opened;
  await server.shutdown({ graceMs: 0 });
  expect((await first).status).toBe(503);
});

test.each(adapters)('%s: a stream may end by itself, and is cut otherwise', async (_name, listen) => {
  const server = join(
    jobs({
      streamJobEvents: (_input, { closing }) => ({
        status: 200,
        events: (async function* () {
          yield { event: 'status', data: { status: 'running' } };
          await new Promise((resolve) => {
            closing.addEventListener('abort', resolve);
          });
          yield { event: 'status', data: { status: 'succeeded' } };
        })(),
      }),
    }),
  );
  const { url } = await during(listen, server);
  const answer = await events(url);
  const reader = answer.body?.getReader();
  await reader?.read();
  const shutdown = server.shutdown({ graceMs: 60_000 });
  const rest = await reader?.read();
  expect(new TextDecoder().decode(rest?.value)).toContain('succeeded');
  expect((await reader?.read())?.done).toBe(true);
  expect(await shutdown).toStrictEqual({ cut: 0, left: 0 });

  const deaf = jobs({
    streamJobEvents: () => ({
      status: 200,
      events: (async function* () {
        yield { event: 'status', data: { status: 'running' } };
        await new Promise(() => undefined);
      })(),
    }),
  });
  const open = await events((await during(listen, deaf)).url);
  const text = open.text();
  text.catch(() => undefined);
  expect(await deaf.shutdown({ graceMs: 0 })).toStrictEqual({ cut: 1, left: 0 });
  await expect(text).rejects.toThrow();
});

test.each(adapters)('%s: half an upload is answered when the grace is over', async (_name, listen) => {
  const { server, findings } = router(unused);
  const { port } = await during(listen, server);
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
  socket.write(
    'POST /v1/models/acme/echo HTTP/1.1\r\nHost: x\r\nX-API-Key: service-x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"half"',
  );
  await expect.poll(() => findings.length).toBe(1);
  const shutdown = server.shutdown({ graceMs: 0 });
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 503 [^]*service_unavailable/);
  socket.destroy();
  expect((await shutdown).cut).toBe(1);
});

test('a server of node:http closes with its calls, unused sockets included', async () => {
  const begun = gate();
  const end = gate();
  const { server } = router(async () => {
    begun.open();
    await end.opened;
    return { status: 200, body: {} };
  });
  const http = createHttpServer(nodeListener(server));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  // A connection over which nothing was asked.
  const idle = connect(port, '127.0.0.1').on('error', () => undefined);
  const idleClosed = new Promise((resolve) => idle.on('close', resolve));
  const first = run(`http://127.0.0.1:${String(port)}`);
  await begun.opened;
  const shutdown = shutDown(server, http, { graceMs: 60_000 });
  end.open();
  const answer = await first;
  expect([answer.status, answer.headers.get('connection')]).toStrictEqual([200, 'close']);
  expect(await shutdown).toStrictEqual({ cut: 0, left: 0 });
  await idleClosed;
  expect(http.listening).toBe(false);
});
