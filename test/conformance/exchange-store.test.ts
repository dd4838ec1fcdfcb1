import { expect, test } from 'vitest';
import { exchangeOf } from './exchanges.ts';
import { ExchangeStore } from '../../conformance/exchanges/exchange-store.ts';
import { MemoryBudget } from '../../conformance/exchanges/memory-budget.ts';
import type { Oracle } from '../../conformance/oracle.ts';
import type { RunFinding } from '../../conformance/verdicts/report.ts';

function storeWith(
  oracles: readonly Oracle[],
  most?: number,
): {
  readonly store: ExchangeStore;
  readonly told: RunFinding[];
} {
  const told: RunFinding[] = [];
  const store = new ExchangeStore({
    oracles,
    masks: [],
    secrecy: {},
    memory: new MemoryBudget(),
    startedAt: 0,
    signal: new AbortController().signal,
    report: (finding) => told.push(finding),
    ...(most === undefined ? {} : { most }),
  });
  return { store, told };
}

const broken = (): never => {
  throw new RangeError('Maximum call stack size exceeded');
};

const sound: Oracle = {
  api: 'router',
  judges: ['router.sound'],
  look: function* ({ id }) {
    yield { kind: 'check', rule: 'router.sound', outcome: 'pass', exchanges: [id], expected: '', got: '' };
  },
};

test.each<[string, Oracle]>([
  ['looks at an exchange', { api: 'router', judges: ['router.rule'], look: broken }],
  ['sums up', { api: 'router', judges: ['router.rule'], look: () => [], sumUp: broken }],
])('an oracle that fails when it %s costs its own rules an error, and no report', async (_, oracle) => {
  const { store, told } = storeWith([oracle, sound]);
  store.keep(exchangeOf({ id: 'x0001', status: 200 }));
  await store.settle('scenario', []);
  const { exchanges, outcome } = await store.close();
  expect(exchanges).toHaveLength(1);
  expect(outcome.checks.map(({ rule, outcome: seen }) => [rule, seen])).toEqual([['router.sound', 'pass']]);
  expect([...outcome.gaps].map(([rule, { verdict }]) => [rule, verdict])).toEqual([['router.rule', 'error']]);
  expect(told.map(({ kind }) => kind)).toEqual(['harness']);
});

test('oracles ignore exchanges that are not with the API', async () => {
  const { store } = storeWith([sound]);
  store.keep(exchangeOf({ id: 'x0001', status: 502 }));
  store.excludeFromOracles(['x0001']);
  const { exchanges, outcome } = await store.close();
  expect(exchanges).toHaveLength(1);
  expect(outcome.checks).toEqual([]);
});

test('where only the latest exchanges are kept, what an oracle knows of earlier ones is bounded', async () => {
  const known: Set<string>[] = [];
  const follower: Oracle = {
    api: 'router',
    judges: ['router.rule'],
    follow: () => {
      const own = new Set<string>();
      known.push(own);
      return ({ id }) => (own.add(id), []);
    },
  };
  const { store } = storeWith([follower], 2);
  for (let number = 0; number < 50; number += 1)
    store.keep(exchangeOf({ id: `x${String(number)}`, status: 200 }));
  await store.settle('scenario', []);
  expect(Math.max(...known.map(({ size }) => size))).toBeLessThanOrEqual(20);
  expect(known.flatMap((own) => [...own])).toHaveLength(50);
});
