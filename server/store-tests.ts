import { SHORT_MS, type StoreUnderTest } from './store-tests/bench.ts';
import { capacity } from './store-tests/capacity.ts';
import { claims } from './store-tests/claims.ts';
import { ends } from './store-tests/ends.ts';
import { leases } from './store-tests/leases.ts';
import { values } from './store-tests/values.ts';

export type { StoreUnderTest } from './store-tests/bench.ts';

/** One test that a store has to pass. */
export interface StoreTest {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/**
 * The requirements for every store, including races and crashes. For any test runner: `for (const { name, run
 * } of storeTests(open)) test(name, run)`. Every test uses its own names, so that one engine is enough for
 * all of them.
 *
 * @param open returns the store; called once for each test
 */
export function storeTests(open: () => StoreUnderTest | Promise<StoreUnderTest>): readonly StoreTest[] {
  return Object.entries({ ...claims, ...leases, ...ends, ...values, ...capacity }).map(([name, run]) => ({
    name,
    run: async () => {
      const under = await open();
      let turn = 0;
      await run({
        ...under,
        shortMs: under.shortMs ?? SHORT_MS,
        scope: `scope ${String(Math.random())}`,
        any: () => under.replicas[(turn += 1) % under.replicas.length] ?? under.replicas[0],
      });
    },
  }));
}
