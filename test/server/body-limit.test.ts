// @module-tag attack
import { serve as serveHono } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createServer, type Server } from '../../generated/router/server.ts';
import { expressServer } from '../../generated/server-runtime/express.ts';
import { fastifyServer } from '../../generated/server-runtime/fastify.ts';
import { honoServer } from '../../generated/server-runtime/hono.ts';
import { attach, nodeListener } from '../../generated/server-runtime/node.ts';

const unused = (): never => {
  throw new Error('not part of this test');
};

/** A router that takes 64 kB at most. */
function router(): Server {
  return createServer(
    {
      ...{ listModels: unused, getModelInputSchema: unused, getModel: unused },
      runModel: (_input, { bytes }) => ({ status: 200, body: { length: bytes.length } }),
    },
    {
      authenticate: ({ ApiKeyAuth }) => (ApiKeyAuth === 'service-x' ? { id: 'x' } : undefined),
      bodyBytes: 65_536,
    },
  );
}

function portOf(http: HttpServer): number {
  return (http.address() as AddressInfo).port;
}

async function listen(http: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return portOf(http);
}

const adapters: [name: string, start: (server: Server) => Promise<number>][] = [
  ['node:http', (server) => listen(createHttpServer(nodeListener(server)))],
  [
    'fastify',
    async (server) => {
      const app = fastify({ forceCloseConnections: true });
      await app.register(fastifyServer(server));
      onTestFinished(() => app.close());
      await app.listen({ port: 0, host: '127.0.0.1' });
      return portOf(app.server);
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
  [
    'hono',
    async (server) => {
      const app = new Hono();
      app.all('*', honoServer(server));
      // Hono's server replaces these globals, for the whole process.
      const { Request: ownRequest, Response: ownResponse } = globalThis;
      onTestFinished(() => {
        Object.assign(globalThis, { Request: ownRequest, Response: ownResponse });
      });
      let http: HttpServer | undefined;
      await new Promise<void>((resolve) => {
        http = serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => {
          resolve();
        }) as HttpServer;
      });
      if (http === undefined) throw new Error('hono does not listen');
      const listening = http;
      onTestFinished(() => {
        listening.closeAllConnections();
        listening.close();
      });
      return portOf(listening);
    },
  ],
];

const HEAD = 'POST /v1/models/acme/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const CHUNK = `4000\r\n${'x'.repeat(0x4000)}\r\n`;

/** A connection over which a request was begun. */
function begin(
  port: number,
  head: string,
): {
  readonly answer: Promise<string>;
  readonly closed: Promise<void>;
  /** Resolves when it has left this process, or cannot any more. */
  send(text: string): Promise<void>;
  sent(): number;
} {
  let text = '';
  const socket = connect(port, '127.0.0.1');
  socket.write(`${HEAD}${head}\r\n`);
  onTestFinished(() => {
    socket.destroy();
  });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (/\r\n\r\n[^]*\}/.test(text)) resolve(text);
    });
    void closed.then(() => resolve(text));
  });
  socket.on('error', () => undefined);
  return {
    answer,
    closed,
    send: (piece) =>
      socket.writable ? new Promise((resolve) => void socket.write(piece, () => resolve())) : closed,
    sent: () => socket.bytesWritten,
  };
}

test.each(adapters)(
  '%s: a body with a too large Content-Length is refused before it arrives',
  async (_name, start) => {
    const { answer } = begin(await start(router()), 'X-API-Key: service-x\r\nContent-Length: 20000000\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [^]*x-service-error-type: invalid_input[^]*longer than/i);
  },
);

test.each(adapters)('%s: a body that exceeds the limit is refused before its end', async (_name, start) => {
  const { answer, send } = begin(
    await start(router()),
    'X-API-Key: service-x\r\nTransfer-Encoding: chunked\r\n',
  );
  for (let count = 0; count < 8; count += 1) void send(CHUNK);
  expect(await answer).toMatch(/^HTTP\/1\.1 413 [^]*longer than/i);
});

test.each(adapters)('%s: a caller that sends without end is disconnected', async (_name, start) => {
  const port = await start(router());
  for (const key of ['service-x', 'unknown']) {
    const { answer, closed, send, sent } = begin(port, `X-API-Key: ${key}\r\nTransfer-Encoding: chunked\r\n`);
    let isOpen = true;
    void closed.then(() => (isOpen = false));
    const endless = async (): Promise<void> => {
      while (isOpen) await send(CHUNK);
    };
    await Promise.all([endless(), closed]);
    expect(await answer).toMatch(key === 'unknown' ? /^HTTP\/1\.1 401 / : /^HTTP\/1\.1 413 /);
    expect(sent()).toBeGreaterThan(65_536);
  }
});

test.each(adapters)('%s: the longest body that fits is taken', async (_name, start) => {
  const body = JSON.stringify({ text: 'x'.repeat(65_536 - 11) });
  const { answer, send } = begin(
    await start(router()),
    `X-API-Key: service-x\r\nContent-Length: ${String(body.length)}\r\n`,
  );
  void send(body);
  expect(body.length).toBe(65_536);
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*\{"length":65536\}/);
});

test('a caller that waits for permission to send is refused without being asked for the body', async () => {
  const http = createHttpServer();
  attach(router(), http);
  const port = await listen(http);
  const refused = begin(port, 'X-API-Key: service-x\r\nExpect: 100-continue\r\nContent-Length: 20000000\r\n');
  expect(await refused.answer).toMatch(/^HTTP\/1\.1 413 /);
  const taken = begin(port, 'X-API-Key: service-x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n');
  void taken.send('{}');
  expect(await taken.answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});
