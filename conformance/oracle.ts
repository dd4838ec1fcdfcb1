import type { Exchange } from './exchange.ts';
import type { StoredExchange } from './report.ts';
import type { Check, Observation } from './scenario.ts';

/** Judges one exchange. */
export type Look = (exchange: Exchange) => Iterable<Check | Observation>;

/** Looks at every exchange of an API, whichever probe sent it; what it never meets stays not exercised. */
export interface Oracle {
  readonly api: string;
  readonly judges: readonly string[];
  /** What an exchange shows by itself. */
  readonly look?: Look;
  /**
   * What an exchange shows together with earlier ones. One is made for each run; it gets the exchanges of a scenario in the
   * order in which they ended.
   */
  readonly follow?: () => Look;
  /** What only all answered exchanges together can tell, without their bodies. */
  readonly sumUp?: (exchanges: readonly StoredExchange[]) => Iterable<Check | Observation>;
}
