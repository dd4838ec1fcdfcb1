import type { OwnContractName } from '../contract/index.ts';
import type { Contract } from '../contract/model.ts';
import type { AnswerDefaults } from './samples/answer-wish.ts';
import type { AssumptionOverrides } from './assumptions.ts';
import type { Profile } from './profile.ts';
import type { Clock } from './state/clock.ts';
import type { CorsOption } from './call/cors.ts';
import type { ScenarioToForce } from './control/shape.ts';
import type { ModuleOptions } from './apis/module-settings.ts';
import type { OwnMockModules } from './own-module.ts';

/** What `createMock` takes. Every member is optional. */
export interface MockOptions extends ModuleOptions {
  /** The built-in contracts to serve; all of them when left out. */
  readonly apis?: readonly OwnContractName[];
  /** Copies of built-in contracts, by their names: served in place of the packaged ones. */
  readonly ownContracts?: readonly Contract[];
  /** Contracts of a user's own, answered with the examples of their documents. */
  readonly contracts?: readonly Contract[];
  /** Code of a user's own for the mocks of these contracts, by the names of contracts. */
  readonly modules?: OwnMockModules;
  /** How documents of a user's own are answered from, where a request does not ask for an answer. */
  readonly answers?: {
    readonly defaults?: AnswerDefaults;
    /** Answer 500 instead of an answer that the document does not allow. */
    readonly strict?: boolean;
  };
  /** The time of this machine when left out; with a `seed`, a clock that starts on a fixed day. */
  readonly clock?: Clock;
  /**
   * Equal calls in equal order get equal bytes in each run with this seed, ids, cursors and made-up data included: give a
   * virtual or a stopped clock as well. Random when left out.
   */
  readonly seed?: string;
  /** Rules to break on purpose: ids of `listDeviations()`. */
  readonly deviations?: readonly string[];
  readonly profile?: Profile;
  /** How long a run may take, in milliseconds; the contract's default when left out. */
  readonly deadlineMs?: number;
  /**
   * How many calls of one caller may run at once, at operations whose capacity the sheet of a user's own contract bounds;
   * the number of the sheet when left out.
   */
  readonly callsInFlight?: number;
  /** Choices where the contract is silent, if they should differ from the behaviour sheets. */
  readonly assumptions?: AssumptionOverrides;
  /** The address that clients use; that of each request when left out. */
  readonly publicUrl?: string;
  readonly cors?: CorsOption;
  /** The folder in which state outlives the process; in memory only when left out. */
  readonly data?: string;
  /** Scenarios that work from the beginning, and again after each reset. */
  readonly scenarios?: readonly ScenarioToForce[];
  /** `prism` has Prism judge every request and answer as a whole: slower, and with the same findings. */
  readonly judge?: 'prism';
  /** How many exchanges the journal keeps. */
  readonly journalSize?: number;
}
