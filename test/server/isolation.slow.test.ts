// @module-tag long
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate, postgresStore, type PostgresClient } from '../../server/postgres.ts';
import { storeTests } from '../../server/store-tests.ts';
import { type Engine, startPostgres } from './engines.ts';
import { pause } from '../until.ts';

const LEASE_MS = 60_000;

describe('PostgreSQL, where the default of transactions is', { tags: 'postgres' }, () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startPostgres();
  });
  afterAll(() => engine.stop());

  describe.each(['read committed', 'repeatable read', 'serializable'])('%s', (level) => {
    let pools: [pg.Pool, pg.Pool];
    const opened = (): pg.Pool => {
      const options = `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`;
      const pool = new pg.Pool({ connectionString: engine.url, max: 8, options });
      pool.on('error', () => undefined);
      return pool;
    };
    beforeAll(async () => {
      pools = [opened(), opened()];
      await migrate(pools[0]);
    });
    afterAll(() => Promise.all(pools.map((pool) => pool.end())));

    test.concurrent('the level is what the test says', async () => {
      const { rows } = await pools[0].query<{ transaction_isolation: string }>('show transaction_isolation');
      expect(rows[0]?.transaction_isolation).toBe(level);
    });

    for (const { name, run } of storeTests(() => ({
      replicas: [postgresStore(pools[0]), postgresStore(pools[1])],
      wait: pause,
      shortMs: 1_500,
    })))
      test.concurrent(name, run);

    test('of many who enter at once from two processes no more than the bounds are admitted, round after round', async () => {
      const stores = pools.map((pool) => postgresStore(pool));
      for (let round = 0; round < 8; round += 1) {
        const scope = `${level} ${String(round)}`;
        const bounds = round % 2 === 0 ? { calls: 7 } : { cents: 500 };
        const entries = await Promise.all(
          stores.flatMap((store) =>
            Array.from({ length: 25 }, () => store.enter(scope, 50, bounds, LEASE_MS)),
          ),
        );
        const admitted = entries.filter((entry) => entry.admitted).length;
        expect([round, admitted]).toStrictEqual([round, round % 2 === 0 ? 7 : 10]);
      }
    });

    test('of many who claim, renew and end at once, none fails', async () => {
      const [store, other] = pools.map((pool) => postgresStore(pool));
      if (store === undefined || other === undefined) throw new Error('no pool');
      const claim = await store.claim(level, 'a', 'h', LEASE_MS);
      if (claim.state !== 'new') throw new Error(claim.state);
      const { fence } = claim;
      const response = { status: 200, headers: [], body: new Uint8Array() };
      const [prepared, renewed, refused] = await Promise.all([
        Promise.all(Array.from({ length: 4 }, () => store.prepare(fence, response, LEASE_MS))),
        Promise.all(Array.from({ length: 4 }, () => other.renew(fence, LEASE_MS))),
        Promise.all(Array.from({ length: 10 }, () => other.claim(level, 'a', 'h', LEASE_MS))),
      ]);
      expect(new Set([...prepared, ...renewed])).toStrictEqual(new Set([true]));
      expect(new Set(refused.map(({ state }) => state))).toStrictEqual(new Set(['inFlight']));
    });
  });

  test('within a transaction of another level the store refuses to count', async () => {
    const client = new pg.Client({ connectionString: engine.url });
    await client.connect();
    onTestFinished(() => client.end());
    await migrate(client);
    await client.query('begin isolation level repeatable read');
    const entering = postgresStore(client as PostgresClient).enter('scope', 0, { calls: 1 }, LEASE_MS);
    await expect(entering).rejects.toThrow('invalid transaction termination');
  });
});
