import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStore } from '../../generated/server-runtime/index.ts';
import {
  answered,
  billedRouter,
  DAY_MS,
  effects,
  expectBalancedLedger,
  type Answered,
  type BilledRouter,
} from './billed-router.ts';

interface Attempt {
  readonly key: string | undefined;
  readonly effect: string;
  readonly delivery: 'delivered' | 'short' | 'dropped';
  /** Whether its caller goes away while the model works. */
  readonly leaves: boolean;
  /** What passes before it, in milliseconds. */
  readonly after: number;
}

const attempt = fc.record<Attempt>({
  key: fc.constantFrom('a', 'a', 'a', 'b', undefined),
  effect: fc.constantFrom('result', 'result', 'result', 'provider-timeout', 'provider-timeout', ...effects),
  delivery: fc.constantFrom('delivered', 'delivered', 'short', 'dropped'),
  leaves: fc.constantFrom(false, false, false, true),
  after: fc.constantFrom(0, 0, 1_000, DAY_MS - 1_000, DAY_MS),
});

/** Short: what ends by it has to be waited for. */
const DEADLINE_MS = 5;

test('router.idem.charged-once: on a generated server a key is charged at most once, and answers agree with the ledger', async () => {
  const seen = { charged: 0, replayed: 0, paidBefore: 0, deadlines: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 2, maxLength: 10 }), async (attempts) => {
      const router = billedRouter(DEADLINE_MS);
      const answers: Answered[] = [];
      for (const each of attempts) {
        router.pass(each.after);
        answers.push(...(await send(router, each)));
      }
      expectBalancedLedger(router, answers);
      seen.charged += router.charges.length;
      for (const { status, bucket, stamped, replayed } of answers) {
        if (replayed) seen.replayed += 1;
        else if (status === 200 && !stamped) seen.paidBefore += 1;
        if (bucket === 'deadline_exceeded') seen.deadlines += 1;
      }
    }),
    { numRuns: 100 },
  );
  // A law that is never put to the test proves nothing.
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
});

test('router.run.504-not-billed: a handler that ends after the deadline is asked not to charge', async () => {
  const router = billedRouter(DEADLINE_MS);
  const late = { key: 'a', effect: 'late', delivery: 'delivered', leaves: false, after: 0 } as const;
  expect(await send(router, late)).toMatchObject([
    { status: 504, bucket: 'deadline_exceeded', stamped: false },
  ]);
  expect(router.charges).toStrictEqual([]);
  expect(await send(router, { ...late, effect: 'result' })).toMatchObject([{ status: 200, stamped: true }]);
});

test('router.idem.charged-once: servers that share a store charge a key once together', async () => {
  const store = memoryStore();
  const [one, other] = [billedRouter(1_000, () => store), billedRouter(1_000, () => store)];
  const call = {
    key: 'a',
    effect: 'provider-timeout',
    delivery: 'delivered',
    leaves: false,
    after: 0,
  } as const;
  expect(await send(one, call)).toMatchObject([{ bucket: 'provider_timeout', stamped: true }]);
  expect(await send(other, { ...call, effect: 'result' })).toMatchObject([{ status: 200, stamped: false }]);
  expect([one.charges.length, other.charges.length]).toStrictEqual([1, 0]);
});

test('a store that is away while a call asks whether to charge: nothing is charged, and the key is free', async () => {
  let isAway = true;
  const router = billedRouter(1_000, (options) => {
    const store = memoryStore(options);
    return {
      ...store,
      claim: (scope, key, bodyHash, leaseMs) =>
        isAway && bodyHash === 'charge'
          ? Promise.reject(new Error('away'))
          : store.claim(scope, key, bodyHash, leaseMs),
    };
  });
  const call = { key: 'a', effect: 'result', delivery: 'delivered', leaves: false, after: 0 } as const;
  expect(await send(router, call)).toMatchObject([
    { status: 503, bucket: 'service_unavailable', stamped: false },
  ]);
  expect(router.charges).toStrictEqual([]);
  isAway = false;
  expect(await send(router, call)).toMatchObject([{ status: 200, stamped: true, replayed: false }]);
});

async function send(router: BilledRouter, { key, effect, delivery, leaves }: Attempt): Promise<Answered[]> {
  const gone = new AbortController();
  const sentAt = router.now();
  const going = router.server.exchange({
    method: 'POST',
    target: '/v1/models/acme/painter',
    headers: new Headers({
      ...{ 'Content-Type': 'application/json', 'X-API-Key': 'service-x', 'X-Effect': effect },
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    }),
    body: () => Promise.resolve(new TextEncoder().encode('{}')),
    signal: gone.signal,
  });
  if (leaves) gone.abort(new Error('the caller went away'));
  const { status, headers, settle } = await going;
  await settle(leaves ? 'dropped' : delivery);
  return leaves || delivery === 'dropped' ? [] : [answered(key, status, headers, sentAt)];
}
