import pg from 'pg';
import { createClient } from 'redis';
import type { Store } from '../../server/index.ts';
import { postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';

const DAY_MS = 86_400_000;
export const bodyHash = 'hash'.repeat(16);
export const response = {
  status: 200,
  headers: [['content-type', 'application/json']] as [string, string][],
  body: new TextEncoder().encode(JSON.stringify({ pictures: ['x'.repeat(300)] })),
};

/** What the server does for one keyed call. */
export async function call(store: Store, key: string): Promise<void> {
  // As in a server, no two answers are one object.
  const answer = { ...response, headers: [...response.headers], body: response.body.slice() };
  const claim = await store.claim('bench', key, bodyHash, 60_000);
  if (claim.state !== 'new') throw new Error(claim.state);
  await store.prepare(claim.fence, answer, DAY_MS);
  await store.record(claim.fence, answer, DAY_MS);
}

export interface Load {
  /** What the names of its keys begin with. */
  readonly name: string;
  readonly together: number;
  /** It ends after this time, or with so many calls. */
  readonly ms: number;
  readonly most: number;
}

export interface Loaded {
  /** How long each call took, in milliseconds. */
  readonly times: readonly number[];
  readonly seconds: number;
}

/** Calls that run at once for a while. */
export async function load(store: Store, { name, together, ms, most }: Load): Promise<Loaded> {
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: together }, async (_, lane) => {
      for (let turn = 0; performance.now() < started + ms && times.length < most; turn += 1) {
        const begun = performance.now();
        await call(store, `${name} ${String(lane)} ${String(turn)}`);
        times.push(performance.now() - begun);
      }
    }),
  );
  return { times, seconds: (performance.now() - started) / 1_000 };
}

export interface Connected {
  readonly store: Store;
  readonly close: () => Promise<void>;
}

/** A store on the engine at an address, with connections of its own, as one replica of a server has them. */
export async function connected(url: string): Promise<Connected> {
  if (url.startsWith('redis:')) {
    const client = createClient({ url, disableOfflineQueue: true });
    await client.connect();
    return {
      store: redisStore(client),
      close: () => {
        client.destroy();
        return Promise.resolve();
      },
    };
  }
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', () => undefined);
  return { store: postgresStore(pool), close: () => pool.end() };
}
