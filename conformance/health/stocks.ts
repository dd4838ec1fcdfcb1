import { isSuccess } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { foreignOf } from '../exchanges/foreign.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import type { RequestPlan } from '../scenarios/scenario.ts';
import type { RunFinding } from '../verdicts/report.ts';

/** Whether the sheet states that an answer refuses one thing too many. */
export type StatesStock = (exchange: Exchange) => boolean;

/**
 * Tells a bound on things that exist from a rate. Waiting lifts a rate; only a removal lifts such a bound. It shows where one
 * operation that creates is refused again after the wait that it asked for, created nothing in between, and no other operation
 * is refused.
 */
export class Stocks {
  readonly #states: StatesStock;
  readonly #holds: (api: string, operation: string) => boolean;
  /** By API: the operations that were refused with 429. */
  readonly #limited = new Map<string, Set<string>>();
  /** By API and operation: the last creation. */
  readonly #created = new Map<string, number>();
  readonly #full = new Set<string>();
  /** By API and operation: what is reported at the end. */
  readonly #reported = new Map<string, { readonly how: string; readonly exchanges: string[] }>();

  /** @param holds whether something that the operation made still exists */
  constructor(states: StatesStock, holds: (api: string, operation: string) => boolean) {
    this.#states = states;
    this.#holds = holds;
  }

  /** Whether an answer is about the number of things, also where its status is not that of a limit. */
  isStated(plan: RequestPlan, seen: Exchange): boolean {
    return creates(plan) && plan.judgesRefusal !== true && this.#states(seen);
  }

  /** Whether other operations have to wait after this refusal as well: a bound on things does not concern them. */
  concernsOthers(plan: RequestPlan, seen: Exchange): boolean {
    return !creates(plan) || foreignOf(seen) !== undefined;
  }

  see(plan: RequestPlan, seen: Exchange): void {
    const { operation, api } = seen;
    if (operation === undefined) return;
    const key = `${api} ${operation}`;
    if (seen.status === 429) {
      const limited = this.#limited.get(api) ?? new Set();
      this.#limited.set(api, limited.add(operation));
    } else if (creates(plan) && isSuccess(seen)) {
      this.#created.set(key, seen.endedAt);
      this.#full.delete(key);
    }
  }

  /**
   * Whether a refusal is not waited for, because only a removal would lift it.
   *
   * @param attempts the refusals of one request, the last one last
   */
  isFull(plan: RequestPlan, attempts: readonly Exchange[]): boolean {
    const [first, last] = [attempts[0], attempts.at(-1)];
    if (first === undefined || last?.operation === undefined || !creates(plan)) return false;
    const { api, operation, startedAt } = last;
    const key = `${api} ${operation}`;
    if (this.#states(last)) return this.#report(key, plan, attempts, 'the sheet states such a bound');
    const isAlone = [...(this.#limited.get(api) ?? [])].every((one) => one === operation);
    if (last.status !== 429 || !isAlone) return false;
    if (this.#full.has(key)) return this.#report(key, plan, attempts, WAITED);
    const asked = retryAfterMs(last, last.endedAt);
    // Things of the run may fill it: its scenario is tried again when they are gone.
    if (asked !== undefined && asked > LONGEST_MS && this.#holds(api, operation))
      return this.#report(
        key,
        plan,
        attempts,
        'things of this run exist, and the wait that it asks for is long',
      );
    const hasCreated = (this.#created.get(key) ?? -Infinity) >= first.startedAt;
    const hasWaited = attempts.length > (asked === undefined ? MOST_UNASKED : 1);
    if (hasCreated || !hasWaited || startedAt === first.startedAt) return false;
    this.#full.add(key);
    return this.#report(key, plan, attempts, WAITED);
  }

  /** Whether anything was refused because of the number of things. */
  get hasSeen(): boolean {
    return this.#reported.size > 0;
  }

  /** One finding for each operation. */
  findings(): readonly RunFinding[] {
    return [...this.#reported].map(([about, { how, exchanges }]) => ({
      kind: 'doubt',
      about,
      says: how,
      help: 'Such a bound counts things that exist: the run did not wait for it. Remove the things of earlier runs, send fewer requests at once (--concurrency 1), or state the bound in the sheet: capacity with things. Rules that need more things are inconclusive.',
      exchanges: exchanges.slice(0, 5),
    }));
  }

  #report(key: string, { method, target }: RequestPlan, attempts: readonly Exchange[], why: string): true {
    const status = attempts.at(-1)?.status ?? 0;
    const how = `${method} ${target.replace('{?query}', '')} refuses further things with ${status}: ${why}`;
    const known = this.#reported.get(key) ?? { how, exchanges: [] };
    this.#reported.set(key, known);
    if (known.exchanges.length < MOST_NAMED) known.exchanges.push(...attempts.map(({ id }) => id));
    return true;
  }
}

// --- internal ---

const WAITED = 'it still does after a wait, and nothing else is refused';

/** A longer wait is not begun while things of the run may be its cause, in milliseconds. */
const LONGEST_MS = 30_000;

/** How often a refusal without `Retry-After` is repeated, after a second each. */
const MOST_UNASKED = 4;

const MOST_NAMED = 5;

function creates({ effect }: RequestPlan): boolean {
  return effect?.kind === 'creates';
}
