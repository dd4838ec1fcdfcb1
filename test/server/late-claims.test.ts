import pg from 'pg';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../engine/store.ts';
import { nameOf } from '../../server/names.ts';
import { migrate, type PostgresClient, postgresStore, sweep } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { type Engine, startPostgres, startValkey } from './engines.ts';
import { until } from '../until.ts';

const DAY_MS = 86_400_000;

/**
 * A line on which commands wait: to the client the first one of its kind is lost, and it arrives when it is let go, after
 * all that was sent meanwhile.
 */
function slowLine<Command>(
  send: (command: Command) => Promise<unknown>,
  isHeld: (command: Command) => boolean,
) {
  const waiting: (() => Promise<unknown>)[] = [];
  const arrived: Command[] = [];
  return {
    arrived,
    async send(command: Command): Promise<unknown> {
      if (waiting.length === 0 && isHeld(command)) {
        waiting.push(() => send(command));
        throw new Error('the line broke');
      }
      const answer = await send(command);
      arrived.push(command);
      return answer;
    },
    letGo: () => Promise.all(waiting.map((go) => go().catch(() => undefined))),
  };
}

/** Sends commands, and loses the answer to the next claim, which arrives nevertheless. */
function losingAnswers<Command, Answer>(
  send: (command: Command) => Promise<Answer>,
  isClaim: (command: Command) => boolean,
) {
  let isLosing = false;
  let given = 0;
  return {
    loseNext: () => {
      isLosing = true;
    },
    /** How many commands were answered after the lost one. */
    after: () => given,
    async send(command: Command): Promise<Answer> {
      const answer = await send(command);
      if (isLosing && isClaim(command)) {
        isLosing = false;
        given = 0;
        throw new Error('the answer is lost');
      }
      given += 1;
      return answer;
    },
  };
}

/** A claim on a parked key whose answer is lost. What is claimed next is the same work, and not a new one. */
async function parkedThenLost(
  store: Store,
  line: { readonly loseNext: () => void; readonly after: () => number },
) {
  const scope = 'parked, then lost';
  const first = await store.claim(scope, 'a', 'h', DAY_MS);
  if (first.state !== 'new') throw new Error(first.state);
  await store.park(first.fence, DAY_MS);
  line.loseNext();
  await expect(store.claim(scope, 'a', 'h', DAY_MS)).rejects.toThrow('the answer is lost');
  await until('it is given back', () => line.after() > 0);
  const next = await store.claim(scope, 'a', 'h', DAY_MS);
  expect(next).toMatchObject({ state: 'new', collecting: true });
  if (next.state === 'new') await store.release(next.fence);
  expect(await store.claim(scope, 'a', 'h', DAY_MS)).toMatchObject({ state: 'new', collecting: false });
}

describe('what arrives after it was given back does not last', { tags: ['valkey', 'postgres'] }, () => {
  describe('on Valkey', () => {
    let engine: Engine;
    let client: ReturnType<typeof createClient>;
    beforeAll(async () => {
      engine = await startValkey();
      client = createClient({ url: engine.url });
      await client.connect();
      const store = redisStore(client);
      // From here on the engine knows the scripts, so that each command is sent once.
      const warm = await store.claim('warm', 'a', 'h', DAY_MS);
      if (warm.state === 'new') await store.release(warm.fence);
      const entry = await store.enter('warm', 0, {}, DAY_MS);
      if (entry.admitted) await store.leave(entry.ticket);
    });
    afterAll(async () => {
      client.destroy();
      await engine.stop();
    });
    const lineFor = (isHeld: (command: string[]) => boolean) =>
      slowLine((command: string[]) => client.sendCommand(command), isHeld);

    test('a claim: its key is free', async () => {
      const line = lineFor(() => true);
      const store = redisStore({ sendCommand: line.send }, { acceptEviction: true });
      await expect(store.claim('late', 'a', 'h', DAY_MS)).rejects.toThrow('the line broke');
      await until('what gives it back has arrived', () => line.arrived.length > 0);
      await line.letGo();
      expect((await store.claim('late', 'a', 'h', DAY_MS)).state).toBe('new');
    });

    test('a claim on a parked key: its work is collected still', async () => {
      const line = losingAnswers(
        (command: string[]) => client.sendCommand(command),
        ([name = '']) => name.startsWith('EVAL'),
      );
      await parkedThenLost(redisStore({ sendCommand: line.send }, { acceptEviction: true }), line);
    });

    test('an entry: its place is free', async () => {
      const line = lineFor(() => true);
      const store = redisStore({ sendCommand: line.send }, { acceptEviction: true });
      const enter = () => store.enter('late', 0, { calls: 1 }, DAY_MS);
      await expect(enter()).rejects.toThrow('the line broke');
      await until('what gives it back has arrived', () => line.arrived.length > 0);
      await line.letGo();
      expect((await enter()).admitted).toBe(true);
    });
  });

  describe('on PostgreSQL', () => {
    let engine: Engine;
    let pool: pg.Pool;
    beforeAll(async () => {
      engine = await startPostgres();
      pool = new pg.Pool({ connectionString: engine.url, max: 8 });
      pool.on('error', () => undefined);
      await migrate(pool);
    });
    afterAll(async () => {
      await pool.end();
      await engine.stop();
    });

    test.each([
      ['a claim', 'tallystick_claim'],
      ['an entry', 'tallystick_admit'],
    ])('%s that waits on the line: its place is free', async (what, procedure) => {
      const line = slowLine(
        ([text, values]: [string, unknown[]]) => pool.query(text, values),
        ([text]) => /^(call|insert|select \* from)/.test(text),
      );
      const query: PostgresClient['query'] = (text, values) =>
        line.send([text, values ?? []]) as ReturnType<PostgresClient['query']>;
      const store = postgresStore({ query });
      const take = async (): Promise<boolean> =>
        procedure === 'tallystick_claim'
          ? (await store.claim(what, 'a', 'h', DAY_MS)).state === 'new'
          : (await store.enter(what, 0, { calls: 1 }, DAY_MS)).admitted;
      await expect(take()).rejects.toThrow('the line broke');
      await until('what gives it back has arrived', () => line.arrived.length > 0);
      await line.letGo();
      expect(await take()).toBe(true);
    });

    test('a claim on a parked key: its work is collected still', async () => {
      const line = losingAnswers(
        ([text, values]: [string, unknown[]]) => pool.query(text, values),
        ([text]) => text.includes('tallystick_claim'),
      );
      const query: PostgresClient['query'] = (text, values) => line.send([text, values ?? []]);
      await parkedThenLost(postgresStore({ query }), line);
    });

    test('a claim that waits in the engine for the end of another one: its key is free', async () => {
      // Another process is about to take the key, and does not in the end.
      const other = await pool.connect();
      await other.query('begin');
      await other.query(
        "insert into tallystick_keys (name, state, body_hash, ends_at) values ($1, 'consumed', 'h', now())",
        [nameOf('waits', 'a')],
      );
      const impatient = new pg.Pool({ connectionString: engine.url, max: 4, query_timeout: 500 });
      impatient.on('error', () => undefined);
      let answers = 0;
      const query = (text: string, values?: unknown[]) =>
        impatient.query(text, values).finally(() => {
          answers += 1;
        });
      const claim = postgresStore({ query }).claim('waits', 'a', 'h', DAY_MS);
      await expect(claim).rejects.toThrow('timeout');
      // It has been given back at least once, while it waited.
      await until('it is given back', () => answers > 1);
      await other.query('rollback');
      other.release();
      const store = postgresStore(pool);
      const isDone = async (): Promise<boolean> => {
        const { rows } = await pool.query<{ busy: boolean }>(
          `select exists (select from pg_stat_activity where state = 'active' and query like '%tallystick%' and pid <> pg_backend_pid()) as busy`,
        );
        return rows[0]?.busy === false;
      };
      await until('the engine has ended the claim', isDone);
      await expect.poll(async () => (await store.claim('waits', 'a', 'h', DAY_MS)).state).toBe('new');
      await impatient.end();
    });

    test('the sweeper removes the records of released claims', async () => {
      const { rows } = await pool.query<{ count: number }>(
        "update tallystick_given_back set ends_at = now() - interval '1 second' returning 1 as count",
      );
      expect(rows.length).toBeGreaterThan(0);
      await sweep(pool);
      const left = await pool.query<{ count: number }>(
        'select count(*)::int as count from tallystick_given_back',
      );
      expect(left.rows[0]?.count).toBe(0);
    });
  });
});
