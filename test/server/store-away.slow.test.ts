import { createClient } from 'redis';
import { describe, expect, test } from 'vitest';
import { claimInTime } from '../../engine/key-claim.ts';
import { memoryStore, type Store } from '../../server/index.ts';
import { redisStore } from '../../server/redis.ts';
import { countedRouter } from './counted-router.ts';
import { startValkey } from './engines.ts';

/** A store in memory that fails in the operations for which `fault` returns something. */
function failing(fault: (operation: string) => Promise<void> | undefined): Store {
  const store = memoryStore();
  const wrapped = Object.entries(store).map(([name, operation]) => [
    name,
    async (...given: never[]) => {
      await fault(name);
      return (operation as (...given: never[]) => Promise<unknown>)(...given);
    },
  ]);
  return Object.fromEntries(wrapped) as Store;
}

const faults: [how: string, fault: () => Promise<void>][] = [
  ['away', () => Promise.reject(new Error('connection refused'))],
  ['full', () => Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'"))],
  ['silent', () => new Promise(() => undefined)],
];

test.each(
  faults.flatMap(([how, fault]) => ['claim', 'enter'].map((operation) => [how, operation, fault] as const)),
)(
  'a store that is %s at its %s: 503 with its bucket, and nothing was begun',
  async (_how, operation, fault) => {
    let isAway = true;
    const { run, runs, findings } = countedRouter(
      failing((name) => (isAway && name === operation ? fault() : undefined)),
    );
    const refused = await run('a');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('x-service-error-type')).toBe('service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-service-request-id')).not.toBeNull();
    expect([runs(), findings]).toStrictEqual([0, ['store', 'answered']]);
    isAway = false;
    expect((await run('a')).status).toBe(200);
    expect(runs()).toBe(1);
  },
);

test('a store that goes away between a claim and what follows: the answer does not wait until it is back, and the key is freed then', async () => {
  let isAway = true;
  const { run, runs } = countedRouter(
    failing((name) =>
      isAway && (name === 'enter' || name === 'release') ? Promise.reject(new Error('away')) : undefined,
    ),
    { leaseMs: 600_000 },
  );
  expect((await run('a')).status).toBe(503);
  expect((await run('a')).status).toBe(409);
  isAway = false;
  await expect.poll(async () => (await run('a')).status).toBe(200);
  expect(runs()).toBe(1);
});

test('a claim that comes too late is given back', async () => {
  let arrive = (): void => undefined;
  const late = new Promise<void>((resolve) => (arrive = resolve));
  let isSlow = true;
  const { run, runs } = countedRouter(failing((name) => (isSlow && name === 'claim' ? late : undefined)));
  expect((await run('a')).status).toBe(503);
  isSlow = false;
  arrive();
  await expect.poll(async () => (await run('a')).status).toBe(200);
  expect(runs()).toBe(1);
});

test('a claim on a parked key that comes too late leaves it parked', async () => {
  let arrive = (): void => undefined;
  const late = new Promise<void>((resolve) => (arrive = resolve));
  let isSlow = false;
  const store = failing((name) => (isSlow && name === 'claim' ? late : undefined));
  const first = await store.claim('s', 'a', 'h', 60_000);
  expect(await store.park(first.state === 'new' ? first.fence : '', 86_400_000)).toBe(true);
  isSlow = true;
  const limits = { leaseMs: () => 60_000, storeTimeoutMs: 20 };
  const context = {
    ports: { store, local: undefined, limits, now: Date.now, after: () => () => undefined },
    ...{ scope: 's', key: 'a', leaseMs: 60_000, onFailure: () => undefined, onLost: () => undefined },
  };
  await expect(claimInTime(context, 'h', 60_000, 86_400_000)).rejects.toThrow();
  isSlow = false;
  arrive();
  await expect
    .poll(() => store.claim('s', 'a', 'h', 60_000))
    .toMatchObject({ state: 'new', collecting: true });
});

test('a store that is away when the answer leaves: the record follows, and nothing runs twice meanwhile', async () => {
  let failures = 0;
  let isAway = true;
  const { run, runs } = countedRouter(
    failing((name) => {
      if (name !== 'record' || !isAway) return undefined;
      failures += 1;
      return Promise.reject(new Error('away'));
    }),
  );
  const first = run('a');
  await expect.poll(() => failures).toBeGreaterThan(0);
  const meanwhile = await run('a');
  expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toStrictEqual([409, '1']);
  await expect.poll(() => failures).toBeGreaterThan(1);
  isAway = false;
  const { text } = await first;
  await expect.poll(async () => (await run('a')).text).toBe(text);
  expect(runs()).toBe(1);
});

describe('on an engine', { tags: 'valkey' }, () => {
  test('that crashes: 503 while it is away, and what it had recorded is replayed when it is back', async () => {
    const engine = await startValkey(['--appendfsync', 'always']);
    const client = createClient({
      url: engine.url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: 50 },
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { run, runs } = countedRouter(redisStore(client), {
        ...{ storeTimeoutMs: 2_000, leaseMs: 10_000 },
      });
      const { status, text } = await run('a');
      expect(status).toBe(200);
      await expect.poll(async () => (await run('a')).headers.get('idempotent-replayed')).toBe('true');
      await engine.kill();
      const away = await run('b');
      expect([away.status, away.headers.get('x-service-error-type')]).toStrictEqual([
        503,
        'service_unavailable',
      ]);
      await engine.restart();
      await expect.poll(async () => (await run('a')).text).toBe(text);
      expect(runs()).toBe(1);
    } finally {
      client.destroy();
      await engine.stop();
    }
  });
});
