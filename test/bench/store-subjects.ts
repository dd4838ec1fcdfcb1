import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { createClient } from 'redis';
import { memoryStore, type Store } from '../../server/index.ts';
import { nameOf } from '../../server/names.ts';
import { migrate, sweep } from '../../server/postgres.ts';
import { startPostgres, startValkey } from '../server/engines.ts';
import { bodyHash, call, connected, response } from './store-load.ts';

export interface Subject {
  readonly name: string;
  readonly store: Store;
  /** Where the engine is, if others can reach it. */
  readonly url?: string;
  /** Makes records like those that calls leave, a day before their end. */
  fill(from: number, to: number): Promise<void>;
  /** Bytes that everything takes. */
  bytes(): Promise<number>;
  /** Further notes. */
  aside?(): Promise<string>;
  close(): Promise<void>;
}

export function inMemory(): Promise<Subject> {
  const store = memoryStore();
  return Promise.resolve({
    name: 'memory',
    store,
    async fill(from, to) {
      for (let each = from; each < to; each += 1) await call(store, `fill ${String(each)}`);
    },
    bytes() {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return Promise.resolve(heapUsed + arrayBuffers);
    },
    close: () => Promise.resolve(),
  });
}

export async function onValkey(): Promise<Subject> {
  const engine = await startValkey();
  const client = createClient({ url: engine.url });
  await client.connect();
  const { store, close } = await connected(engine.url);
  const server = await client.info('server');
  const version = /valkey_version:(\S+)/.exec(server)?.[1];
  return {
    name:
      version === undefined ? `Redis ${/redis_version:(\d+)/.exec(server)?.[1] ?? ''}` : `Valkey ${version}`,
    ...{ store, url: engine.url },
    async fill(from, to) {
      for (let next = from; next < to; next += 1_000) {
        const names = Array.from({ length: Math.min(1_000, to - next) }, (_, each) =>
          nameOf('fill', String(next + each)),
        );
        const { status, headers, body } = response;
        const parts = [status, JSON.stringify(headers), Buffer.from(body).toString('base64')].map(String);
        await client.eval(FILL, {
          keys: names.map((name) => `tallystick:key:{${name}}`),
          arguments: [bodyHash, ...parts],
        });
      }
    },
    bytes: async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]),
    async close() {
      await close();
      client.destroy();
      await engine.stop();
    },
  };
}

export async function onPostgres(): Promise<Subject> {
  const engine = await startPostgres({ safe: true, settings: ['max_wal_size=4GB', 'shared_buffers=256MB'] });
  const pool = new pg.Pool({ connectionString: engine.url, max: 2 });
  pool.on('error', () => undefined);
  await migrate(pool);
  const { rows } = await pool.query<{ server_version: string }>('show server_version');
  const { store, close } = await connected(engine.url);
  return {
    name: `PostgreSQL ${/^\d+/.exec(rows[0]?.server_version ?? '')?.[0] ?? ''}`,
    ...{ store, url: engine.url },
    async fill(from, to) {
      await pool.query(
        `insert into tallystick_keys (name, state, body_hash, ends_at, status, headers, body)
         select encode(sha256(n::text::bytea), 'hex'), 'recorded', $3, now() + interval '1 day' + n * interval '1 millisecond',
           $4, $5::jsonb, $6 from generate_series($1::int + 1, $2::int) n`,
        [from, to, bodyHash, response.status, JSON.stringify(response.headers), Buffer.from(response.body)],
      );
      await pool.query('vacuum analyze tallystick_keys');
    },
    async bytes() {
      const size = "select pg_total_relation_size('tallystick_keys')::float8 as bytes";
      return (await pool.query<{ bytes: number }>(size)).rows[0]?.bytes ?? 0;
    },
    async aside() {
      await pool.query(
        `insert into tallystick_keys (name, state, body_hash, ends_at)
         select 'expired ' || n, 'consumed', $1, now() - interval '1 second' from generate_series(1, 10000) n`,
        [bodyHash],
      );
      const begun = performance.now();
      const swept = await sweep(pool);
      return `the sweeper takes ${swept.toLocaleString('en')} expired rows away in ${Math.round(performance.now() - begun).toLocaleString('en')} ms`;
    },
    async close() {
      await close();
      await pool.end();
      await engine.stop();
    },
  };
}

// --- internal ---

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** The same commands as the three operations of a call, so that each record takes as much as theirs. */
const FILL = `
for _, key in ipairs(KEYS) do
  redis.call('HSET', key, 'state', 'inFlight', 'hash', ARGV[1], 'owner', '00000000-0000-0000-0000-000000000000')
  redis.call('HSET', key, 'ready', 'recorded', 'lease', '1800000000000')
  redis.call('HSET', key, 'status', ARGV[2], 'headers', ARGV[3], 'body', ARGV[4])
  redis.call('HDEL', key, 'ready', 'lease')
  redis.call('HSET', key, 'state', 'recorded')
  redis.call('PEXPIRE', key, 86400000)
end`;
