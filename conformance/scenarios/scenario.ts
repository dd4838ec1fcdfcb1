import type { CredentialPlace } from '../../contract/index.ts';
import type { CallEffect } from '../writes/effect.ts';
import type { OwnServer } from '../../contract/document/own-server.ts';
import type { ApiIdentity } from '../apis/declared.ts';
import type { Credential, CredentialForm } from '../target/credential.ts';
import type { Fixtures } from '../target/fixtures.ts';
import type { Occasion } from '../target/occasions.ts';
import type { StreamEvent } from '../http/event-stream.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { Clock } from '../http/transport.ts';

export { Hindered } from './hindered.ts';

/** The permissions beyond reading and beyond calls without a usable credential. */
export const permissions = ['negatives', 'writes', 'billed', 'publish', 'jobs', 'slow', 'long'] as const;
/** A permission for a part of the suite. */
export type Permission = (typeof permissions)[number];

/**
 * The caller whose credential a request carries. `none`, `unusable` and `refused` have no access; all others
 * are usable somewhere, so a POST with them needs a permission.
 */
export type Identity = 'none' | 'unusable' | OwnIdentity | ApiIdentity;

/** The callers that any API can have. */
export type OwnIdentity =
  | 'valid'
  | 'apiKey'
  | 'apiKeyAsBearer'
  | 'jwt'
  | 'forbidden'
  | 'secondAccount'
  | 'secondValid'
  | 'secondKey'
  | 'secondToken'
  | 'noCredits'
  | 'narrow'
  | 'refused';

/** A possible request, declared so that a plan can be printed and the number limited. */
export interface RequestPlan {
  readonly method: string;
  /** Below the base URL. `{name}` is replaced when it is sent, character by character as given. */
  readonly target: string;
  readonly as: Identity;
  /**
   * The caller whose credential a call may have that needs none by the document. `if-known`: the document allows it, so it
   * is sent if it is given. `if-wanted`: the document has none, so it is sent only after the server asked for it.
   */
  readonly credential?: { readonly as: Identity; readonly sent: 'if-known' | 'if-wanted' };
  /**
   * The forms of the credentials that the operation takes, those that only other operations of the document take, and the
   * caller whose credential is missing if only one of the latter is known. Callers with several credentials send one that fits.
   */
  readonly takes?: {
    readonly forms: readonly CredentialForm[];
    readonly others: readonly CredentialForm[];
    readonly instead: 'valid' | 'apiKey' | 'jwt';
  };
  /** The maximum number of times. */
  readonly times: number;
  /** `true` if the caller decides how often: then `times` is ignored. */
  readonly perFuzz?: boolean;
  /** The share, above 0 and up to 1, of the requests of a search: then `times` is ignored. */
  readonly perExplore?: number;
  /** `true` if the scenario skips it when its caller is not known. */
  readonly isOptional?: boolean;
  /**
   * Parameters of the fixtures file with which the request is not needed: then its scenario runs although the operation
   * is left out.
   */
  readonly sparedBy?: readonly string[];
  /** `true` if the scenario continues without it when its operation is left out. */
  readonly isSpare?: true;
  /** `true` if a 429 or a 503 is an answer to judge and not an obstacle. */
  readonly judgesRefusal?: boolean;
  /** `true` if the test is about whether the credential is accepted. */
  readonly judgesCredential?: boolean;
  /**
   * `true` if the body alone may give access although the headers do not: it counts like a call with a usable
   * credential.
   */
  readonly bodyOpens?: boolean;
  /** `true` if the target is a path of the origin, such as a link, and not one below the base URL. */
  readonly fromOrigin?: boolean;
  /** The server of the operation, if that has one of its own. */
  readonly server?: OwnServer;
  /** The operation of a user's own document that it calls. */
  readonly operation?: string;
  /** What a call of that operation does to the server; absent for the requests of modules and of a user's own probes. */
  readonly effect?: CallEffect;
  /** `true` if it removes something that the run made, after its scenario. */
  readonly takesBack?: true;
  /** `true` if the request violates the document: then its refusal need not be declared. */
  readonly isInvalid?: true;
  /**
   * For an operation that requires several credentials together. A call without a caller omits all of them,
   * or exactly one.
   */
  readonly together?: { readonly places: readonly CredentialPlace[]; readonly lacks?: CredentialPlace };
}

export type RequestPlans = Readonly<Record<string, RequestPlan>>;

export interface SendOptions {
  /** Values for the `{names}` of the target. */
  readonly fill?: Readonly<Record<string, string>>;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Bytes and text are sent unchanged; anything else as JSON. */
  readonly body?: unknown;
  /** Aborting drops the connection; the exchange then has no answer. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the whole answer; the default suits a read. */
  readonly timeoutMs?: number;
  /** For `unusable`: the text sent instead of a credential. */
  readonly credential?: Credential | readonly [header: string, value: string];
  /** `true` to send the body in chunks, without its length. */
  readonly isChunked?: boolean;
  /** The media type of the body, if it is not plain `application/json`. */
  readonly contentType?: string;
  /** What the fixtures say that the call brings about. */
  readonly occasion?: Occasion;
}

/** One of several requests that arrive at the same time. */
export interface NamedRequest<Name extends string = string> {
  readonly name: Name;
  readonly options: SendOptions;
}

export interface WatchOptions extends SendOptions {
  /** Ends the watch and disconnects, once it returns true for the events so far. */
  readonly until?: (events: readonly StreamEvent[]) => boolean;
  /** Once `when` returns true, the server has this many milliseconds to end the stream itself. */
  readonly grace?: { readonly when: (events: readonly StreamEvent[]) => boolean; readonly ms: number };
  /** Ends the watch if no further event arrives for this many milliseconds after one. */
  readonly idleMs?: number;
  /** `true` if a stream without any response is not lost: a server may send its head with the first event. */
  readonly mayBeSilent?: boolean;
  /** Once it resolves, the server has this many milliseconds to end the stream itself. */
  readonly endsWithin?: Promise<number>;
}

/** The result of reading an event stream. */
export interface Watched {
  /**
   * Its body is everything that was received, even if the suite disconnected. It has no answer if the stream may be
   * silent, and was.
   */
  readonly exchange: Exchange;
  readonly events: readonly StreamEvent[];
  /**
   * `end`: the server ended it; `cut`: the connection broke; `enough`: the suite had seen enough; `timeout`:
   * it stayed open.
   */
  readonly ended: 'end' | 'cut' | 'enough' | 'timeout';
}

/** The functions of a scenario; it has no other access to the server. */
export interface Session<Name extends string = string> {
  /** @throws {Hindered} when a 429, a 503 or the network prevents a request that is not about them */
  readonly send: (name: Name, options?: SendOptions) => Promise<Exchange>;
  /** Sends several requests so that they arrive at the same time. Failed requests are in the result too. */
  readonly race: (name: Name, options: readonly SendOptions[]) => Promise<readonly Exchange[]>;
  /** The same for requests of several plans. */
  readonly together: (requests: readonly NamedRequest<Name>[]) => Promise<readonly Exchange[]>;
  /** Reads an event stream until its end, until `until` holds, or for `timeoutMs`. */
  readonly watch: (name: Name, options?: WatchOptions) => Promise<Watched>;
  /** The value of a resource; it is obtained once in a run. */
  readonly obtain: <Value>(resource: Resource<Value>) => Promise<Value>;
  readonly fixtures: Fixtures;
  readonly clock: Clock;
  /**
   * The contract's schema for the body of an operation, with the document in which its references are
   * resolved.
   */
  readonly requestBody: (operation: string) => { readonly document: unknown; readonly schema: unknown };
  /** How many random requests a scenario that fuzzes may send. */
  readonly fuzz: number;
  /** How many requests a scenario that searches may send. */
  readonly explore: number;
  /**
   * Ids of the calls of this run that had no complete response, although the suite waited for one: the server may
   * still be running them, and what they use is not known to be free.
   */
  readonly lostCalls: () => readonly string[];
  /** Whether this caller's credential is known, or not required. */
  readonly knows: (as: Identity) => boolean;
  /** Whether the user chose not to call an operation. */
  readonly leavesOut: (operation: string) => boolean;
  /** Requests from now on form a new course. */
  readonly startCourse: () => void;
  /** A key that no other call uses. */
  readonly freshKey: () => string;
  /** A value in [0, 1) from the seed of the run and the id of the scenario. */
  readonly random: () => number;
  /** How long a run may take on this server, in milliseconds. */
  readonly deadlineMs: number;
  /** How long a read is waited for, in milliseconds. */
  readonly readTimeoutMs: number;
}

/** A judgement of one rule by some exchanges. */
export interface Check {
  readonly kind: 'check';
  readonly rule: string;
  readonly outcome: 'pass' | 'fail' | 'inconclusive';
  /** For a failure that alone is a warning, also of a rule that is a must. */
  readonly isMild?: true;
  readonly exchanges: readonly string[];
  /** The behaviour of a conforming server, or why no decision was possible. */
  readonly expected: string;
  readonly got: string;
  /**
   * What broke the rule, without what only this exchange has, such as `500 for a valid request`: reports put rules with
   * the same cause together.
   */
  readonly cause?: string;
  /** How many equal judgements it represents; default: 1. */
  readonly times?: number;
}

/** An observation without a verdict: about an informative rule, or a point that the contract leaves open. */
export interface Observation {
  readonly kind: 'observation';
  /** A rule id, or the id of an unspecified point. */
  readonly id: string;
  readonly seen: string;
  readonly exchanges: readonly string[];
}

/** Few scenarios, many checks: one sends requests and judges all the rules that they concern. */
export interface Scenario<Plans extends RequestPlans = RequestPlans> {
  readonly id: string;
  readonly api: string;
  readonly title: string;
  /** All of them are needed. */
  readonly permissions: readonly Permission[];
  /** Names of fixtures; all of them are needed. */
  readonly needs: readonly string[];
  /** Names of fixtures with which it judges more. */
  readonly alsoTakes?: readonly string[];
  /** The surfaces of the jobs that it applies to; if left out, all. */
  readonly surfaces: readonly string[];
  readonly judges: readonly string[];
  readonly uses: readonly Resource<unknown>[];
  readonly requests: Plans;
  /** Scenarios that name the same lock do not run at the same time. */
  readonly lock: string | undefined;
  /** `true` if it compares several answers: nothing that may change them runs at the same time. */
  readonly isUndisturbed: boolean;
  /** `true` if it may use up an account's capacity: nothing that needs capacity runs at the same time. */
  readonly fillsCapacity: boolean;
  /** `true` if it runs before all others: a server may still count what they made, or remember what they read last. */
  readonly isFirst: boolean;
  /** Rules that it judges by several cases: if it is hindered, the cases judged before do not decide them. */
  readonly severalCases: readonly string[];
  /** Rules that other scenarios decide. This one searches for violations, and leaves no rule open. */
  readonly searches: readonly string[];
  /**
   * The time limit in milliseconds; rules that are not judged by then are inconclusive. The deadline of a run
   * is added for each POST.
   */
  readonly budgetMs: number;
  /** The environment can change its verdict: with `retries` it may be repeated. */
  readonly sensitive: boolean;
  /** It searches for violations of rules that other scenarios decide, and leaves no rule open. */
  readonly isSearch: boolean;
  // A method, so that scenarios with different plans can be in one list.
  run(session: Session<Extract<keyof Plans, string>>): AsyncGenerator<Check | Observation, void>;
}

/** A value that several scenarios use and that is requested once. */
export interface Resource<Value> {
  readonly id: string;
  readonly api: string;
  readonly requests: RequestPlans;
  readonly uses: readonly Resource<unknown>[];
  readonly obtain: (session: Session) => Promise<Value>;
}

type Optional =
  | 'surfaces'
  | 'permissions'
  | 'needs'
  | 'uses'
  | 'lock'
  | 'isUndisturbed'
  | 'fillsCapacity'
  | 'isFirst'
  | 'severalCases'
  | 'searches'
  | 'budgetMs'
  | 'sensitive'
  | 'isSearch';

/** The rules that are open until the scenario has judged them. */
export function decidedBy({
  judges,
  searches,
  isSearch,
}: Pick<Scenario, 'judges' | 'searches' | 'isSearch'>): readonly string[] {
  return isSearch ? [] : judges.filter((rule) => !searches.includes(rule));
}

/** Adds the default options of a read to a scenario. */
export function scenario<const Plans extends RequestPlans>(
  parts: Omit<Scenario<Plans>, Optional> & Partial<Pick<Scenario<Plans>, Optional>>,
): Scenario<Plans> {
  return {
    permissions: [],
    surfaces: [],
    needs: [],
    uses: [],
    lock: undefined,
    isUndisturbed: false,
    fillsCapacity: false,
    isFirst: false,
    severalCases: [],
    searches: [],
    budgetMs: 60_000,
    sensitive: false,
    isSearch: false,
    ...parts,
  };
}

export function resource<Value>(
  parts: Omit<Resource<Value>, 'uses'> & { readonly uses?: readonly Resource<unknown>[] },
): Resource<Value> {
  return { uses: [], ...parts };
}

/**
 * A precondition is missing that can only be checked during the run: the rules that are still open are not
 * exercised.
 */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
  readonly needs: string;
  constructor(needs: string, why?: string) {
    super(why ?? `needs ${needs}`);
    this.needs = needs;
  }
}

/**
 * A call that the server refused, although all of it is what fixtures say. Whether they or the state of the server are at fault is
 * open in a contract of which nothing more is known.
 */
export class RefusedFixture extends NotExercised {
  readonly refused: Exchange;
  constructor(fixture: string, refused: Exchange, why: string) {
    super(fixture, why);
    this.refused = refused;
  }
}

/**
 * A declared fixture does not behave as declared: one error, instead of a failure of every rule that uses it.
 */
export class BrokenFixture extends Error {
  override readonly name = 'BrokenFixture';
  readonly fixture: string;
  readonly exchanges: readonly string[];
  constructor(fixture: string, message: string, exchanges: readonly string[] = []) {
    super(message);
    this.fixture = fixture;
    this.exchanges = exchanges;
  }
}

/** A user's own probe failed: the rules that are still open are not judged, and its author has to fix it. */
export class BrokenProbe extends Error {
  override readonly name = 'BrokenProbe';
  constructor(title: string, cause: unknown) {
    super(`the probe "${title}" failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
