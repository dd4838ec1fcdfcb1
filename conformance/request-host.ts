import type { Exchange } from './exchange.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { AwaitTurn } from './rate.ts';
import type { RetryWaits } from './retry-after.ts';
import type { RequestPlan } from './scenario.ts';
import type { Target } from './target.ts';
import type { Clock, Transport } from './transport.ts';

/** What the requests of a run have in common. */
export interface RequestHost {
  readonly target: Target;
  readonly transportTo: (api: string) => Transport;
  readonly clock: Clock;
  readonly turn: AwaitTurn;
  readonly waits: RetryWaits;
  /** Moves the time limits of all scenarios: any of them may be waiting for a resource. */
  readonly extendAll?: (milliseconds: number) => void;
  /** How many random requests each scenario that fuzzes may send; default 0. */
  readonly fuzz?: number | undefined;
  /** How many requests each scenario that searches may send; default 0. */
  readonly explore?: number | undefined;
  /** Milliseconds that a read may take; a run always has the server's deadline. */
  readonly readTimeoutMs?: number | undefined;
  /** Counts a request that is about to be sent, and gives its exchange an id. */
  readonly nextId: (plan: Pick<RequestPlan, 'method' | 'as' | 'bodyOpens'>) => string;
  readonly keep: (exchange: Exchange) => void;
  /** Where the memory for answers comes from; without it there is no bound but that of each. */
  readonly memory?: Pick<MemoryBudget, 'take'> | undefined;
  /** Takes exchanges that are not with the API from the oracles. */
  readonly markStrange?: ((ids: readonly string[]) => void) | undefined;
  readonly obtained: Map<string, Promise<unknown>>;
  /** Ends the run. */
  readonly signal: AbortSignal;
  readonly freshKey: () => string;
  readonly random: (owner: string) => () => number;
}
