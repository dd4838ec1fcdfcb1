import pg from 'pg';
import { createClient } from 'redis';
import type { Store } from '../../server/index.ts';
import { migrate, postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { startPostgres, startValkey } from './engines.ts';
import { forward } from './forwarder.ts';
import { until } from '../until.ts';

/** A primary and its replica behind an address that moves, and stores whose clients know that address. */
export interface Pair {
  /** Waits until the replica holds what it writes. */
  readonly store: Store;
  /** Does not. */
  readonly hasty: Store;
  /** Resolves when the replica holds what the primary holds. */
  replicated(): Promise<void>;
  /** From now on nothing of what the primary writes arrives at the replica. */
  holdReplication(): void;
  /** The primary dies, the replica takes its place and its address. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

export async function valkeyPair(settings: readonly string[] = []): Promise<Pair> {
  const [first, second] = [
    await startValkey(['--repl-diskless-sync-delay', '0', ...settings]),
    await startValkey(['--repl-diskless-sync-delay', '0', ...settings]),
  ];
  const [link, address] = [await forward(first.port), await forward(first.port)];
  const opened = async (url: string) => {
    const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy } });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const client = await opened(`redis://127.0.0.1:${String(address.port)}`);
  const direct = { first: await opened(first.url), second: await opened(second.url) };
  const follow = async (leader: typeof client, follower: typeof client, port: number): Promise<void> => {
    await follower.sendCommand(['REPLICAOF', '127.0.0.1', String(port)]);
    await until('the replica is online', async () =>
      /^slave0:.*state=online/m.test(await leader.info('replication')),
    );
  };
  await follow(direct.first, direct.second, link.port);
  return {
    store: redisStore(client, { replicas: 1, replicasMs: 500 }),
    hasty: redisStore(client),
    replicated: () =>
      until(
        'the replica has all of it',
        async () => Number(await client.sendCommand(['WAIT', '1', '100'])) === 1,
      ),
    holdReplication: () => {
      link.hold();
    },
    async failOver() {
      await first.kill();
      await direct.second.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      address.lead(second.port);
      // What was the primary comes back as the replica.
      await first.restart();
      await until('the old primary is back', () => direct.first.isReady);
      await follow(direct.second, direct.first, second.port);
    },
    async stop() {
      for (const each of [client, direct.first, direct.second]) each.destroy();
      for (const each of [link, address, first, second]) await each.stop();
    },
  };
}

export async function postgresPair(): Promise<Pair> {
  const first = await startPostgres();
  const address = await forward(first.port);
  const opened = (port: number, options?: string): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: `postgres://postgres@127.0.0.1:${String(port)}/postgres`,
      ...{ max: 6, connectionTimeoutMillis: 1_000, options },
    });
    pool.on('error', () => undefined);
    return pool;
  };
  const pool = opened(address.port);
  const hasty = opened(address.port, '-c synchronous_commit=local');
  await migrate(pool);
  const link = await forward(first.port);
  const second = await startPostgres({ follows: link.port });
  const admin = opened(second.port);
  await pool.query("alter system set synchronous_standby_names = '*'");
  await pool.query('select pg_reload_conf()');
  await until('the standby is synchronous', async () => {
    const { rows } = await pool.query('select sync_state, state from pg_stat_replication');
    const [row] = rows as { sync_state: string; state: string }[];
    return row?.state === 'streaming' && row.sync_state === 'sync';
  });
  return {
    store: postgresStore(pool),
    hasty: postgresStore(hasty),
    replicated: () =>
      until('the replica has all of it', async () => {
        const { rows } = await pool.query(
          'select flush_lsn >= pg_current_wal_flush_lsn() as holds from pg_stat_replication',
        );
        return (rows as { holds: boolean }[])[0]?.holds === true;
      }),
    holdReplication: () => {
      link.hold();
    },
    async failOver() {
      await first.kill();
      await admin.query('select pg_promote()');
      address.lead(second.port);
    },
    async stop() {
      for (const each of [pool, hasty, admin]) await each.end();
      for (const each of [link, address, second, first]) await each.stop();
    },
  };
}

// --- internal ---

/** A client that tries for ever keeps a test waiting until its time is over, and the reason is not reported. */
const reconnectStrategy = (tries: number): number | Error =>
  tries > 1_000 ? new Error('the engine does not come back') : 20;
