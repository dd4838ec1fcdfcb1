/**
 * One replica as a separate process: settings from its environment, health checks on a separate port, ends on
 * SIGTERM. A spare has no ports in its environment: it prepares everything and waits for them.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import pg from 'pg';
import { createClient } from 'redis';
import { migrate, postgresStore, postgresWarnings, startSweeper } from '../../server/postgres.ts';
import { redisStore, redisWarnings } from '../../server/redis.ts';
import type { Board } from './board.ts';
import { meter } from './metrics.ts';
import { startReplica, type ReplicaOptions } from './replica.ts';
import { postgresBoard, redisBoard } from './shared-boards.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

type Parts = Required<Pick<ReplicaOptions, 'store' | 'board'>> & {
  /** Settings of the engine that could lose records. */
  readonly warnings: readonly string[];
  readonly close: () => Promise<void>;
};

async function valkeyParts(url: string): Promise<Parts> {
  const client = createClient({ url, disableOfflineQueue: true });
  client.on('error', () => undefined);
  await client.connect();
  return {
    store: redisStore(client),
    warnings: await redisWarnings(client),
    board: await redisBoard(url),
    close: () => {
      client.destroy();
      return Promise.resolve();
    },
  };
}

async function postgresParts(url: string): Promise<Parts> {
  const pool = new pg.Pool({ connectionString: url, max: 12, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined);
  await migrate(pool);
  const stop = startSweeper(pool);
  return {
    store: postgresStore(pool),
    warnings: await postgresWarnings(pool),
    board: await postgresBoard(url, pool),
    close: async () => {
      stop();
      await pool.end();
    },
  };
}

interface Ports {
  readonly port: number;
  readonly healthPort: number;
}

const ports: Promise<Ports> =
  process.env['PORT'] === undefined
    ? new Promise((resolve) => process.once('message', resolve))
    : Promise.resolve({ port: Number(setting('PORT')), healthPort: Number(setting('HEALTH_PORT')) });
const url = setting('ENGINE_URL');
const parts = await (setting('STORE') === 'postgres' ? postgresParts(url) : valkeyParts(url));
const measure = meter();
const log = process.env['DISPATCH_LOG'];
const { port, healthPort } = await ports;
const { store, board } = parts;
const replica = await startReplica({
  ...{ port, store, board },
  publicUrl: setting('PUBLIC_URL'),
  deadlineMs: Number(process.env['DEADLINE_MS'] ?? 2_000),
  onFinding(finding) {
    measure(finding);
    if (!['started', 'answered', 'ended', 'store'].includes(finding.kind)) console.error(finding);
  },
  ...(log === undefined
    ? {}
    : {
        onDispatch: (model, key) => {
          if (key !== undefined) appendFileSync(log, `${key} ${model}\n`);
        },
      }),
});

const isReady = async (board: Board): Promise<boolean> =>
  board.ping().then(
    () => true,
    () => false,
  );
let leaving = false;
const health = createServer((request, response) => {
  const isLive = request.url === '/health/live';
  void (isLive ? Promise.resolve(true) : isReady(board)).then((good) => {
    response.writeHead(good && (isLive || !leaving) ? 200 : 503).end();
  });
}).listen(healthPort, '127.0.0.1');

// Several replicas share one engine, so the parent process reports it once.
if (process.send === undefined) for (const warning of parts.warnings) console.error(`Warning: ${warning}`);
else process.send({ ready: true, fixtures: replica.fixtures, warnings: parts.warnings });
// The parent process has ended.
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => {
  leaving = true;
  // Open calls are completed; new ones are refused.
  void replica.drain().then(async () => {
    health.close();
    health.closeAllConnections();
    await board.close();
    await parts.close();
    process.exit(0);
  });
});
