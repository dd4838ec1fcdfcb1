/**
 * What a store adds to a keyed call, how it grows with keys and replicas, and what a record takes:
 * `npm run bench:stores [-- most keys]`. Prints Markdown for docs/stores.md.
 */
import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { createClient } from 'redis';
import { memoryStore, type Store } from '../../server/index.ts';
import { migrate, postgresStore } from '../../server/postgres.ts';
import { redisStore } from '../../server/redis.ts';
import { startPostgres, startValkey } from '../server/engines.ts';

const most = Number(process.argv[2] ?? 100_000);
const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= most);
const DAY_MS = 86_400_000;
const response = {
  status: 200,
  headers: [['content-type', 'application/json']] as [string, string][],
  body: new TextEncoder().encode(JSON.stringify({ pictures: ['x'.repeat(300)] })),
};

/** What the server does for one keyed call. */
async function call(store: Store, key: string): Promise<void> {
  const claim = await store.claim('bench', key, 'hash', 60_000);
  if (claim.state !== 'new') throw new Error(claim.state);
  await store.prepare(claim.fence, response, DAY_MS);
  await store.record(claim.fence, response, DAY_MS);
}

async function latencies(
  stores: readonly Store[],
  prefix: string,
  calls: number,
  together: number,
): Promise<{ p50: number; p99: number; perSecond: number }> {
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: together }, async (_, lane) => {
      const store = stores[lane % stores.length];
      while (store !== undefined && next < calls) {
        next += 1;
        const begun = performance.now();
        await call(store, `${prefix} ${String(next)}`);
        times.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  times.sort((left, right) => left - right);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), perSecond: calls / seconds };
}

interface Subject {
  readonly name: string;
  readonly stores: readonly Store[];
  /** Bytes that all records take. */
  readonly bytes: () => Promise<number>;
  readonly close: () => Promise<void>;
}

async function inMemory(): Promise<Subject> {
  return Promise.resolve({
    name: 'memory',
    stores: [memoryStore()],
    bytes: () => Promise.resolve(process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers),
    close: () => Promise.resolve(),
  });
}

async function onValkey(): Promise<Subject> {
  const engine = await startValkey();
  const clients = await Promise.all(
    [0, 1, 2].map(async () => {
      const client = createClient({ url: engine.url });
      await client.connect();
      return client;
    }),
  );
  return {
    name: 'Valkey',
    stores: clients.map((client) => redisStore(client)),
    bytes: async () => Number(/used_memory:(\d+)/.exec(String(await clients[0]?.info('memory')))?.[1]),
    close: async () => {
      clients.forEach((client) => {
        client.destroy();
      });
      await engine.stop();
    },
  };
}

async function onPostgres(): Promise<Subject> {
  const engine = await startPostgres({ safe: true });
  const pools = [0, 1, 2].map(() => new pg.Pool({ connectionString: engine.url, max: 8 }));
  pools.forEach((pool) => pool.on('error', () => undefined));
  const [pool] = pools;
  if (pool === undefined) throw new Error('no pool');
  await migrate(pool);
  return {
    name: 'PostgreSQL',
    stores: pools.map((each) => postgresStore(each)),
    bytes: async () => {
      const { rows } = await pool.query("select pg_total_relation_size('tallystick_keys')::float8 as bytes");
      return (rows as { bytes: number }[])[0]?.bytes ?? 0;
    },
    close: async () => {
      await Promise.all(pools.map((each) => each.end()));
      await engine.stop();
    },
  };
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
say(
  `Node ${process.version}, ${execFileSync('nproc', { encoding: 'utf8' }).trim()} cores, engines on the same machine; a record of 330 bytes.\n`,
);
say(
  '| store | keys before | one at a time: p50 | p99 | 24 at once: p50 | p99 | calls a second | bytes a record |',
);
say('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
const ms = (value: number): string => `${value.toFixed(2)} ms`;
const replicas: string[] = [];
for (const open of [inMemory, onValkey, onPostgres]) {
  const subject = await open();
  const [first] = subject.stores;
  if (first === undefined) continue;
  await latencies([first], 'warm', 500, 8);
  const before = await subject.bytes();
  let filled = 0;
  for (const size of sizes) {
    if (size > filled) await latencies(subject.stores, `fill ${String(size)}`, size - filled, 48);
    filled = size;
    const each = ((await subject.bytes()) - before) / filled;
    const alone = await latencies([first], `alone ${String(size)}`, 1_500, 1);
    const many = await latencies([first], `many ${String(size)}`, 4_000, 24);
    say(
      `| ${subject.name} | ${size.toLocaleString('en')} | ${ms(alone.p50)} | ${ms(alone.p99)} | ${ms(many.p50)} | ${ms(many.p99)} | ${Math.round(many.perSecond).toLocaleString('en')} | ${Math.round(each).toLocaleString('en')} |`,
    );
  }
  if (subject.stores.length > 1) {
    for (const count of [1, 2, 3]) {
      const { p50, p99, perSecond } = await latencies(
        subject.stores.slice(0, count),
        `replicas ${String(count)}`,
        6_000,
        24,
      );
      replicas.push(
        `| ${subject.name} | ${String(count)} | ${ms(p50)} | ${ms(p99)} | ${Math.round(perSecond).toLocaleString('en')} |`,
      );
    }
  }
  await subject.close();
}
say(
  '\n| store | connections of | p50, 24 at once | p99 | calls a second |\n| --- | ---: | ---: | ---: | ---: |',
);
replicas.forEach(say);
