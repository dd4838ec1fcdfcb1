/* eslint-disable no-console -- What the broken observer makes of each call is printed, and of no interest here. */
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { createServer as createJobs } from '../../generated/jobs/server.ts';
import { createServer, type Finding, join } from '../../generated/router/server.ts';
import { close, type Listen } from './served-by.ts';
import { until } from '../until.ts';

/** What one round of chaos came to. */
export interface Outcome {
  readonly calls: number;
  /** Calls that got a whole answer, by status. */
  readonly answered: ReadonlyMap<number, number>;
  /** Calls whose caller waited and got no answer. */
  readonly unanswered: readonly string[];
  /** Unhandled rejections. */
  readonly unhandled: readonly unknown[];
  /** Calls that began and whose end was never reported. */
  readonly open: number;
  /** Calls that a shutdown left behind. */
  readonly left: number;
  readonly kinds: ReadonlyMap<string, number>;
}

type Kind =
  'run' | 'fault' | 'stream' | 'dying stream' | 'left stream' | 'half upload' | 'slow reader' | 'unknown';

const KINDS: readonly Kind[] = [
  ...['run', 'fault', 'stream', 'dying stream', 'left stream', 'half upload', 'slow reader', 'unknown'],
] as readonly Kind[];

const unused = (): never => {
  throw new Error('not part of this');
};

/** Sends calls of all kinds, some tens at once, and shuts the server down under the last of them. The observer always throws. */
export async function chaos(listen: Listen, calls: number, atOnce = 20): Promise<Outcome> {
  const kinds = new Map<string, number>();
  const open = new Set<Finding['call']>();
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  const printed = console.error;
  console.error = () => undefined;
  process.on('unhandledRejection', onUnhandled);
  const options = {
    authenticate: () => ({ id: 'ada' }),
    keepAliveMs: 50,
    onFinding(finding: Finding) {
      kinds.set(finding.kind, (kinds.get(finding.kind) ?? 0) + 1);
      if (finding.kind === 'started') open.add(finding.call);
      if (finding.kind === 'ended') open.delete(finding.call);
      throw new Error('the observer is broken');
    },
  };
  const server = join(
    createServer(
      {
        ...{ listModels: unused, getModelInputSchema: unused, getModel: unused },
        runModel({ model, body }) {
          if (model === 'fault') throw new Error('the model is broken');
          return { status: 200, body: model === 'long' ? { text: LONG } : body };
        },
      },
      options,
    ),
    createJobs(
      {
        ...{ submitJob: unused, getJob: unused, cancelJob: unused },
        streamJobEvents: ({ id }, { signal }) => ({ status: 200, events: events(id, signal) }),
      },
      options,
    ),
  );
  const served = await listen(server);
  const answered = new Map<number, number>();
  const unanswered: string[] = [];
  try {
    let next = 0;
    const one = async (kind: Kind, number: number): Promise<void> => {
      const got = await call(served.port, kind, number);
      if (typeof got === 'number') answered.set(got, (answered.get(got) ?? 0) + 1);
      else if (got !== undefined) unanswered.push(got);
    };
    const line = async (until: number): Promise<void> => {
      while (next < until) {
        const number = next++;
        await one(KINDS[number % KINDS.length] ?? 'run', number);
      }
    };
    const lines = (until: number): Promise<unknown> =>
      Promise.all(Array.from({ length: atOnce }, () => line(until)));
    await lines(calls - atOnce);
    const last = lines(calls);
    const { left } = await server.shutdown({ graceMs: 100 });
    await last;
    // What clients left behind is noticed when their sockets close.
    await until('every client is gone', () => open.size === 0).catch(() => undefined);
    return { calls: next, answered, unanswered, unhandled, open: open.size, left, kinds };
  } finally {
    process.off('unhandledRejection', onUnhandled);
    console.error = printed;
    close(served);
  }
}

// --- internal ---

const LONG = 'x'.repeat(1_000_000);

const JOBS = {
  stream: '00000000-0000-4000-8000-000000000001',
  'dying stream': '00000000-0000-4000-8000-000000000002',
  'left stream': '00000000-0000-4000-8000-000000000003',
} as const;

async function* events(id: string, signal: AbortSignal): AsyncGenerator<{ event: 'status'; data: unknown }> {
  yield { event: 'status', data: { id, status: 'running' } };
  if (id === JOBS['dying stream']) throw new Error('the board is gone');
  if (id === JOBS['left stream'])
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('nobody listens'));
      });
    });
  yield { event: 'status', data: { id, status: 'succeeded' } };
}

const BODY = '{"prompt":"a notched stick"}';

/** @returns a status, what went wrong for a caller that waited, or nothing where the caller itself left */
function call(port: number, kind: Kind, number: number): Promise<number | string | undefined> {
  const headers = {
    'X-API-Key': 'service-x',
    'Content-Type': 'application/json',
    'Idempotency-Key': `key-${number}`,
  };
  const post = (model: string): Sent => ({
    method: 'POST',
    path: `/v1/models/acme/${model}`,
    headers,
    body: BODY,
  });
  const get = (path: string): Sent => ({ method: 'GET', path, headers, body: undefined });
  switch (kind) {
    case 'run':
      return send(port, post('echo'), 'all');
    case 'fault':
      return send(port, post('fault'), 'all');
    case 'slow reader':
      return send(port, post('long'), 'slowly');
    case 'unknown':
      return send(port, get('/v1/nothing'), 'all');
    case 'stream':
    case 'dying stream':
      return send(port, get(`/api/v2/jobs/${JOBS[kind]}/events`), 'all');
    case 'left stream':
      return send(port, get(`/api/v2/jobs/${JOBS[kind]}/events`), 'and leave');
    case 'half upload':
      return leave(port);
  }
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function send(
  port: number,
  { method, path, headers, body }: Sent,
  reads: 'all' | 'slowly' | 'and leave',
): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const status = response.statusCode ?? 0;
      response.on('error', () => undefined);
      response.on('close', () => {
        // A stream that dies is cut; its status has arrived all the same.
        resolve(response.complete || path.includes('/jobs/') ? status : `${method} ${path}: cut`);
      });
      if (reads === 'and leave' && status === 200) {
        response.once('data', () => {
          sent.destroy();
          resolve(undefined);
        });
        return;
      }
      if (reads === 'slowly') {
        response.once('data', () => {
          response.pause();
          setTimeout(() => response.resume(), 5);
        });
        return;
      }
      response.resume();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      resolve(`${method} ${path}: ${error.code ?? error.message}`);
    });
    sent.end(body);
  });
}

/** Sends half of a body and hangs up. */
function leave(port: number): Promise<undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        'POST /v1/models/acme/echo HTTP/1.1\r\nHost: x\r\nX-API-Key: service-x\r\nContent-Type: application/json\r\n' +
          'Content-Length: 1000\r\n\r\n{"half"',
        () => setTimeout(() => socket.destroy(), 1),
      );
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(undefined);
    });
  });
}
