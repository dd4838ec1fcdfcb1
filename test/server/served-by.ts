import { serve as serveHono } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { JoinedServer } from '../../generated/server-runtime/index.ts';
import { expressServer } from '../../generated/server-runtime/express.ts';
import { fastifyServer } from '../../generated/server-runtime/fastify.ts';
import { honoServer } from '../../generated/server-runtime/hono.ts';
import { nodeListener } from '../../generated/server-runtime/node.ts';

/** A server behind a socket of its own. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  readonly http: HttpServer;
}

export type Listen = (server: JoinedServer) => Promise<Listening>;

/** Each adapter over real sockets. Who calls one closes what it gives. */
export const adapters: readonly (readonly [name: string, listen: Listen])[] = [
  ['node:http', (server) => listening(createHttpServer(nodeListener(server)))],
  [
    'fastify',
    async (server) => {
      const app = fastify({ forceCloseConnections: true });
      await app.register(fastifyServer(server));
      await app.listen({ port: 0, host: '127.0.0.1' });
      return addressed(app.server);
    },
  ],
  [
    'express',
    (server) => {
      const app = express();
      app.use(expressServer(server));
      return listening(createHttpServer(app));
    },
  ],
  [
    'hono',
    async (server) => {
      const app = new Hono();
      app.all('*', honoServer(server));
      // Hono's server replaces these globals, for the whole process.
      const { Request: ownRequest, Response: ownResponse } = globalThis;
      try {
        return await new Promise<Listening>((resolve) => {
          const http = serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => {
            resolve(addressed(http as HttpServer));
          });
        });
      } finally {
        Object.assign(globalThis, { Request: ownRequest, Response: ownResponse });
      }
    },
  ],
];

/** The same, closed at the end of the test. */
export async function during(listen: Listen, server: JoinedServer): Promise<Listening> {
  const started = await listen(server);
  onTestFinished(() => {
    close(started);
  });
  return started;
}

export function close({ http }: Listening): void {
  http.closeAllConnections();
  http.close();
}

/** A server of `node:http`, listening on a port of its own. */
export async function listening(http: HttpServer): Promise<Listening> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return addressed(http);
}

// --- internal ---

function addressed(http: HttpServer): Listening {
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, port, http };
}
