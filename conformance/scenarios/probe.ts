import type { Json } from '../../contract/model.ts';
import type { StreamEvent } from '../http/event-stream.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { Fixtures } from '../target/fixtures.ts';
import type { Identity, Permission, Watched } from './scenario.ts';

/** A user's own probe: it judges rules of their sheet that no template judges. */
export interface Probe<Name extends string = string> {
  /** A description of what it sends, for plans and reports. */
  readonly title: string;
  /** Ids of the rules that it judges. It has to judge each of them, or to report why it does not. */
  readonly rules: readonly string[];
  /** All requests that it may send, by names of its choice. */
  readonly requests: Readonly<Record<Name, ProbeRequest>>;
  /** Permissions that it needs beyond those of its requests: a change needs `writes`, a change without a credential `negatives`. */
  readonly permissions?: readonly Permission[];
  /** Required fixtures, such as `parameters.roomId` or `cred.secondAccount`. */
  readonly needs?: readonly string[];
  /**
   * The time limit in milliseconds; default: 60 seconds. Rules that are not judged by then are inconclusive.
   */
  readonly budgetMs?: number;
  // A method, so that probes with different requests can be in one list.
  run(tools: ProbeTools<Name>): Promise<void>;
}

/** A request that a probe may send: an operation of the document, or any method and path below the base URL. */
export type ProbeRequest = (
  { readonly operation: string } | { readonly method: string; readonly path: string }
) & {
  /** How often it is sent at most; default: 1. */
  readonly times?: number;
  /**
   * The identity whose credential it uses; default: the usual caller, if the operation requires a credential.
   */
  readonly as?: Identity;
  /** `true` if the request violates the document: then the refusal need not be declared. */
  readonly isInvalid?: true;
  /** `true` if a 429 or a 503 is an answer to judge, and not an obstacle that leaves rules open. */
  readonly judgesRefusal?: true;
};

/** Values to send instead of those from the document, its examples and the fixtures. */
export interface ProbeInput {
  /** Values of parameters of the operation, by name. */
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes and strings are sent as they are, everything else as JSON; `null` sends no body. */
  readonly body?: unknown;
  /** Milliseconds to wait for the whole answer. */
  readonly timeoutMs?: number;
}

/** The functions of a probe. */
export interface ProbeTools<Name extends string = string> {
  /** Sends a request. Omitted values are filled in, so that the request is valid by the document. */
  readonly send: (name: Name, input?: ProbeInput) => Promise<Exchange>;
  /** Sends several requests so that they arrive at the same time. */
  readonly race: (name: Name, inputs: readonly ProbeInput[]) => Promise<readonly Exchange[]>;
  /** Reads an event stream until its end, until `until` holds, or for `timeoutMs`. */
  readonly watch: (
    name: Name,
    input?: ProbeInput & { readonly until?: (events: readonly StreamEvent[]) => boolean },
  ) => Promise<Watched>;
  /**
   * Judges a rule by the exchanges.
   *
   * @param holds whether the server conforms to the rule
   * @param expected the behaviour of a conforming server, for people
   * @param got the behaviour of this one; default: a summary of the last answer
   */
  readonly expect: (
    rule: string,
    seen: Exchange | readonly Exchange[],
    holds: boolean,
    expected: string,
    got?: string,
  ) => void;
  /** The rule was exercised, but something else prevented a verdict: it is inconclusive. */
  readonly undecided: (rule: string, seen: Exchange | readonly Exchange[], why: string) => void;
  /** Records an observation without a verdict: for a rule of the level `info`, or an open point of the sheet. */
  readonly observe: (id: string, seen: Exchange | readonly Exchange[], text: string) => void;
  /**
   * Ends the probe: the rules that are still open are not exercised.
   *
   * @param needs the fixture that would help, such as `parameters.roomId`
   */
  readonly notExercised: (why: string, needs?: string) => never;
  readonly fixtures: Fixtures;
  /** Milliseconds of the clock of the run. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** A unique text: for keys, names and other unique values. */
  readonly fresh: () => string;
  /** A value in [0, 1) from the seed of the run. */
  readonly random: () => number;
}

/** Returns the probe unchanged, and provides its type to editors. */
export function defineProbe<const Name extends string>(probe: Probe<Name>): Probe<Name> {
  return probe;
}
