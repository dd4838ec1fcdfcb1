import type { Exchange } from '../exchanges/exchange.ts';
import type { MemoryBudget } from '../exchanges/memory-budget.ts';
import type { AwaitTurn } from '../http/rate.ts';
import type { RetryWaits } from '../http/retry-after.ts';
import type { RequestPlan } from '../scenarios/scenario.ts';
import type { Target } from '../target/target.ts';
import type { WriteLedger } from '../writes/ledger.ts';
import type { Clock, Transport } from '../http/transport.ts';

/** The shared state for the requests of a run. */
export interface RequestHost {
  readonly target: Target;
  readonly transportTo: (api: string) => Transport;
  readonly clock: Clock;
  readonly turn: AwaitTurn;
  readonly waits: RetryWaits;
  /** Extends the time limits of all scenarios, because any of them may be waiting for a resource. */
  readonly extendAll?: (milliseconds: number) => void;
  /** How many random requests each fuzzing scenario may send; default 0. */
  readonly fuzz?: number | undefined;
  /** How many requests each searching scenario may send; default 0. */
  readonly explore?: number | undefined;
  /** The time limit of a read in milliseconds; for a run the server's deadline always applies. */
  readonly readTimeoutMs?: number | undefined;
  /** Counts a request before it is sent, and assigns an id to its exchange. */
  readonly nextId: (plan: Pick<RequestPlan, 'method' | 'as' | 'bodyOpens' | 'takesBack'>) => string;
  readonly keep: (exchange: Exchange) => void;
  /** What the run makes and changes; absent if it only repeats requests. */
  readonly ledger?: Pick<WriteLedger, 'require' | 'see'> | undefined;
  /** The memory for answers; without it, each answer has only its own limit. */
  readonly memory?: Pick<MemoryBudget, 'take'> | undefined;
  /** Excludes exchanges from the oracles that are not with the API. */
  readonly excludeFromOracles?: ((ids: readonly string[]) => void) | undefined;
  readonly obtained: Map<string, Promise<unknown>>;
  /** Ends the run. */
  readonly signal: AbortSignal;
  readonly freshKey: () => string;
  readonly random: (owner: string) => () => number;
}
