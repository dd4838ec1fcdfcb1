import type { Exchange } from './exchanges/exchange.ts';
import type { StoredExchange } from './verdicts/report.ts';
import type { Check, Observation } from './scenarios/scenario.ts';

/** Judges one exchange. */
export type Look = (exchange: Exchange) => Iterable<Check | Observation>;

/**
 * Examines every exchange of an API, regardless of the probe that sent it. Rules for which it sees no
 * exchange stay not exercised.
 */
export interface Oracle {
  readonly api: string;
  readonly judges: readonly string[];
  /** Judges one exchange. */
  readonly look?: Look;
  /**
   * Judges an exchange together with earlier ones. One is made for each run; it receives the exchanges of a
   * scenario in the order in which they ended.
   */
  readonly follow?: () => Look;
  /** Judges all answered exchanges together, without their bodies. */
  readonly sumUp?: (exchanges: readonly StoredExchange[]) => Iterable<Check | Observation>;
}
