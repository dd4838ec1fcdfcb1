// @module-tag long
import pg from 'pg';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate, postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { countedRouter, type CountedRouter } from './counted-router.ts';
import { startPostgres, startValkey } from './engines.ts';

/** An engine that can be filled up to its limit, and emptied again. */
interface Fillable {
  readonly router: (work?: () => Promise<void>) => CountedRouter;
  readonly fill: () => Promise<void>;
  readonly free: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Whether it takes the end of what was begun although it is full. */
  readonly takesEnds: boolean;
}

const MIB = 1_048_576;
/** It takes a while to fill an engine. */
const patient = { storeTimeoutMs: 5_000, deadlineMs: 60_000, leaseMs: 120_000 };

async function fillableValkey(): Promise<Fillable> {
  const engine = await startValkey(['--maxmemory', '6mb', '--maxmemory-policy', 'noeviction']);
  const client = createClient({ url: engine.url, disableOfflineQueue: true });
  await client.connect();
  return {
    takesEnds: true,
    router: (work) => countedRouter(redisStore(client), { ...patient, ...(work && { work }) }),
    async fill() {
      // What a script has begun, the engine lets it finish.
      await client.eval(
        "for each = 1, 64 do redis.call('HSET', 'ballast', each, string.rep('x', 131072)) end",
      );
      await expect(client.set('more', 'x')).rejects.toThrow(/^OOM/);
    },
    async free() {
      await client.del('ballast');
    },
    async stop() {
      client.destroy();
      await engine.stop();
    },
  };
}

async function fillablePostgres(): Promise<Fillable> {
  const engine = await startPostgres({ fileBytes: 17 * MIB, settings: ['autovacuum=off'] });
  const pool = new pg.Pool({ connectionString: engine.url, max: 8 });
  pool.on('error', () => undefined);
  await migrate(pool);
  const insert = (rows: number, bytes: number): Promise<unknown> =>
    pool.query(
      `insert into tallystick_keys (name, state, body_hash, ends_at)
       select 'ballast' || gen_random_uuid(), 'consumed', repeat('x', $2), now() + interval '1 day' from generate_series(1, $1)`,
      [rows, bytes],
    );
  return {
    takesEnds: false,
    router: (work) => countedRouter(postgresStore(pool), { ...patient, ...(work && { work }) }),
    async fill() {
      for (const [rows, bytes] of [
        [500, 1_900],
        [1, 1_900],
        [1, 60],
      ] as const) {
        for (;;) {
          const refused = await insert(rows, bytes).then(
            () => undefined,
            (error: unknown) => String(error),
          );
          if (refused === undefined) continue;
          expect(refused).toContain('could not extend file');
          break;
        }
      }
    },
    async free() {
      await pool.query(`delete from tallystick_keys where name like 'ballast%'`);
      await pool.query('vacuum tallystick_keys');
    },
    async stop() {
      await pool.end();
      await engine.stop();
    },
  };
}

describe.each([
  ['Valkey, its memory', fillableValkey],
  ['PostgreSQL, its disk', fillablePostgres],
] as const)('a full engine: %s', { tags: ['valkey', 'postgres'] }, (_name, start) => {
  let engine: Fillable;
  beforeEach(async () => {
    engine = await start();
  });
  afterEach(() => engine.stop());

  test('refuses what is new with the documented answer and begins nothing, replays what it has, and continues when there is room', async () => {
    const { run, runs, findings } = engine.router();
    const { text } = await run('before');
    await expect.poll(async () => (await run('before')).headers.get('idempotent-replayed')).toBe('true');
    await engine.fill();
    findings.length = 0;
    for (const key of ['a', 'b', 'a']) {
      const refused = await run(key);
      expect([refused.status, refused.headers.get('x-service-error-type')]).toStrictEqual([
        ...[503, 'service_unavailable'],
      ]);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('x-service-request-id')).not.toBeNull();
    }
    expect(findings).toStrictEqual(['store', 'answered', 'store', 'answered', 'store', 'answered']);
    expect((await run('before')).text).toBe(text);
    expect(runs()).toBe(1);
    await engine.free();
    expect([(await run('a')).status, (await run('b')).status]).toStrictEqual([200, 200]);
    expect([runs('before'), runs('a'), runs('b')]).toStrictEqual([1, 1, 1]);
  });

  test('that fills up while a call runs: its answer leaves, and is recorded at once or when there is room; it does not run twice', async () => {
    const { run, runs, findings } = engine.router(engine.fill);
    const call = run('c');
    await expect.poll(() => findings).toContain('answered');
    if (engine.takesEnds) {
      await call;
      expect(findings).toStrictEqual(['answered']);
    } else {
      const meanwhile = await run('c');
      expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toStrictEqual([409, '1']);
    }
    await engine.free();
    const { text, status } = await call;
    expect(status).toBe(200);
    await expect.poll(async () => (await run('c')).text).toBe(text);
    expect(runs()).toBe(1);
  });
});
