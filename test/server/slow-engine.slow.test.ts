// @module-tag long
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../server/index.ts';
import { migrate, postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { countedRouter } from './counted-router.ts';
import { startPostgres, startValkey } from './engines.ts';
import { type Forwarder, forward } from './forwarder.ts';

interface SlowEngine {
  /** Through a line on which answers can be late. */
  readonly slow: Store;
  readonly fast: Store;
  readonly line: Forwarder;
  /** Forgets all keys, as a failover can. */
  readonly forget: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

async function slowValkey(): Promise<SlowEngine> {
  const engine = await startValkey();
  const line = await forward(engine.port);
  const opened = async (port: number) => {
    const client = createClient({ url: `redis://127.0.0.1:${String(port)}` });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const [near, far] = [await opened(engine.port), await opened(line.port)];
  return {
    ...{ slow: redisStore(far), fast: redisStore(near), line },
    forget: () => near.flushAll(),
    async stop() {
      for (const client of [near, far]) client.destroy();
      await line.stop();
      await engine.stop();
    },
  };
}

async function slowPostgres(): Promise<SlowEngine> {
  const engine = await startPostgres();
  const line = await forward(engine.port);
  const opened = (port: number): pg.Pool => {
    const url = `postgres://postgres@127.0.0.1:${String(port)}/postgres`;
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    pool.on('error', () => undefined);
    return pool;
  };
  const [near, far] = [opened(engine.port), opened(line.port)];
  await migrate(near);
  return {
    ...{ slow: postgresStore(far), fast: postgresStore(near), line },
    forget: () => near.query('truncate tallystick_keys'),
    async stop() {
      await line.stop();
      await Promise.all([near.end(), far.end()]);
      await engine.stop();
    },
  };
}

describe.each([
  ['Valkey', slowValkey],
  ['PostgreSQL', slowPostgres],
] as const)('a slow engine: %s', { tags: ['valkey', 'postgres'] }, (_name, open) => {
  /** The call of the slow replica runs until it is released; others end at once. */
  const routers = ({ slow, fast }: SlowEngine, storeTimeoutMs: number, deadlineMs = 30_000) => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const leaseMs = deadlineMs + 1.5 * (storeTimeoutMs + 1_000);
    const options = { deadlineMs, leaseMs, storeTimeoutMs };
    const work = (key: string): Promise<void> => (key === 'a' ? held : Promise.resolve());
    return {
      finish: () => {
        finish();
      },
      late: countedRouter(slow, { ...options, work }),
      other: countedRouter(fast, options),
    };
  };

  test('whose answers are late, and not too late: the key runs once, and both callers get one answer', async () => {
    const engine = await open();
    try {
      const { late, other, finish } = routers(engine, 4_000);
      await late.run('warm');
      engine.line.delayAnswers(600);
      const answering = late.run('a');
      await expect.poll(() => late.runs('a')).toBe(1);
      expect((await other.run('a')).status).toBe(409);
      finish();
      const { status, text } = await answering;
      expect(status).toBe(200);
      await expect.poll(async () => (await other.run('a')).text).toBe(text);
      expect([late.runs('a'), other.runs('a')]).toStrictEqual([1, 0]);
      expect([...late.findings, ...other.findings]).not.toContain('lost');
    } finally {
      await engine.stop();
    }
  });

  test('whose answer to a claim is too late: nothing was begun, and the key is given back', async () => {
    const engine = await open();
    try {
      const { late, other } = routers(engine, 500);
      await late.run('warm');
      engine.line.delayAnswers(1_500);
      expect((await late.run('b')).status).toBe(503);
      await expect.poll(async () => (await other.run('b')).status).toBe(200);
      expect([late.runs('b'), other.runs('b')]).toStrictEqual([0, 1]);
    } finally {
      await engine.stop();
    }
  });

  test('that forgets a claim: its call is ended without an answer of its own, and the next one runs', async () => {
    const engine = await open();
    try {
      const { late, other, finish } = routers(engine, 500, 10_000);
      const answering = late.run('a');
      await expect.poll(() => late.runs('a')).toBe(1);
      await engine.forget();
      const { status, text } = await other.run('a');
      expect(status).toBe(200);
      expect((await answering).status).toBe(503);
      expect(late.findings).toContain('lost');
      finish();
      await expect.poll(async () => (await late.run('a')).text).toBe(text);
    } finally {
      await engine.stop();
    }
  });
});
