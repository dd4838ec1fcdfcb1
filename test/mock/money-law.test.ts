import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, virtualClock, type Delivery, type Handled, type Mock } from '../../mock/index.ts';
import { expectBalancedBooks } from './books.ts';

// The test advances the clock: slow calls stay in flight until a step lets time pass.
const clock = virtualClock({ auto: false });
let mock: Mock;

beforeAll(async () => {
  mock = createMock({ apis: ['router'], clock });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

interface Attempt {
  readonly do: 'call';
  readonly key: string | undefined;
  readonly model: string;
  /** What happens in place of the model's own effect. */
  readonly scenario: string | undefined;
  readonly delivery: Delivery;
}

type Step =
  | Attempt
  | { readonly do: 'leave'; readonly which: number }
  | { readonly do: 'wait'; readonly milliseconds: number };

const DAY_MS = 24 * 3_600_000;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record<Attempt>({
      do: fc.constant('call'),
      key: fc.constantFrom('a', 'a', 'b', undefined),
      model: fc.constantFrom('mock/credits-header', 'mock/credits-header', 'mock/policy-refused-billed'),
      scenario: fc.constantFrom(
        ...[undefined, undefined, 'slow', 'provider-timeout', 'provider-timeout-collectable'],
        ...['deadline-exceeded', 'provider-error', 'unavailable', 'policy-refused-billed', 'invalid-image'],
        ...['unreplayable', 'cut-before', 'cut-after', 'cut-midway', 'drops-midway'],
      ),
      delivery: fc.constantFrom<Delivery>('delivered', 'delivered', 'short', 'dropped'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), which: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(1, 500, 1_000, 2_000, 600_000, DAY_MS),
    }),
  },
);

interface Seen {
  readonly key: string | undefined;
  readonly status: number;
  readonly replayed: boolean;
  readonly delivery: Delivery;
}

test('router.idem.charged-once: in any order of calls, drops, timeouts and collections, a key is charged at most once and all books agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 20 }), async (steps) => {
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
      await clock.advance(DAY_MS);
      await Promise.all(calls);
      expectBalancedBooks(mock);
      if (steps.some((each) => each.do === 'wait' && each.milliseconds === DAY_MS)) return;
      for (const key of ['a', 'b']) {
        const fresh = seen.filter(
          (answer) => answer.key === key && answer.status === 200 && !answer.replayed,
        );
        // A dropped answer reached no caller; a short one has consumed its key.
        expect(fresh.filter(({ delivery }) => delivery !== 'dropped').length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 150 },
  );
});

async function call({ key, model, scenario, delivery }: Attempt, signal: AbortSignal): Promise<Seen> {
  const { reply, settle }: Handled = await mock.handle({
    method: 'POST',
    target: `/v1/models/${model}`,
    rawHeaders: [
      ...['X-API-Key', 'service-mock-ok', 'Content-Type', 'application/json'],
      ...(key === undefined ? [] : ['Idempotency-Key', key]),
      ...(scenario === undefined ? [] : ['Prefer', `scenario=${scenario}`]),
    ],
    body: Buffer.from('{}'),
    signal,
  });
  const isWhole = reply.body instanceof Uint8Array;
  const became = reply.cut === true ? 'dropped' : isWhole || delivery === 'dropped' ? delivery : 'short';
  settle(became);
  const replayed = reply.headers.some(([name]) => name.toLowerCase() === 'idempotent-replayed');
  return { key, status: reply.status, replayed, delivery: became };
}
