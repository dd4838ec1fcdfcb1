import type { Exchange } from './exchange.ts';
import type { StoredExchange } from './report.ts';
import type { Check, Observation } from './scenario.ts';

/** Looks at every exchange of an API, whoever sent it; what it never meets stays not exercised. */
export interface Oracle {
  readonly api: string;
  readonly judges: readonly string[];
  readonly look: (exchange: Exchange) => Iterable<Check | Observation>;
  /** What only all answered exchanges together can tell, without their bodies. */
  readonly sumUp?: (exchanges: readonly StoredExchange[]) => Iterable<Check | Observation>;
}
