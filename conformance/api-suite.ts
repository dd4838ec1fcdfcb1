import type { DeclaredApi } from './declared-api.ts';
import type { StatesStock } from './health/stocks.ts';
import type { Loss } from './health/health.ts';
import type { Oracle } from './oracle.ts';
import type { Outcome } from './verdicts/outcome.ts';
import type { Preflight } from './scenarios/preflight.ts';
import type { Identity, Permission, Scenario } from './scenarios/scenario.ts';
import type { ApiWrites } from './writes/made-thing.ts';
import type { Target } from './target/target.ts';

/** The suite's code for one API: everything beyond its contract. */
export interface ApiSuite extends DeclaredApi {
  /**
   * Of a module: the cases of policies, as `policy.case` or as `policy` for all of its cases, whose rules the templates judge. The
   * rest is judged by the module alone.
   */
  readonly byTemplates?: readonly string[];
  /** Of a module: what a call of an operation needs where templates make it, by the id of the operation. */
  readonly calls?: Readonly<Record<string, { readonly permission: Permission; readonly fixture: string }>>;
  /** Of a module: its own callers in place of those that templates know. */
  readonly callers?: Partial<Readonly<Record<Identity, Identity>>>;
  /** Of a module: its fixtures by what templates call them, such as `occasions.runModel.slow`. */
  readonly fixtureNames?: Readonly<Record<string, string>>;
  /** In the order in which they run. */
  readonly scenarios: readonly Scenario[];
  /**
   * Only if the caller states how many requests they may send: they search for more violations of rules that
   * others judge.
   */
  readonly fuzzScenarios: readonly Scenario[];
  /** Random courses over a model of the API, after everything else. */
  readonly explorations?: readonly Scenario[];
  readonly oracles: readonly Oracle[];
  /** Rules of oracles about secrets. A violation is more severe than the level in the contract suggests. */
  readonly secrecyRules?: readonly string[];
  /** Absent if no read shows whether the API is served; then a foreign 404 shows that it is not. */
  readonly preflight?: Preflight;
  /** What its requests make and change; absent if they make nothing that can be told apart. */
  readonly writes?: ApiWrites;
  /** Whether an answer refuses one thing too many; absent if the contract states no such bound. */
  readonly statesStock?: StatesStock;
  /** Judges requests without a complete response. */
  readonly judgeLosses?: (losses: readonly Loss[], target: Target) => Outcome;
}
