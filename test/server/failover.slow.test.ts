// @module-tag long
import { describe, expect, test } from 'vitest';
import type { Store } from '../../server/index.ts';
import { countedRouter, type CountedRouter } from './counted-router.ts';
import { type Pair, postgresPair, valkeyPair } from './pairs.ts';
import { until } from '../until.ts';

async function onPair(open: () => Promise<Pair>, test: (pair: Pair) => Promise<void>): Promise<void> {
  const pair = await open();
  try {
    await test(pair);
  } finally {
    await pair.stop();
  }
}

const routerOn = (store: Store): CountedRouter =>
  countedRouter(store, { storeTimeoutMs: 2_000, leaseMs: 600_000 });

async function replayed({ run }: CountedRouter, key: string): Promise<string> {
  await expect.poll(async () => (await run(key)).headers.get('idempotent-replayed')).toBe('true');
  return (await run(key)).text;
}

/** Callers who send each key until it has its answer, and then the next one. */
function callersOf({ run }: CountedRouter) {
  const answers = new Map<string, string>();
  const buckets = new Set<string | null>();
  let isOver = false;
  const call = async (name: string): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const key = `${name} ${String(turn)}`;
      await until('the call has its answer', async () => {
        const { status, text, headers } = await run(key);
        if (status >= 500) buckets.add(headers.get('x-service-error-type'));
        if (status === 200) answers.set(key, text);
        return status === 200;
      });
    }
  };
  const calls = Promise.all(['a', 'b', 'c', 'd'].map(call));
  return {
    answers,
    buckets,
    async stop() {
      isOver = true;
      await calls;
    },
  };
}

describe('a failover', { tags: ['valkey', 'postgres'] }, () => {
  const pairs = [
    ['Valkey', valkeyPair],
    ['PostgreSQL', postgresPair],
  ] as const;

  test.each(pairs)(
    'of %s while calls run, with a replica that is waited for: no key runs twice, no answer is lost, every 5xx has its bucket',
    (_name, open) =>
      onPair(open, async (pair) => {
        const router = routerOn(pair.store);
        const { answers, buckets, stop } = callersOf(router);
        await expect.poll(() => answers.size).toBeGreaterThan(40);
        await pair.failOver();
        const before = answers.size;
        await expect.poll(() => answers.size).toBeGreaterThan(before + 40);
        await stop();
        expect(router.findings).toContain('store');
        expect([...buckets].filter((bucket) => bucket !== 'service_unavailable')).toStrictEqual([]);
        expect([...answers.keys()].filter((key) => router.runs(key) !== 1)).toStrictEqual([]);
        for (const [key, text] of answers) expect(await replayed(router, key)).toBe(text);
      }),
  );

  test.each(pairs)(
    'of %s whose replica was cut off: what waits for it was never begun, what does not runs again, as documented',
    (_name, open) =>
      onPair(open, async (pair) => {
        const [router, hasty] = [routerOn(pair.store), routerOn(pair.hasty)];
        await router.run('before');
        const text = await replayed(router, 'before');
        pair.holdReplication();
        const refused = await router.run('a');
        expect([refused.status, refused.headers.get('x-service-error-type')]).toStrictEqual([
          ...[503, 'service_unavailable'],
        ]);
        expect((await hasty.run('b')).status).toBe(200);
        await replayed(hasty, 'b');
        await pair.failOver();
        await expect.poll(async () => (await router.run('a')).status).toBe(200);
        await expect.poll(async () => (await hasty.run('b')).status).toBe(200);
        expect(await replayed(router, 'before')).toBe(text);
        expect([router.runs('before'), router.runs('a'), hasty.runs('b')]).toStrictEqual([1, 1, 2]);
      }),
  );

  test('of Valkey with min-replicas-to-write alone: writes end with the lag that is allowed, and what came before runs again', () =>
    onPair(
      // A replica says once in a second what it has: a busy machine makes it later than one.
      () => valkeyPair(['--min-replicas-to-write', '1', '--min-replicas-max-lag', '5']),
      async (pair) => {
        const { run, runs } = routerOn(pair.hasty);
        pair.holdReplication();
        expect((await run('in time')).status).toBe(200);
        let turn = 0;
        const next = async (): Promise<number> => (await run(`later ${String((turn += 1))}`)).status;
        await expect.poll(next).toBe(503);
        expect(runs(`later ${String(turn)}`)).toBe(0);
        await pair.failOver();
        await expect.poll(async () => (await run('in time')).status).toBe(200);
        expect(runs('in time')).toBe(2);
      },
    ));
});
