import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, virtualClock, type Delivery, type Handled, type Mock } from '../../mock/index.ts';

// The clock moves by hand: what is slow stays in flight until a step lets time pass.
const clock = virtualClock({ auto: false });
let mock: Mock;

beforeAll(async () => {
  mock = createMock({ apis: ['router'], clock });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

type Step =
  | { readonly do: 'call'; readonly key: string; readonly model: string; readonly delivery: Delivery }
  | { readonly do: 'leave'; readonly which: number }
  | { readonly do: 'wait'; readonly milliseconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      key: fc.constantFrom('a', 'b'),
      model: fc.constantFrom('mock/slow', 'acme/echo-1', 'mock/provider-error', 'mock/unreplayable'),
      delivery: fc.constantFrom<Delivery>('delivered', 'delivered', 'short', 'dropped'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: fc.constantFrom(1, 500, 1_000) }),
  },
);

interface Seen {
  readonly key: string;
  readonly status: number;
  readonly replayed: boolean;
  readonly delivery: Delivery;
}

test('router.idem.charged-once: whatever the order of calls, drops and waits, one result per key reaches its caller', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 25 }), async (steps) => {
      mock.reset();
      const seen: Seen[] = [];
      const callers: AbortController[] = [];
      const calls: Promise<void>[] = [];
      for (const current of steps) {
        if (current.do === 'wait') await clock.advance(current.milliseconds);
        if (current.do === 'leave') callers[current.which]?.abort(new Error('the caller went away'));
        if (current.do === 'call') {
          const gone = new AbortController();
          callers.push(gone);
          calls.push(call(current, gone.signal).then((answer) => void seen.push(answer)));
          await clock.advance(0);
        }
      }
      await clock.advance(5_000);
      await Promise.all(calls);
      for (const key of ['a', 'b']) {
        const fresh = seen.filter(
          (answer) => answer.key === key && answer.status === 200 && !answer.replayed,
        );
        // An answer that was dropped reached nobody; one that came short has used its key up.
        expect(fresh.filter(({ delivery }) => delivery !== 'dropped').length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 200 },
  );
}, 120_000);

async function call(
  { key, model, delivery }: Extract<Step, { do: 'call' }>,
  signal: AbortSignal,
): Promise<Seen> {
  const { reply, settle }: Handled = await mock.handle({
    method: 'POST',
    target: `/v1/models/${model}`,
    rawHeaders: ['X-API-Key', 'service-mock-ok', 'Content-Type', 'application/json', 'Idempotency-Key', key],
    body: Buffer.from('{}'),
    signal,
  });
  const became = reply.cut === true ? 'dropped' : delivery;
  settle(became);
  const replayed = reply.headers.some(([name]) => name.toLowerCase() === 'idempotent-replayed');
  return { key, status: reply.status, replayed, delivery: became };
}
