import type { Exchange } from './exchange.ts';
import type { Check, Observation } from './scenario.ts';

/** Looks at every exchange of an API, whoever sent it; what it never meets stays not exercised. */
export interface Oracle {
  readonly api: string;
  readonly judges: readonly string[];
  readonly look: (exchange: Exchange) => Iterable<Check | Observation>;
  /** What only all exchanges together can tell. */
  readonly sumUp?: (exchanges: readonly Exchange[]) => Iterable<Check | Observation>;
}
