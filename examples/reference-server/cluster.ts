import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { balancerConfiguration } from './balancer.ts';

export interface ClusterOptions {
  readonly replicas: number;
  readonly store: 'valkey' | 'postgres';
  readonly engineUrl: string;
  readonly port?: number;
  readonly deadlineMs?: number;
  /** A JavaScript file for the replicas; default: the TypeScript source, which takes longer to start. */
  readonly program?: string;
  /** The number of spare replicas, so that a replacement takes only a moment; default none. */
  readonly spares?: number;
  /** Whether a replica that ended by itself is restarted. */
  readonly restarts?: boolean;
}

/** Replicas behind a load balancer. */
export interface Cluster {
  readonly url: string;
  readonly fixtures: object;
  /** Settings of the engine that could lose records, each with a remedy. */
  readonly warnings: readonly string[];
  /** The health checks of each replica: `/health/live` and `/health/ready`. */
  readonly healthUrls: readonly string[];
  /** Calls that reached a partner, as `key model`, one per line. */
  readonly dispatchLog: string;
  /** The current processes of the replicas. */
  pids(): readonly number[];
  /** Ends a replica and restarts it: with `SIGTERM` it completes open calls, `SIGKILL` is a crash. */
  replace(index: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  stop(): Promise<void>;
}

/** Starts replicas with haproxy in front. All of them are ended by `stop`, and after a failed start. */
export async function startCluster({
  replicas,
  store,
  engineUrl,
  port,
  deadlineMs = 2_000,
  program,
  spares = 0,
  restarts = false,
}: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-cluster-'));
  const dispatchLog = join(folder, 'dispatches.log');
  writeFileSync(dispatchLog, '');
  const front = port ?? (await freePort());
  const url = `http://127.0.0.1:${String(front)}`;
  const ports: Ports[] = [];
  for (let index = 0; index < replicas; index += 1)
    ports.push({ serve: await freePort(), health: await freePort() });
  const running: ChildProcess[] = [];
  let proxy: ChildProcess | undefined;
  let offer: Offer = { fixtures: { jobsBaseUrl: url }, warnings: [] };

  const settings = { publicUrl: url, store, engineUrl, deadlineMs, dispatchLog };
  const waiting: ForkedReplica[] = [];
  const replaced = new WeakSet<ChildProcess>();
  let isOver = false;
  const another = (): ForkedReplica =>
    forkReplica(program === undefined ? settings : { ...settings, program });
  const start = async (index: number): Promise<void> => {
    const replica = waiting.shift() ?? another();
    running[index] = replica.child;
    offer = await replica.serve(ports[index] ?? { serve: 0, health: 0 });
    while (waiting.length < spares) waiting.push(another());
    replica.child.once('exit', () => {
      if (!restarts || isOver || running[index] !== replica.child || replaced.has(replica.child)) return;
      start(index).catch((error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
      });
    });
  };
  const stop = async (): Promise<void> => {
    isOver = true;
    if (proxy !== undefined) await end(proxy, 'SIGKILL');
    const children = [...running, ...waiting.map(({ child }) => child)];
    await Promise.all(children.map((child) => end(child, 'SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    await Promise.all(ports.map((_, index) => start(index)));
    const config = join(folder, 'haproxy.cfg');
    const jobsPath = new URL(offer.fixtures.jobsBaseUrl).pathname;
    writeFileSync(config, await balancerConfiguration({ port: front, replicas: ports, jobsPath, folder }));
    proxy = spawn('haproxy', ['-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    await reach(front, proxy);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...{ url, dispatchLog, stop, ...offer },
    healthUrls: ports.map(({ health }) => `http://127.0.0.1:${String(health)}`),
    pids: () => running.flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    async replace(index, signal) {
      const child = running[index];
      if (child !== undefined) {
        replaced.add(child);
        await end(child, signal);
      }
      await start(index);
    },
  };
}

export interface ReplicaSettings extends Pick<ClusterOptions, 'store' | 'engineUrl' | 'program'> {
  readonly publicUrl: string;
  readonly deadlineMs: number;
  readonly dispatchLog: string;
}

export interface Ports {
  readonly serve: number;
  readonly health: number;
}

/** The message of a replica when it serves. */
export interface Offer {
  /** For the conformance suite. */
  readonly fixtures: { readonly jobsBaseUrl: string };
  readonly warnings: readonly string[];
}

export interface ForkedReplica {
  readonly child: ChildProcess;
  /** Lets it serve. */
  serve(ports: Ports): Promise<Offer>;
}

/** Starts one replica as a separate process, which waits for the command to serve. */
export function forkReplica(settings: ReplicaSettings): ForkedReplica {
  const { program, publicUrl, store, engineUrl, deadlineMs, dispatchLog } = settings;
  const source = fileURLToPath(new URL('replica-process.ts', import.meta.url));
  const { PORT: _, ...environment } = process.env;
  const child = fork(program ?? source, [], {
    // A replica's source is TypeScript, regardless of how this file is run.
    execArgv: program === undefined ? ['--import', 'tsx'] : [],
    env: {
      ...environment,
      ...{ STORE: store, ENGINE_URL: engineUrl, PUBLIC_URL: publicUrl, DISPATCH_LOG: dispatchLog },
      DEADLINE_MS: String(deadlineMs),
    },
  });
  const ready = new Promise<Offer>((resolve, reject) => {
    child.once('message', ({ fixtures, warnings }: Offer) => {
      resolve({ fixtures, warnings });
    });
    child.once('exit', (code) => {
      reject(new Error(`A replica ended with ${String(code)} before it was ready: see its output above.`));
    });
  });
  ready.catch(() => undefined);
  return {
    child,
    serve({ serve: port, health: healthPort }) {
      child.send({ port, healthPort });
      return ready;
    },
  };
}

// --- internal ---

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/**
 * Below the ports that systems assign automatically, so that no other process gets it while a replica is
 * down.
 */
let next = 10_000 + ((process.pid * 61) % 9_000);

async function freePort(): Promise<number> {
  for (;;) {
    next = next < 19_999 ? next + 1 : 10_000;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => {
        resolve(false);
      });
      server.listen(next, '127.0.0.1', () =>
        server.close(() => {
          resolve(true);
        }),
      );
    });
    if (isFree) return next;
  }
}

/** Waits for the load balancer, or reports why it does not run. */
async function reach(port: number, proxy: ChildProcess): Promise<void> {
  let problem: Error | undefined;
  let said = '';
  proxy.stderr?.on('data', (chunk) => {
    said = `${said}${String(chunk)}`.slice(-4_000);
  });
  proxy.once('error', (error: NodeJS.ErrnoException) => {
    problem =
      error.code === 'ENOENT' ? new Error('haproxy is not installed: apt-get install haproxy') : error;
  });
  proxy.once('exit', (code) => {
    problem ??= new Error(`haproxy ended with ${String(code)}: ${said.trim()}`);
  });
  for (let tries = 0; ; tries += 1) {
    const status = await fetch(`http://127.0.0.1:${String(port)}/`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (problem !== undefined) throw problem;
    // Before its first health check, it has no replica for a call.
    if (status !== 0 && status !== 503) return;
    if (tries > 100) throw new Error('The load balancer does not answer.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
