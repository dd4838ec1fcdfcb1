import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMock } from '../../../mock/index.ts';
import type { MockOptions } from '../../../mock/index.ts';
import { pause } from '../../until.ts';

/** One request that reached the front, before it was answered. */
export interface Call {
  /** Counted from 1 in the order of arrival. */
  readonly count: number;
  readonly method: string;
  readonly target: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Answers as the faithful mock does. */
  readonly pass: () => Promise<void>;
  /** The faithful answer, not sent; the mock is informed that it was delivered. */
  readonly reply: () => Promise<Faithful>;
  /** Ends the server: it closes all connections and listens no longer. */
  readonly die: () => void;
}

export interface Faithful {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What a sick server does with a request. */
export type Symptom = (call: Call) => void | Promise<void>;

export interface SickServer {
  readonly url: string;
  /** The fixtures of the mock behind it. */
  readonly fixtures: Readonly<Record<string, unknown>>;
  readonly requests: () => number;
  readonly stop: () => Promise<void>;
}

/** Starts the faithful mock behind a front that falls ill as the symptom says. */
export async function startSick(symptom: Symptom, options: MockOptions = {}): Promise<SickServer> {
  const mock = createMock(options);
  await mock.ready();
  let count = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    count += 1;
    const call = callOf(count, request, response);
    void Promise.resolve(symptom(call)).catch(() => response.destroy());
  });

  const callOf = (number: number, request: IncomingMessage, response: ServerResponse): Call => {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the caller is gone')));
    const body = text(request);
    const handle = async (): Promise<Awaited<ReturnType<typeof mock.handle>>> =>
      mock.handle({
        method: request.method ?? 'GET',
        target: request.url ?? '/',
        rawHeaders: request.rawHeaders,
        body: Buffer.from(await body),
        signal: gone.signal,
      });
    return {
      count: number,
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      request,
      response,
      pass: async () => {
        const { reply, settle } = await handle();
        if (response.destroyed || reply.cut === true) {
          settle('dropped');
          response.destroy();
          return;
        }
        response.writeHead(reply.status, reply.headers.flat());
        if (reply.body instanceof Uint8Array) response.end(reply.body);
        else {
          for await (const chunk of reply.body) {
            if (response.destroyed) break;
            response.write(chunk);
          }
          response.end();
        }
        settle(response.destroyed ? 'short' : 'delivered');
      },
      reply: async () => {
        const { reply, settle } = await handle();
        const chunks: Uint8Array[] = [];
        if (reply.body instanceof Uint8Array) chunks.push(reply.body);
        else for await (const chunk of reply.body) chunks.push(chunk);
        settle('delivered');
        return { status: reply.status, headers: reply.headers, body: Buffer.concat(chunks) };
      },
      die: () => {
        server.close();
        server.closeAllConnections();
      },
    };
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    fixtures: mock.fixtures() as Readonly<Record<string, unknown>>,
    requests: () => count,
    stop: async () => {
      server.closeAllConnections();
      await Promise.race([new Promise((resolve) => server.close(resolve)), pause(1_000)]);
      mock.close();
    },
  };
}
