/**
 * `--store valkey|postgres [--replicas 3] [--engine URL] [--port N]`: replicas behind haproxy on one engine.
 * Without `--store`: one process with everything in memory. `--fixtures FILE` writes its fixtures for the
 * conformance suite.
 */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.ts';
import { startReplica } from './replica.ts';

const USUAL = {
  valkey: { url: 'redis://127.0.0.1:6379', start: 'valkey-server or redis-server starts one' },
  postgres: {
    url: 'postgres://postgres@127.0.0.1:5432/postgres',
    start:
      'give the address of a database that you may make tables in: --engine postgres://USER:PASSWORD@HOST/DATABASE',
  },
} as const;

/** A problem that the user can fix. */
class Misuse extends Error {}

interface Serving {
  readonly says: readonly string[];
  readonly warnings: readonly string[];
  readonly fixtures: object;
  stop(): Promise<void>;
}

try {
  const { values } = parseArgs({
    options: {
      replicas: { type: 'string' },
      store: { type: 'string' },
      engine: { type: 'string' },
      port: { type: 'string', default: '4720' },
      fixtures: { type: 'string' },
    },
  });
  const serving = await serve(values);
  if (values.fixtures !== undefined)
    writeFileSync(values.fixtures, JSON.stringify(serving.fixtures, null, 2));
  for (const line of serving.says) console.log(line);
  for (const warning of serving.warnings) console.error(`Warning: ${warning}`);
  const leave = (code: number) => () => void serving.stop().then(() => process.exit(code));
  process.once('SIGINT', leave(130));
  process.once('SIGTERM', leave(0));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

// --- internal ---

async function serve(given: {
  readonly replicas?: string | undefined;
  readonly store?: string | undefined;
  readonly engine?: string | undefined;
  readonly port: string;
}): Promise<Serving> {
  const port = numberOf('--port', given.port, 0, 65_535);
  const { store } = given;
  if (store === undefined) {
    if (given.replicas !== undefined || given.engine !== undefined)
      throw new Misuse('Replicas need a store that they share: --store valkey or --store postgres.');
    const replica = await startReplica({ port }).catch((error: unknown) => {
      throw isTaken(error) ? new Misuse(`Port ${given.port} is in use: --port N.`) : error;
    });
    return {
      ...{ says: [`${replica.url}   in memory`], warnings: [], fixtures: replica.fixtures },
      stop: () => replica.stop(),
    };
  }
  if (store !== 'valkey' && store !== 'postgres')
    throw new Misuse(`--store ${store} is not known: valkey or postgres.`);
  const replicas = numberOf('--replicas', given.replicas ?? '3', 1, 50);
  const engineUrl = given.engine ?? USUAL[store].url;
  await reach(engineUrl, USUAL[store].start);
  const cluster = await startCluster({
    replicas,
    store,
    engineUrl,
    restarts: true,
    ...(port === 0 ? {} : { port }),
  });
  return {
    says: [
      `${cluster.url}   ${String(replicas)} replicas on ${store}`,
      ...cluster.healthUrls.map(
        (url, index) => `  pid ${String(cluster.pids()[index])}   ${url}/health/ready   ${url}/health/live`,
      ),
    ],
    ...{ fixtures: cluster.fixtures, warnings: cluster.warnings },
    stop: () => cluster.stop(),
  };
}

function numberOf(option: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (value.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Misuse(`${option} ${value} is not a whole number from ${String(least)} to ${String(most)}.`);
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

/** Checks that an engine is reachable, before replicas wait for it. */
async function reach(url: string, start: string): Promise<void> {
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    throw new Misuse(`--engine ${url} is not an address.`);
  }
  const { hostname, port, protocol } = address;
  const usual = protocol.startsWith('postgres') ? 5432 : 6379;
  await new Promise<void>((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || usual,
      timeout: 5_000,
    });
    const refused = (): void => {
      socket.destroy();
      reject(new Misuse(`Nobody answers at ${address.host}: ${start}.`));
    };
    socket.once('error', refused);
    socket.once('timeout', refused);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
