// @module-tag long
import pg from 'pg';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventStreamParser } from '../../contract/policies/event-stream.ts';
import { keys } from '../../examples/reference-server/accounts.ts';
import { startReplica, type Replica } from '../../examples/reference-server/replica.ts';
import { postgresBoard, redisBoard } from '../../examples/reference-server/shared-boards.ts';
import { migrate, postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { type Engine, startPostgres, startValkey } from './engines.ts';

/** The clock of the second replica is so far ahead: what keys are worth, it does not matter for. */
const AHEAD_MS = 48 * 3_600_000;
const HOUR_MS = 3_600_000;

interface Pair {
  readonly replicas: readonly [Replica, Replica];
  /** How long each key is kept, by the engine, in milliseconds. */
  readonly left: () => Promise<readonly number[]>;
  /** Lets the keys that the engine has grow older. */
  readonly age: (ms: number) => Promise<void>;
  readonly dispatches: () => number;
  readonly stop: () => Promise<void>;
}

async function onValkey(engine: Engine): Promise<Pair> {
  let dispatches = 0;
  const open = async (ahead: number) => {
    const client = createClient({ url: engine.url, disableOfflineQueue: true });
    await client.connect();
    const replica = await startReplica({
      ...{ store: redisStore(client), board: await redisBoard(engine.url), now: () => Date.now() + ahead },
      onDispatch: () => (dispatches += 1),
    });
    return { client, replica };
  };
  const [first, second] = [await open(0), await open(AHEAD_MS)];
  const kept = async (): Promise<readonly (readonly [name: string, left: number])[]> => {
    const names = await first.client.keys('tallystick:key:*');
    return Promise.all(names.map(async (name) => [name, await first.client.pTTL(name)] as const));
  };
  return {
    replicas: [first.replica, second.replica],
    dispatches: () => dispatches,
    left: async () => (await kept()).map(([, left]) => left),
    async age(ms) {
      for (const [name, left] of await kept()) await first.client.pExpire(name, left - ms);
    },
    async stop() {
      for (const { client, replica } of [first, second]) {
        await replica.stop();
        client.destroy();
      }
    },
  };
}

async function onPostgres(engine: Engine): Promise<Pair> {
  let dispatches = 0;
  const open = async (ahead: number) => {
    const pool = new pg.Pool({ connectionString: engine.url, max: 8 });
    pool.on('error', () => undefined);
    await migrate(pool);
    const replica = await startReplica({
      ...{ store: postgresStore(pool), board: await postgresBoard(engine.url, pool) },
      now: () => Date.now() + ahead,
      onDispatch: () => (dispatches += 1),
    });
    return { pool, replica };
  };
  const [first, second] = [await open(0), await open(AHEAD_MS)];
  return {
    replicas: [first.replica, second.replica],
    dispatches: () => dispatches,
    async left() {
      const { rows } = await first.pool.query(
        'select extract(epoch from ends_at - clock_timestamp()) * 1000 as ms from tallystick_keys',
      );
      return (rows as { readonly ms: string }[]).map(({ ms }) => Number(ms));
    },
    async age(ms) {
      await first.pool.query("update tallystick_keys set ends_at = ends_at - $1 * interval '1 millisecond'", [
        ms,
      ]);
    },
    async stop() {
      for (const { pool, replica } of [first, second]) {
        await replica.stop();
        await pool.end();
      }
    },
  };
}

describe.each([
  ['Valkey', () => startValkey(), onValkey],
  ['PostgreSQL', () => startPostgres(), onPostgres],
] as const)('on %s', { tags: ['valkey', 'postgres'] }, (_name, start, open) => {
  let engine: Engine;
  let pair: Pair;
  beforeAll(async () => {
    engine = await start();
    pair = await open(engine);
  });
  afterAll(async () => {
    await pair.stop();
    await engine.stop();
  });

  const run = (replica: Replica, key: string): Promise<Response> =>
    fetch(`${replica.url}/v1/models/acme/picture-2.1`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': keys.main, 'Idempotency-Key': key },
      body: '{"prompt":"x"}',
    });

  const submit = (replica: Replica, key: string): Promise<Response> =>
    fetch(`${replica.url}/deployment/reference/api/v2/jobs`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${keys.main}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ graph: { n: { class: 'dot' } } }),
    });

  test('router.idem: of calls with one key at two replicas one runs, and both replay its answer', async () => {
    const before = pair.dispatches();
    const [first, second] = pair.replicas;
    const statuses = (
      await Promise.all([first, second, first, second].map((replica) => run(replica, 'a')))
    ).map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    await expect.poll(async () => (await run(first, 'a')).headers.get('idempotent-replayed')).toBe('true');
    const [one, other] = await Promise.all([run(first, 'a'), run(second, 'a')]);
    expect(await one.text()).toBe(await other.text());
    expect(pair.dispatches() - before).toBe(1);
  });

  test('jobs.sse: a stream at one replica hears of a cancel at the other, and ends', async () => {
    const [first, second] = pair.replicas;
    const base = '/deployment/reference/api/v2/jobs';
    const headers = { Authorization: `Bearer ${keys.main}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ graph: { n: { class: 'brood' } } });
    const job = (await (await fetch(first.url + base, { method: 'POST', headers, body })).json()) as {
      id: string;
    };
    const stream = await fetch(`${second.url}${base}/${job.id}/events`, { headers });
    const parser = eventStreamParser();
    const seen: string[] = [];
    let cancelled = false;
    for await (const chunk of (stream.body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream())) {
      for (const { event, data } of parser.push(chunk)) {
        if (event !== 'status') continue;
        const { status } = JSON.parse(data) as { status: string };
        seen.push(status);
        if (status === 'running' && !cancelled) {
          cancelled = true;
          await fetch(`${first.url}${base}/${job.id}/cancel`, { method: 'POST', headers });
        }
      }
    }
    expect(seen.slice(-2)).toEqual(['canceling', 'canceled']);
    expect(
      ((await (await fetch(`${second.url}${base}/${job.id}`, { headers })).json()) as { status: string })
        .status,
    ).toBe('canceled');
  });

  test('jobs.idem: a key that was used at one replica is used at the other', async () => {
    const statuses = await Promise.all(
      pair.replicas.flatMap((replica) => [submit(replica, 'k'), submit(replica, 'k')]),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
  });

  test('router.idem.record-24h, jobs.idem.expires-24h: a key is kept for a day by the clock of the engine, for replicas with any clock', async () => {
    const [first, second] = pair.replicas;
    await pair.age(2 * 24 * HOUR_MS);
    const before = pair.dispatches();
    const answer = await (await run(first, 'day')).text();
    await expect.poll(async () => (await run(first, 'day')).headers.get('idempotent-replayed')).toBe('true');
    expect((await submit(first, 'day')).status).toBe(201);
    // Two days ahead, by its own clock.
    const replay = await run(second, 'day');
    expect([await replay.text(), replay.headers.get('idempotent-replayed')]).toEqual([answer, 'true']);
    expect((await submit(second, 'day')).status).toBe(422);
    const left = (await pair.left()).filter((ms) => ms > 0);
    // The key of the run, its charge, and the key of the job.
    expect(left).toHaveLength(3);
    for (const ms of left) expect(ms > 23 * HOUR_MS && ms <= 24 * HOUR_MS).toBe(true);

    await pair.age(23 * HOUR_MS);
    for (const replica of pair.replicas) {
      expect((await run(replica, 'day')).headers.get('idempotent-replayed')).toBe('true');
      expect((await submit(replica, 'day')).status).toBe(422);
    }
    expect(pair.dispatches() - before).toBe(1);
    await pair.age(HOUR_MS);
    const fresh = await run(first, 'day');
    expect([fresh.status, fresh.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect((await submit(first, 'day')).status).toBe(201);
    expect(pair.dispatches() - before).toBe(2);
  });
});
