import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPolicy, loadOwnContract } from '../../contract/index.ts';

export interface ClusterOptions {
  readonly replicas: number;
  readonly store: 'valkey' | 'postgres';
  readonly engineUrl: string;
  readonly port?: number;
  readonly deadlineMs?: number;
}

/** Replicas behind a load balancer. */
export interface Cluster {
  readonly url: string;
  readonly fixtures: object;
  /** Calls that reached a partner, as `key model`, one a line. */
  readonly dispatchLog: string;
  /** Ends a replica and starts it again: `SIGTERM` lets it finish what it serves, `SIGKILL` is a crash. */
  replace(index: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  stop(): Promise<void>;
}

/** Starts replicas and haproxy before them. Both are gone after `stop`. */
export async function startCluster({
  replicas,
  store,
  engineUrl,
  port,
  deadlineMs = 2_000,
}: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-cluster-'));
  const dispatchLog = join(folder, 'dispatches.log');
  writeFileSync(dispatchLog, '');
  const front = port ?? (await freePort());
  const url = `http://127.0.0.1:${String(front)}`;
  const ports = await Promise.all(
    Array.from({ length: replicas }, async () => ({ serve: await freePort(), health: await freePort() })),
  );
  let fixtures: object = {};

  const start = (index: number): Promise<ChildProcess> =>
    new Promise((resolve, reject) => {
      const { serve = 0, health = 0 } = ports[index] ?? {};
      const child = fork(fileURLToPath(new URL('replica-process.ts', import.meta.url)), [], {
        execArgv: process.execArgv.length > 0 ? process.execArgv : ['--import', 'tsx'],
        env: {
          ...process.env,
          ...{ STORE: store, ENGINE_URL: engineUrl, PUBLIC_URL: url, DISPATCH_LOG: dispatchLog },
          ...{ PORT: String(serve), HEALTH_PORT: String(health), DEADLINE_MS: String(deadlineMs) },
        },
      });
      child.once('message', (message: { readonly fixtures: object }) => {
        fixtures = message.fixtures;
        resolve(child);
      });
      child.once('exit', (code) => {
        reject(new Error(`a replica ended with ${String(code)} before it was ready`));
      });
    });

  const running = await Promise.all(ports.map((_, index) => start(index)));
  const config = join(folder, 'haproxy.cfg');
  writeFileSync(config, await configuration(front, ports, folder));
  const proxy = spawn('haproxy', ['-f', config], { stdio: 'inherit' });
  await reach(front);

  return {
    url,
    fixtures,
    dispatchLog,
    async replace(index, signal) {
      const child = running[index];
      if (child !== undefined) await end(child, signal);
      running[index] = await start(index);
    },
    async stop() {
      await end(proxy, 'SIGKILL');
      await Promise.all(running.map((child) => end(child, 'SIGKILL')));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// --- internal ---

/**
 * What the load balancer says by itself is an error of the API too: with its bucket. It passes on that a caller went
 * away (otherwise a key whose answer nobody took would be recorded), and sends a request on to another
 * replica only where the first one surely never saw it.
 */
async function configuration(
  front: number,
  ports: readonly { readonly serve: number; readonly health: number }[],
  folder: string,
): Promise<string> {
  const errors = findPolicy(await loadOwnContract('router'), 'error-buckets');
  if (errors === undefined) throw new Error('the router names its errors by buckets');
  const bucket = errors.roles.unavailable;
  const body = JSON.stringify({
    [errors.bodyMember]: bucket,
    [errors.detailMember]: 'A replica went away: send it again.',
  });
  const files = [502, 503, 504].map((status) => {
    const path = join(folder, `${String(status)}.http`);
    const lines = [
      `HTTP/1.1 ${String(status)} Unavailable`,
      'Content-Type: application/json',
      `Content-Length: ${String(body.length)}`,
      `${errors.header}: ${bucket}`,
      'Retry-After: 1',
      'Connection: close',
    ];
    writeFileSync(path, `${lines.join('\r\n')}\r\n\r\n${body}`);
    return `  errorfile ${String(status)} ${path}`;
  });
  return `global
  maxconn 2000
defaults
  mode http
  option http-server-close
  option abortonclose
  option redispatch 1
  retries 3
  retry-on conn-failure
  timeout connect 1s
  timeout check 2s
  timeout client 120s
  timeout server 120s
${files.join('\n')}
frontend api
  bind 127.0.0.1:${String(front)}
  option accept-invalid-http-request
  default_backend replicas
backend replicas
  balance roundrobin
  option httpchk GET /health/ready
${ports.map(({ serve, health }, index) => `  server r${String(index)} 127.0.0.1:${String(serve)} check port ${String(health)} inter 200 fall 1 rise 1`).join('\n')}
`;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function reach(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const answered = await fetch(`http://127.0.0.1:${String(port)}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    if (tries > 100) throw new Error('the load balancer does not answer');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
