// @module-tag long
import pg from 'pg';
import { createClient } from 'redis';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../server/postgres.ts';
import { startPostgres, startValkey } from './engines.ts';
import { losingMemory, losingPostgres, losingRedis } from './losing-stores.ts';
import { type LosingStore, runCourses } from './lost-records.ts';

/** `npm run soak -- lost-records` runs 100,000 on each engine. */
async function keepsTheLaw(store: LosingStore): Promise<void> {
  const { broken, seen } = await runCourses(store, { numRuns: 500, seed: 43, atOnce: 100 });
  expect(broken).toStrictEqual([]);
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
}

test(
  'router.idem.charged-once: on Valkey, lost records and pauses charge no key twice and give none two answers',
  { tags: ['valkey'] },
  async () => {
    const engine = await startValkey();
    const [one, other] = await Promise.all([
      createClient({ url: engine.url }).connect(),
      createClient({ url: engine.url }).connect(),
    ]);
    onTestFinished(async () => {
      for (const client of [one, other]) client.destroy();
      await engine.stop();
    });
    await keepsTheLaw(losingRedis([one, other]));
  },
);

test(
  'router.idem.charged-once: on PostgreSQL, lost records and pauses charge no key twice and give none two answers',
  { tags: ['postgres'] },
  async () => {
    const engine = await startPostgres();
    const pool = new pg.Pool({ connectionString: engine.url, max: 12 });
    // Idle connections end with the engine.
    pool.on('error', () => undefined);
    onTestFinished(async () => {
      await pool.end();
      await engine.stop();
    });
    await migrate(pool);
    await keepsTheLaw(losingPostgres(pool));
  },
);

test('router.idem.charged-once: in memory, lost records and pauses charge no key twice and give none two answers', async () => {
  await keepsTheLaw(losingMemory());
});
