import type { OwnContractName } from '../contract/index.ts';
import type { Contract } from '../contract/model.ts';
import type { AnswerDefaults } from './samples/answer-choice.ts';
import type { AssumptionOverrides } from './assumptions.ts';
import type { Profile } from './profile.ts';
import type { Clock } from './state/clock.ts';
import type { CorsOption } from './call/cors.ts';
import type { ScenarioToForce } from './control/steering-shape.ts';
import type { ModuleOptions } from './apis/module-settings.ts';
import type { OwnMockModules } from './own-module.ts';

/** The options of `createMock`, all of them optional. */
export interface MockOptions extends ModuleOptions {
  /** The built-in contracts to serve; default: all. */
  readonly apis?: readonly OwnContractName[];
  /** Copies of built-in contracts, by name: served instead of the packaged ones. */
  readonly ownContracts?: readonly Contract[];
  /** Users' own contracts, answered with the examples of their documents. */
  readonly contracts?: readonly Contract[];
  /** The user's own code for the mocks of these contracts, by the names of contracts. */
  readonly modules?: OwnMockModules;
  /** How answers of users' documents are chosen, if a request does not ask for a specific one. */
  readonly answers?: {
    readonly defaults?: AnswerDefaults;
    /** Answer 500 instead of an answer that violates the document. */
    readonly strict?: boolean;
  };
  /** Default: the time of this machine; with a `seed`, a clock that starts on a fixed day. */
  readonly clock?: Clock;
  /**
   * With a seed, equal calls in equal order get equal bytes in each run, including ids, cursors and generated
   * data; use a virtual or a stopped clock as well. Default: random.
   */
  readonly seed?: string;
  /** Rules to break on purpose: ids of `listDeviations()`. */
  readonly deviations?: readonly string[];
  readonly profile?: Profile;
  /** The time limit of a run, in milliseconds; default: that of the contract. */
  readonly deadlineMs?: number;
  /**
   * The limit for running calls of one caller, at operations whose capacity the sheet of a user's contract
   * bounds; default: the number in the sheet.
   */
  readonly callsInFlight?: number;
  /** Choices where the contract is silent, if they should differ from the behaviour sheets. */
  readonly assumptions?: AssumptionOverrides;
  /** The public address for clients; default: that of each request. */
  readonly publicUrl?: string;
  readonly cors?: CorsOption;
  /** The folder for state that outlives the process; default: state is only kept in memory. */
  readonly data?: string;
  /** Scenarios that are active from the start, and again after each reset. */
  readonly scenarios?: readonly ScenarioToForce[];
  /** With `prism`, Prism validates every request and answer as a whole: slower, with the same findings. */
  readonly judge?: 'prism';
  /** How many exchanges the journal keeps. */
  readonly journalSize?: number;
}
