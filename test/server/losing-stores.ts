import type pg from 'pg';
import { heldAs, type HeldKey } from '../../engine/memory-keys.ts';
import { memoryStore } from '../../generated/server-runtime/index.ts';
import { nameOf } from '../../server/names.ts';
import { postgresStore } from '../../server/postgres.ts';
import { redisStore, type RedisClient } from '../../server/redis.ts';
import type { LosingStore } from './lost-records.ts';

/** A store in memory, as if processes shared it. */
export function losingMemory(): LosingStore {
  const keys = new Map<string, HeldKey>();
  const store = memoryStore({ keys });
  return {
    replicas: [store, store],
    lose: (scope, key) => Promise.resolve(keys.delete(heldAs(scope, key))),
    expire: (scope, key) => {
      const held = keys.get(heldAs(scope, key));
      if (held !== undefined) keys.set(heldAs(scope, key), { ...held, leaseUntil: 0 });
      return Promise.resolve();
    },
  };
}

export function losingRedis(clients: readonly [RedisClient, RedisClient]): LosingStore {
  const [client] = clients;
  const at = (scope: string, key: string): string => `tallystick:key:{${nameOf(scope, key)}}`;
  return {
    replicas: [redisStore(clients[0]), redisStore(clients[1])],
    lose: (scope, key) => client.sendCommand(['DEL', at(scope, key)]),
    expire: (scope, key) => client.sendCommand(['EVAL', END_OF_LEASE, '1', at(scope, key)]),
  };
}

export function losingPostgres(pool: pg.Pool): LosingStore {
  const change = (text: string) => (scope: string, key: string) => pool.query(text, [nameOf(scope, key)]);
  return {
    replicas: [postgresStore(pool), postgresStore(pool)],
    lose: change('delete from tallystick_keys where name = $1'),
    expire: change(
      "update tallystick_keys set ends_at = clock_timestamp() where name = $1 and state = 'inFlight'",
    ),
  };
}

// --- internal ---

const END_OF_LEASE = `
local known = redis.call('HMGET', KEYS[1], 'state', 'ready')
if known[1] ~= 'inFlight' then return 0 end
if known[2] then return redis.call('HSET', KEYS[1], 'lease', '0') end
return redis.call('DEL', KEYS[1])`;
