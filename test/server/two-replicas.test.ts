import pg from 'pg';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventStreamParser } from '../../contract/policies/event-stream.ts';
import { keys } from '../../examples/reference-server/accounts.ts';
import { startReplica, type Replica } from '../../examples/reference-server/replica.ts';
import { postgresBoard, redisBoard } from '../../examples/reference-server/shared-boards.ts';
import { migrate, postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { type Engine, startPostgres, startValkey, withoutEngines } from './engines.ts';

interface Pair {
  readonly replicas: readonly [Replica, Replica];
  readonly dispatches: () => number;
  readonly stop: () => Promise<void>;
}

async function onValkey(engine: Engine): Promise<Pair> {
  let dispatches = 0;
  const open = async () => {
    const client = createClient({ url: engine.url, disableOfflineQueue: true });
    await client.connect();
    const replica = await startReplica({
      ...{ store: redisStore(client), board: await redisBoard(engine.url) },
      onDispatch: () => (dispatches += 1),
    });
    return { client, replica };
  };
  const [first, second] = [await open(), await open()];
  return {
    replicas: [first.replica, second.replica],
    dispatches: () => dispatches,
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
  const open = async () => {
    const pool = new pg.Pool({ connectionString: engine.url, max: 8 });
    pool.on('error', () => undefined);
    await migrate(pool);
    const replica = await startReplica({
      ...{ store: postgresStore(pool), board: await postgresBoard(engine.url, pool) },
      onDispatch: () => (dispatches += 1),
    });
    return { pool, replica };
  };
  const [first, second] = [await open(), await open()];
  return {
    replicas: [first.replica, second.replica],
    dispatches: () => dispatches,
    async stop() {
      for (const { pool, replica } of [first, second]) {
        await replica.stop();
        await pool.end();
      }
    },
  };
}

describe.skipIf(withoutEngines).each([
  ['Valkey', () => startValkey(), onValkey],
  ['PostgreSQL', () => startPostgres(), onPostgres],
] as const)('on %s', (_name, start, open) => {
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
    const statuses = await Promise.all(
      pair.replicas.flatMap((replica) => [submit(replica, 'k'), submit(replica, 'k')]),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
  });
});
