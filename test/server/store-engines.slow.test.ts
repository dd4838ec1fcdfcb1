import { Redis } from 'ioredis';
import pg from 'pg';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate, postgresStore, postgresWarnings, sweep } from '../../server/postgres.ts';
import type { Claim } from '../../engine/store.ts';
import { redisStore, type RedisStoreOptions, redisWarnings } from '../../server/redis.ts';
import { storeTests, type StoreUnderTest } from '../../server/store-tests.ts';
import { countedRouter } from './counted-router.ts';
import { type Engine, startPostgres, startValkey } from './engines.ts';
import { pause, until } from '../until.ts';

/** All tests of a store run at once, so that waiting costs little, and a busy machine has its time. */
const shortMs = 1_000;

describe('on Valkey', { tags: 'valkey' }, () => {
  let engine: Engine;
  let clients: { sendCommand(command: string[]): Promise<unknown>; destroy(): void }[];
  let other: Redis;
  beforeAll(async () => {
    engine = await startValkey();
    clients = await Promise.all(
      [0, 1].map(async () => {
        const client = createClient({ url: engine.url, disableOfflineQueue: true });
        await client.connect();
        return client;
      }),
    );
    other = new Redis(engine.port, '127.0.0.1', { enableOfflineQueue: true });
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    other.disconnect();
    await engine.stop();
  });
  const open = (): StoreUnderTest => {
    const [first, ...more] = [...clients, other].map((client) => redisStore(client));
    if (first === undefined) throw new Error('no client');
    return { replicas: [first, ...more], wait: pause, shortMs };
  };
  for (const { name, run } of storeTests(open)) test.concurrent(name, run);

  test.each(['allkeys-lru', 'volatile-ttl'])(
    'an engine that evicts by %s gets no claims, unless told',
    async (policy) => {
      const evicting = await startValkey(['--maxmemory', '64mb', '--maxmemory-policy', policy]);
      const client = await createClient({ url: evicting.url, disableOfflineQueue: true }).connect();
      onTestFinished(async () => {
        client.destroy();
        await evicting.stop();
      });
      const claim = (options?: RedisStoreOptions): Promise<Claim> =>
        redisStore(client, options).claim('scope', 'key', 'hash', 60_000);
      await expect(claim()).rejects.toThrow(`maxmemory-policy ${policy}`);
      expect(await client.dbSize()).toBe(0);
      const refused = redisStore(client);
      await expect(refused.claim('scope', 'key', 'hash', 60_000)).rejects.toThrow('acceptEviction');
      expect(await claim({ acceptEviction: true })).toMatchObject({ state: 'new' });
      await client.sendCommand(['CONFIG', 'SET', 'maxmemory-policy', 'noeviction']);
      // The store asks again when it has refused for a second.
      await expect
        .poll(() => refused.claim('scope', 'other', 'hash', 60_000).catch(String), { timeout: 10_000 })
        .toMatchObject({ state: 'new' });
    },
  );

  test('settings that would lose records are reported', async () => {
    const [client] = clients;
    if (client === undefined) throw new Error('no client');
    for (const fsync of ['everysec', 'no']) {
      await client.sendCommand(['CONFIG', 'SET', 'appendfsync', fsync]);
      expect(await redisWarnings(client)).toEqual([expect.stringContaining(`appendfsync is ${fsync}`)]);
    }
    await client.sendCommand(['CONFIG', 'SET', 'appendfsync', 'always']);
    expect(await redisWarnings(client)).toEqual([]);
    await client.sendCommand(['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru']);
    await client.sendCommand(['CONFIG', 'SET', 'appendonly', 'no']);
    expect(await redisWarnings(client)).toEqual([
      expect.stringContaining('maxmemory-policy is allkeys-lru'),
      expect.stringContaining('appendonly is off'),
    ]);
    expect(await redisWarnings(other)).toHaveLength(2);
    const replicated = {
      sendCommand: ([name]: string[]) =>
        Promise.resolve(
          name === 'INFO'
            ? 'role:master\r\nconnected_slaves:2\r\n'
            : { appendonly: 'yes', appendfsync: 'everysec', 'maxmemory-policy': 'noeviction' },
        ),
    };
    expect(await redisWarnings(replicated, { replicas: 2 })).toEqual([]);
    expect(await redisWarnings(replicated, { replicas: 1 })).toEqual([
      expect.stringContaining('waits for 1 of 2 replicas'),
    ]);
  });
});

describe('on PostgreSQL', { tags: 'postgres' }, () => {
  let engine: Engine;
  let pool: pg.Pool;
  beforeAll(async () => {
    engine = await startPostgres();
    pool = new pg.Pool({ connectionString: engine.url, max: 12 });
    // Idle connections end with the engine.
    pool.on('error', () => undefined);
    await Promise.all([migrate(pool), migrate(pool)]);
  });
  afterAll(async () => {
    await pool.end();
    await engine.stop();
  });
  const open = (): StoreUnderTest => ({
    replicas: [postgresStore(pool), postgresStore(pool)],
    ...{ wait: pause, shortMs },
  });
  for (const { name, run } of storeTests(open)) test.concurrent(name, run);

  test('a sweep removes expired records in batches, and nothing else', async () => {
    const store = postgresStore(pool);
    const expired = Array.from({ length: 25 }, (_, index) => store.claim('swept', String(index), 'h', 1));
    await Promise.all(expired);
    await store.claim('kept', 'a', 'h', 60_000);
    let swept = 0;
    await until('all of them are swept', async () => (swept += await sweep(pool, 10)) >= 25);
    expect(await sweep(pool)).toBe(0);
    expect((await store.claim('kept', 'a', 'h', 60_000)).state).toBe('inFlight');
  });

  test('a pool without a connection left: 503 with its bucket, and nothing was begun', async () => {
    const small = new pg.Pool({ connectionString: engine.url, max: 2, connectionTimeoutMillis: 100 });
    small.on('error', () => undefined);
    const { run, runs } = countedRouter(postgresStore(small), { leaseMs: 600_000, storeTimeoutMs: 5_000 });
    const taken: pg.PoolClient[] = [];
    await until('each connection is taken', async () => {
      await small.connect().then(
        (client) => void taken.push(client),
        () => undefined,
      );
      return taken.length === 2;
    });
    const refused = await run('a');
    expect([refused.status, refused.headers.get('x-service-error-type')]).toStrictEqual([
      ...[503, 'service_unavailable'],
    ]);
    expect(runs()).toBe(0);
    for (const each of taken) each.release();
    expect((await run('a')).status).toBe(200);
    await small.end();
  });

  test('a sweep goes by the index: it does not read what is to stay', async () => {
    await pool.query(
      `insert into tallystick_keys (name, state, body_hash, ends_at)
       select 'stays ' || n, 'consumed', '', now() + interval '1 day' from generate_series(1, 20000) n`,
    );
    await pool.query('analyze tallystick_keys, tallystick_tickets');
    const plans: string[] = [];
    await sweep({
      async query(text, values) {
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return { rows: [] };
      },
    });
    expect(plans[0]).toMatch(/Index Scan using tallystick_keys_ends_at/);
    expect(plans[0]).not.toContain('Seq Scan');
    await pool.query("delete from tallystick_keys where name like 'stays %'");
  });

  test('settings that would lose records are reported', async () => {
    expect(await postgresWarnings(pool)).toEqual([expect.stringContaining('fsync is off')]);
    const replicated = { standbys: '*', replicas: 1, fsync: 'on' };
    for (const [commit, told] of [
      ['on', []],
      ['remote_apply', []],
      ['local', [expect.stringContaining('synchronous_commit is local')]],
      ['remote_write', [expect.stringContaining('synchronous_commit is remote_write')]],
    ]) {
      const query = async (text: string, values?: unknown[]) => {
        const { rows } = await pool.query<object>(text, values);
        return { rows: text.includes("'fsync'") ? [{ ...rows[0], ...replicated, commit }] : rows };
      };
      expect(await postgresWarnings({ query })).toEqual(told);
    }
  });
});
