/**
 * `npm run soak -- lost-records [--courses N] [--seed N]`: 100,000 courses of calls on each engine, with records of keys that
 * are lost and calls that pause at random. No key is charged twice, and none has two answers.
 */
import pg from 'pg';
import { createClient } from 'redis';
import { migrate } from '../../server/postgres.ts';
import { commandLine } from '../command-line.ts';
import { startPostgres, startValkey } from '../server/engines.ts';
import { losingPostgres, losingRedis } from '../server/losing-stores.ts';
import { type LosingStore, runCourses } from '../server/lost-records.ts';

const { values } = commandLine(import.meta.url, {
  options: {
    courses: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    write: { type: 'boolean' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const EACH = 2_000;

let isGood = true;
async function judge(name: string, store: LosingStore): Promise<void> {
  const total = Number(values.courses);
  const sum = { charged: 0, replayed: 0, usedUp: 0, keyLost: 0 };
  for (let done = 0; done < total; done += EACH) {
    const numRuns = Math.min(EACH, total - done);
    const { broken, seen } = await runCourses(store, { numRuns, seed: seed + done, atOnce: 200 });
    for (const what of ['charged', 'replayed', 'usedUp', 'keyLost'] as const) sum[what] += seen[what];
    for (const says of broken) process.stdout.write(`✖ ${name}: ${says}\n`);
    isGood &&= broken.length === 0;
  }
  process.stdout.write(
    `${name}, seed ${String(seed)}: ${String(total)} courses, ${String(sum.charged)} keys charged, ${String(sum.replayed)} answers replayed, ${String(sum.usedUp)} keys used up with an unknown outcome, ${String(sum.keyLost)} calls lost their key\n`,
  );
}

const valkey = await startValkey();
const clients = await Promise.all([
  createClient({ url: valkey.url }).connect(),
  createClient({ url: valkey.url }).connect(),
]);
await judge('Valkey or Redis', losingRedis([clients[0], clients[1]]));
for (const client of clients) client.destroy();
await valkey.stop();

const postgres = await startPostgres();
const pool = new pg.Pool({ connectionString: postgres.url, max: 12 });
// Idle connections end with the engine.
pool.on('error', () => undefined);
await migrate(pool);
await judge('PostgreSQL', losingPostgres(pool));
await pool.end();
await postgres.stop();
process.exitCode = isGood ? 0 : 1;
