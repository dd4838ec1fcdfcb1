// @module-tag long
import { Redis } from 'ioredis';
import pg from 'pg';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { storeTests } from '../../server/store-tests.ts';
import { type Engine, startPostgres, startValkey } from './engines.ts';
import { forward } from './forwarder.ts';
import { pause } from '../until.ts';

/**
 * A client sends a command again when it heard no answer to it. So the law: each command sent twice has the effect of
 * once, and the second answer says what the first one said.
 */
function twice<Given extends unknown[], Answer>(
  send: (...given: Given) => Promise<Answer>,
): (...given: Given) => Promise<Answer> {
  return async (...given) => {
    await send(...given);
    return send(...given);
  };
}

const given = { wait: pause, shortMs: 1_500 };

describe('each command sent twice has the effect of once', { tags: ['valkey', 'postgres'] }, () => {
  describe('on Valkey', () => {
    let engine: Engine;
    let client: ReturnType<typeof createClient>;
    let other: Redis;
    beforeAll(async () => {
      engine = await startValkey();
      client = createClient({ url: engine.url });
      await client.connect();
      other = new Redis(engine.port, '127.0.0.1');
    });
    afterAll(async () => {
      client.destroy();
      other.disconnect();
      await engine.stop();
    });
    for (const { name, run } of storeTests(() => ({
      replicas: [
        redisStore({ sendCommand: twice((command: string[]) => client.sendCommand(command)) }),
        redisStore({ call: twice((command: string, ...parts: string[]) => other.call(command, ...parts)) }),
      ],
      ...given,
    })))
      test.concurrent(name, run);

    test('a client that sends an entry again by itself is admitted, and holds one place', async () => {
      const through = await forward(engine.port);
      const resending = new Redis(through.port, '127.0.0.1', { retryStrategy: () => 20 });
      resending.on('error', () => undefined);
      try {
        const store = redisStore(resending);
        const enter = () => store.enter('resent', 0, { calls: 1 }, 60_000);
        await store.claim('resent', 'before', 'hash', 60_000);
        through.swallowAnswers();
        const entering = enter();
        await new Promise((resolve) => resending.once('close', resolve));
        through.lead(engine.port);
        const entry = await entering;
        if (!entry.admitted) throw new Error('the entry refused itself');
        expect((await enter()).admitted).toBe(false);
        await store.leave(entry.ticket);
        expect((await enter()).admitted).toBe(true);
      } finally {
        resending.disconnect();
        await through.stop();
      }
    });
  });

  describe('on PostgreSQL', () => {
    let engine: Engine;
    let pool: pg.Pool;
    beforeAll(async () => {
      engine = await startPostgres();
      pool = new pg.Pool({ connectionString: engine.url, max: 12 });
      pool.on('error', () => undefined);
      await migrate(pool);
    });
    afterAll(async () => {
      await pool.end();
      await engine.stop();
    });
    const query = twice((text: string, values?: unknown[]) => pool.query(text, values));
    for (const { name, run } of storeTests(() => ({
      replicas: [postgresStore({ query }), postgresStore({ query })],
      ...given,
    })))
      test.concurrent(name, run);
  });
});
