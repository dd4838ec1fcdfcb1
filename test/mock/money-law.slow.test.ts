// @module-tag long
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError, createRouter, creditsUsed, isReplay, type Answer } from '../../generated/router/index.ts';
import { startMock, virtualClock, type RunningMock } from '../../mock/index.ts';
import { expectBalancedBooks } from './books.ts';
import { until } from '../until.ts';

// The test advances the clock: slow calls stay in flight until a step lets time pass.
const clock = virtualClock({ auto: false });
let mock: RunningMock;
let client: ReturnType<typeof createRouter>;

beforeAll(async () => {
  mock = await startMock({ apis: ['router'], clock, controlPort: false, journalSize: 1_000 });
  mock.pending.watch({ began: () => (begun += 1), ended: () => undefined });
  const credentials = { ApiKeyAuth: 'service-mock-ok' };
  client = createRouter({ baseUrl: mock.url, credentials, clock, random: () => 0.5 });
});
afterAll(() => mock.stop());

const DAY_MS = 24 * 3_600_000;

/** Grows with each call that the mock has begun or ended. */
const arrived = (): number => begun + mock.journal.latest;
let begun = 0;

const call = fc.record({
  key: fc.constantFrom('a', 'a', 'a', 'b', undefined),
  scenario: fc.constantFrom(
    ...[undefined, undefined, 'slow', 'provider-timeout', 'provider-timeout-collectable'],
    ...['deadline-exceeded', 'provider-error', 'unavailable', 'policy-refused-billed', 'invalid-image'],
    ...['unreplayable', 'cut-before', 'cut-after', 'cut-midway', 'drops-midway'],
  ),
  /** How often the client sends it again by itself. */
  retries: fc.constantFrom(0, 0, 2),
  /** When its caller goes away. */
  leaves: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    'at once',
    'when it has arrived',
    'when time has passed',
  ),
  /** What passes before the next one, in milliseconds. */
  wait: fc.constantFrom(0, 0, 500, 2_000, 600_000, DAY_MS),
});

/** What a client says of the answer that its call ended with. */
interface Said {
  readonly name: string;
  readonly requestId: string | undefined;
  readonly replayed: boolean;
  readonly credits: string | undefined;
}

test('router.idem.charged-once: over sockets, with retries and callers that leave, a key is charged at most once and all books agree', async () => {
  const told = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 12 }), async (calls) => {
      mock.reset();
      const ends: Promise<Said | undefined>[] = [];
      let open = 0;
      for (const { key, scenario, retries, leaves, wait } of calls) {
        const gone = new AbortController();
        const before = arrived();
        const end = client.runModel(
          { provider: 'mock', model: 'credits-header', body: {} },
          {
            ...{ retries, signal: gone.signal },
            ...(key === undefined ? {} : { idempotencyKey: key }),
            ...(scenario === undefined ? {} : { headers: { Prefer: `scenario=${scenario}` } }),
          },
        );
        open += 1;
        ends.push(end.then(saidBy, saidBy).finally(() => (open -= 1)));
        const leave = (moment: typeof leaves): void => {
          if (leaves === moment) gone.abort(new Error('the caller went away'));
        };
        leave('at once');
        if (leaves !== 'at once') await until('the call arrives', () => arrived() > before);
        leave('when it has arrived');
        await clock.advance(wait);
        leave('when time has passed');
      }
      await until('each call has ended', async () => {
        await clock.advance(1_000_000);
        return open === 0;
      });
      const said = (await Promise.all(ends)).filter((each) => each !== undefined);
      await until('the mock has settled each call', () => mock.pending.calls().length === 0);
      expectBalancedBooks(mock);
      for (const each of said) {
        told.set(each.name, (told.get(each.name) ?? 0) + 1);
        expectTrueWords(each);
      }
    }),
    { numRuns: 150 },
  );
  // A law that is never put to the test proves nothing.
  for (const name of ['Answer', 'ProviderTimeoutError', 'DeadlineExceededError', 'InvalidInputError'])
    expect(told.get(name), name).toBeGreaterThan(0);
});

/** What a client says agrees with the journal. The classes of errors say what `expectBalancedBooks` holds of their buckets. */
function expectTrueWords({ requestId, replayed, credits }: Said): void {
  const entry = mock.journal.entries().find(({ id }) => id === requestId);
  expect(entry?.replayed).toBe(replayed);
  expect(credits !== undefined).toBe(entry?.billed === true);
}

/** Nothing where no answer came: the connection was cut, or the caller had left. */
function saidBy(end: unknown): Said | undefined {
  if (!(end instanceof ApiError) && !isAnswer(end)) return undefined;
  const { requestId } = end;
  const name = end instanceof ApiError ? end.name : 'Answer';
  return { name, requestId, replayed: isReplay(end), credits: creditsUsed(end) };
}

function isAnswer(end: unknown): end is Answer {
  return typeof end === 'object' && end !== null && 'replayed' in end;
}
