// @module-tag long
import { Redis } from 'ioredis';
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, test } from 'vitest';
import { migrate, postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { countedRouter } from './counted-router.ts';
import { startPostgres, startValkey } from './engines.ts';
import { type Forwarder, forward } from './forwarder.ts';

/** An engine behind an address that can be cut off, and a store that goes through it. */
interface Cuttable {
  readonly store: ReturnType<typeof redisStore>;
  readonly through: Forwarder;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

async function cuttableValkey(): Promise<Cuttable> {
  const { port, stop } = await startValkey();
  const through = await forward(port);
  const client = createClient({
    url: `redis://127.0.0.1:${String(through.port)}`,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: 20 },
  });
  client.on('error', () => undefined);
  await client.connect();
  return {
    ...{ store: redisStore(client), through, port },
    async stop() {
      client.destroy();
      await through.stop();
      await stop();
    },
  };
}

async function cuttablePostgres(): Promise<Cuttable> {
  const { port, stop } = await startPostgres();
  const through = await forward(port);
  const pool = new pg.Pool({
    connectionString: `postgres://postgres@127.0.0.1:${String(through.port)}/postgres`,
  });
  pool.on('error', () => undefined);
  await migrate(pool);
  return {
    ...{ store: postgresStore(pool), through, port },
    async stop() {
      await pool.end();
      await through.stop();
      await stop();
    },
  };
}

describe('an engine whose connections break', { tags: ['valkey', 'postgres'] }, () => {
  const engines = [
    ['Valkey', cuttableValkey],
    ['PostgreSQL', cuttablePostgres],
  ] as const;

  test.each(engines)(
    '%s: a claim whose answer got lost is given back, long before its lease ends',
    async (_name, open) => {
      const { store, through, port, stop } = await open();
      try {
        const { run, runs } = countedRouter(store, { leaseMs: 600_000, storeTimeoutMs: 5_000 });
        expect((await run('before')).status).toBe(200);
        through.swallowAnswers();
        const refused = await run('a');
        expect([refused.status, refused.headers.get('x-service-error-type')]).toStrictEqual([
          ...[503, 'service_unavailable'],
        ]);
        expect(runs('a')).toBe(0);
        through.lead(port);
        await expect.poll(async () => (await run('a')).status).toBe(200);
        expect(runs('a')).toBe(1);
      } finally {
        await stop();
      }
    },
  );

  test.each(engines)(
    '%s: capacity is given back, whether its entry got lost or its end',
    async (_name, open) => {
      const { store, through, port, stop } = await open();
      const enter = () => store.enter('scope', 0, { calls: 1 }, 600_000);
      try {
        await store.claim('scope', 'before', 'hash', 60_000);
        through.swallowAnswers();
        await expect(enter()).rejects.toThrow();
        through.lead(port);
        let ticket = '';
        const admitted = async (): Promise<boolean> => {
          const entry = await enter().catch(() => undefined);
          if (entry?.admitted === true) ({ ticket } = entry);
          return entry?.admitted === true;
        };
        await expect.poll(admitted).toBe(true);
        through.cut();
        await expect(store.leave(ticket)).rejects.toThrow();
        through.lead(port);
        await expect.poll(admitted).toBe(true);
      } finally {
        await stop();
      }
    },
  );

  test('Valkey: a client that sends a claim again by itself gets the claim that it made', async () => {
    const engine = await startValkey();
    const through = await forward(engine.port);
    const client = new Redis(through.port, '127.0.0.1', { retryStrategy: () => 20 });
    client.on('error', () => undefined);
    try {
      const store = redisStore(client);
      await store.claim('scope', 'before', 'hash', 60_000);
      through.swallowAnswers();
      const claim = store.claim('scope', 'a', 'hash', 60_000);
      await new Promise((resolve) => client.once('close', resolve));
      through.lead(engine.port);
      expect(await claim).toMatchObject({ state: 'new', collecting: false });
      expect(await store.claim('scope', 'a', 'hash', 60_000)).toMatchObject({ state: 'inFlight' });
    } finally {
      client.disconnect();
      await through.stop();
      await engine.stop();
    }
  });
});
