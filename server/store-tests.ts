import { type Bench, SHORT_MS, type StoreUnderTest } from './store-tests/bench.ts';
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
      const { shortMs = SHORT_MS } = under;
      for (let times = 1; !(await isRun(run, under, shortMs * times, times === LONGEST));) times *= 4;
    },
  }));
}

// --- internal ---

/** How many times as long a short lease becomes for a store that is too slow for it. */
const LONGEST = 64;

/**
 * Runs a test.
 *
 * @returns whether it is over; a test with a short lease that failed is not, if the lease may have ended too early: the
 * store, or the machine, was too slow for it
 */
async function isRun(
  run: (bench: Bench) => Promise<void>,
  under: StoreUnderTest,
  shortMs: number,
  isLast: boolean,
): Promise<boolean> {
  let [turn, waitedMs, hasShort] = [0, 0, false];
  const begunAt = performance.now();
  try {
    await run({
      ...under,
      scope: `scope ${String(Math.random())}`,
      any: () => under.replicas[(turn += 1) % under.replicas.length] ?? under.replicas[0],
      async wait(ms) {
        const from = performance.now();
        await under.wait(ms);
        waitedMs += performance.now() - from;
      },
      get shortMs() {
        hasShort = true;
        return shortMs;
      },
    });
    return true;
  } catch (error) {
    const workedMs = performance.now() - begunAt - waitedMs;
    if (isLast || !hasShort || workedMs < shortMs / 2) throw error;
    return false;
  }
}
