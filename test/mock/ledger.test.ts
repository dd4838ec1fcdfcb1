import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMock, virtualClock, type Mock, type SteerableClock } from '../../mock/index.ts';
import type { Ledger } from '../../mock/journal/ledger-shape.ts';
import { ledgerOf } from '../../mock/journal/ledger.ts';
import { expectBalancedBooks } from './books.ts';

let clock: SteerableClock;
let mock: Mock;

beforeAll(async () => {
  clock = virtualClock();
  mock = createMock({ apis: ['router'], clock });
  await mock.ready();
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => {
  mock.close();
});

const CENTS = 10;
const DAY_MS = 24 * 3_600_000;

/** Runs the model with the credits header, once for each scenario; `undefined` for the model's own effect. */
async function attempts(
  key: string | undefined,
  scenarios: readonly (string | undefined)[],
): Promise<(string | null)[]> {
  const credits: (string | null)[] = [];
  for (const scenario of scenarios) {
    const headers = new Headers({ 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' });
    if (key !== undefined) headers.set('Idempotency-Key', key);
    if (scenario !== undefined) headers.set('Prefer', `scenario=${scenario}`);
    const request = { method: 'POST', headers, body: '{}' };
    const answer = await mock
      .fetch(new Request('http://mock.test/v1/models/mock/credits-header', request))
      .catch(() => undefined);
    await answer?.arrayBuffer();
    credits.push(answer?.headers.get('x-service-credits-used') ?? null);
  }
  return credits;
}

const ledger = (): Ledger => ledgerOf(mock.journal.outlines(), { centsOf: () => CENTS, windowMs: DAY_MS });

const STAMP = '1.25';

test.each([
  ['a lost answer, then the same key', ['cut-after', undefined], [null, null], { dispatched: 2 }],
  [
    'the timeout of a provider, twice',
    ['provider-timeout', 'provider-timeout'],
    [STAMP, null],
    { dispatched: 2 },
  ],
  [
    'the timeout of a provider, then a result',
    ['provider-timeout', undefined],
    [STAMP, null],
    { dispatched: 2 },
  ],
  [
    'a generation that is collected',
    ['provider-timeout-collectable', 'provider-timeout-collectable'],
    [STAMP, null],
    { dispatched: 1 },
  ],
  [
    'a generation that is collected by a call without the scenario',
    ['provider-timeout-collectable', undefined],
    [STAMP, null],
    { dispatched: 1 },
  ],
  [
    'a failure that the contract does not price, then a result',
    ['provider-error', undefined],
    [null, STAMP],
    { dispatched: 2 },
  ],
  ['the deadline, then a result', ['deadline-exceeded', undefined], [null, STAMP], { dispatched: 2 }],
  ['a result and its replay', [undefined, undefined], [STAMP, null], { dispatched: 1, replayed: 1 }],
] as const)(
  'router.idem.charged-once: %s: the key is charged once',
  async (_title, scenarios, credits, line) => {
    expect(await attempts('order-1', scenarios)).toStrictEqual(credits);
    expect(ledger().lines).toMatchObject([
      { key: 'order-1', ...line, billed: 1, charged: 'once', cents: 10 },
    ]);
    expectBalancedBooks(mock);
  },
);

test('router.idem.charged-once: without a key each attempt is charged', async () => {
  expect(await attempts(undefined, ['provider-timeout', undefined])).toStrictEqual([STAMP, STAMP]);
  expect(ledger().lines).toMatchObject([{ dispatched: 2, billed: 2, charged: 'more than once' }]);
});

test('router.idem.record-24h: after its window a key is charged again, as another call', async () => {
  await attempts('order-1', ['provider-timeout']);
  await clock.advance(DAY_MS);
  expect(await attempts('order-1', [undefined, undefined])).toStrictEqual([STAMP, null]);
  expect(ledger().lines).toMatchObject([
    { key: 'order-1', dispatched: 1, billed: 1, charged: 'once' },
    { key: 'order-1', dispatched: 1, replayed: 1, billed: 1, charged: 'once' },
  ]);
});

test('a replay belongs to the call that it repeats, also after the window of its charge', async () => {
  await attempts('order-1', ['provider-timeout']);
  await clock.advance('PT1H');
  await attempts('order-1', [undefined]);
  await clock.advance('PT23H30M');
  await attempts('order-1', [undefined]);
  expect(ledger().lines).toMatchObject([{ dispatched: 2, replayed: 1, billed: 1, charged: 'once' }]);
  expectBalancedBooks(mock);
});

test('a call with another body after that window belongs to the call whose record it meets', async () => {
  await attempts('order-1', ['provider-timeout']);
  await clock.advance('PT1H');
  await attempts('order-1', [undefined]);
  await clock.advance('PT23H30M');
  const answer = await mock.fetch('/v1/models/mock/ok', {
    method: 'POST',
    headers: {
      'X-API-Key': 'service-mock-ok',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'order-1',
    },
    body: '{"another":"body"}',
  });
  expect(answer.status).toBe(409);
  await attempts('order-1', [undefined]);
  expect(ledger().lines).toMatchObject([{ dispatched: 2, replayed: 1, billed: 1, charged: 'once' }]);
  expectBalancedBooks(mock);
});

test.each([
  ['policy-refused-unknown', 'unknown', undefined],
  ['policy-refused-billed', 'once', true],
  ['policy-refused-unbilled', 'never', false],
  ['provider-error', 'unknown', undefined],
  ['invalid-image', 'unknown', undefined],
  ['drops-connection', 'unknown', undefined],
  ['deadline-exceeded', 'never', false],
] as const)('the ledger says of a run of %s what the contract says: %s', async (model, charged, billed) => {
  const headers = { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' };
  const url = `http://mock.test/v1/models/mock/${model}`;
  await mock.fetch(new Request(url, { method: 'POST', headers, body: '{}' })).catch(() => undefined);
  expect(ledger().lines).toMatchObject([{ charged, billed: charged === 'once' ? 1 : 0 }]);
  expect(mock.journal.entries()[0]?.billed).toBe(billed);
});

test('a refusal by the router itself reaches no model and costs nothing', async () => {
  await attempts('order-1', ['unavailable']);
  expect(ledger().lines).toMatchObject([{ dispatched: 0, billed: 0, charged: 'never' }]);
  expect(mock.dispatches()).toStrictEqual({});
});

test('router.idem.charged-once: a charge outlives the process with the rest of the state', async () => {
  await attempts('order-1', ['provider-timeout']);
  const changes = mock.snapshot();
  mock.reset();
  mock.restore(JSON.parse(JSON.stringify(changes)) as typeof changes);
  expect(await attempts('order-1', [undefined])).toStrictEqual([null]);
  expect(mock.journal.entries()).toMatchObject([{ status: 200, billed: false }]);
});
