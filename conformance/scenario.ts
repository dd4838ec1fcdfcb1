import type { CredentialPlace } from '../contract/index.ts';
import type { ApiIdentity } from './apis/declared.ts';
import type { Credential } from './credential.ts';
import type { Fixtures } from './fixtures.ts';
import type { StreamEvent } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import type { Clock } from './transport.ts';

export { Hindered } from './hindered.ts';

/** What the caller must allow beyond reading and beyond calls without a usable credential. */
export const permissions = ['negatives', 'writes', 'billed', 'publish', 'jobs', 'slow', 'long'] as const;
/** A permission that opens a part of the suite. */
export type Permission = (typeof permissions)[number];

/**
 * Whose credential a request carries. `none`, `unusable` and `refused` reach nothing; all others are usable somewhere, so that a
 * POST with them needs a permission.
 */
export type Identity = 'none' | 'unusable' | OwnIdentity | ApiIdentity;

/** The callers that any API can have. */
export type OwnIdentity =
  'valid' | 'apiKey' | 'apiKeyAsBearer' | 'jwt' | 'forbidden' | 'secondAccount' | 'noCredits' | 'refused';

/** A request that may be sent, declared so that a plan can be printed and a bound be kept. */
export interface RequestPlan {
  readonly method: string;
  /** Below the base URL. `{name}` is filled in when it is sent, character by character as given. */
  readonly target: string;
  readonly as: Identity;
  /** At most so many. */
  readonly times: number;
  /** `true` where the caller says how often: `times` counts for nothing then. */
  readonly perFuzz?: boolean;
  /** The share, above 0 and up to 1, of what a search may send: `times` counts for nothing then. */
  readonly perExplore?: number;
  /** `true` where the scenario does without it if its caller is not known. */
  readonly isOptional?: boolean;
  /** `true` where a 429 or a 503 is an answer to judge and not an obstacle. */
  readonly judgesRefusal?: boolean;
  /** `true` where it is judged whether the credential is taken at all. */
  readonly judgesCredential?: boolean;
  /** `true` where the body alone may open what the headers do not: it counts like a call with a usable credential. */
  readonly bodyOpens?: boolean;
  /** `true` where the target is a path of the origin, such as a link, and not one below the base URL. */
  readonly fromOrigin?: boolean;
  /** The operation of a user's own document that it calls. */
  readonly operation?: string;
  /** `true` where the document does not allow what is sent: whatever refuses it need not be declared. */
  readonly isInvalid?: true;
  /** Where the operation wants several credentials together. A call without a caller has none of them, or all but one. */
  readonly together?: { readonly places: readonly CredentialPlace[]; readonly lacks?: CredentialPlace };
}

export type RequestPlans = Readonly<Record<string, RequestPlan>>;

export interface SendOptions {
  /** Values for the `{names}` of the target. */
  readonly fill?: Readonly<Record<string, string>>;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Bytes and text go out as they are; anything else as JSON. */
  readonly body?: unknown;
  /** Aborting drops the connection; the exchange then has no answer. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the whole answer; the default suits a read. */
  readonly timeoutMs?: number;
  /** For `unusable`: what stands in place of a credential. */
  readonly credential?: Credential | readonly [header: string, value: string];
  /** `true` to send the body in chunks, without its length. */
  readonly isChunked?: boolean;
  /** The media type of the body, where it is not plain `application/json`. */
  readonly contentType?: string;
}

export interface WatchOptions extends SendOptions {
  /** Ends the watch, and drops the connection, once it holds for the events so far. */
  readonly until?: (events: readonly StreamEvent[]) => boolean;
  /** Once `when` holds, the server has so many milliseconds to end the stream by itself. */
  readonly grace?: { readonly when: (events: readonly StreamEvent[]) => boolean; readonly ms: number };
}

/** What came over an event stream. */
export interface Watched {
  /** Its body is all that was received, also where the connection was dropped by the suite. */
  readonly exchange: Exchange;
  readonly events: readonly StreamEvent[];
  /** `end`: the server ended it; `cut`: it broke; `enough`: the suite had seen enough; `timeout`: it stayed open. */
  readonly ended: 'end' | 'cut' | 'enough' | 'timeout';
}

/** The functions of a probe; it has no other access to the server. */
export interface Session<Name extends string = string> {
  /** @throws {Hindered} when a 429, a 503 or the network stands in the way of a request that is not about them */
  readonly send: (name: Name, options?: SendOptions) => Promise<Exchange>;
  /** Sends several requests so that they meet at the server. Requests that failed are in the result too. */
  readonly race: (name: Name, options: readonly SendOptions[]) => Promise<readonly Exchange[]>;
  /** Reads an event stream until its end, until `until` holds, or for `timeoutMs`. */
  readonly watch: (name: Name, options?: WatchOptions) => Promise<Watched>;
  /** The value of a resource; it is obtained once in a run. */
  readonly obtain: <Value>(resource: Resource<Value>) => Promise<Value>;
  readonly fixtures: Fixtures;
  readonly clock: Clock;
  /** What the contract says about the body of an operation, with the document that its references lead into. */
  readonly requestBody: (operation: string) => { readonly document: unknown; readonly schema: unknown };
  /** How many random requests a scenario that fuzzes may send. */
  readonly fuzz: number;
  /** How many requests a scenario that searches may send. */
  readonly explore: number;
  /** Whether this caller's credential is known, or needless. */
  readonly knows: (as: Identity) => boolean;
  /** Requests from now on form a new course. */
  readonly startCourse: () => void;
  /** A key that no other call uses. */
  readonly freshKey: () => string;
  /** A value in [0, 1) from the seed of the run and the id of the scenario. */
  readonly random: () => number;
  /** How long a run may take on this server, in milliseconds. */
  readonly deadlineMs: number;
}

/** A judgement of one rule on what was seen. */
export interface Check {
  readonly kind: 'check';
  readonly rule: string;
  readonly outcome: 'pass' | 'fail' | 'inconclusive';
  readonly exchanges: readonly string[];
  /** What a conforming server does, or why no decision was possible. */
  readonly expected: string;
  readonly got: string;
  /** How many judgements alike it stands for; 1 where it is not said. */
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

/** Few scenarios, many checks: one sends requests and judges all the rules that they can show. */
export interface Scenario<Plans extends RequestPlans = RequestPlans> {
  readonly id: string;
  readonly api: string;
  readonly title: string;
  /** All of them are needed. */
  readonly permissions: readonly Permission[];
  /** Names of fixtures; all of them are needed. */
  readonly needs: readonly string[];
  /** The surfaces of the jobs that it is about; all where there is none. */
  readonly surfaces: readonly string[];
  readonly judges: readonly string[];
  readonly uses: readonly Resource<unknown>[];
  readonly requests: Plans;
  /** Scenarios that name the same lock do not run at the same time. */
  readonly lock: string | undefined;
  /** `true` where it looks at several answers as one: nothing of the API that may change them runs beside it. */
  readonly isUndisturbed: boolean;
  /** `true` where it may use up what an account may have in flight: nothing that needs room runs beside it. */
  readonly fillsCapacity: boolean;
  /** Rules that it judges by several cases: those that were judged before it was hindered are not judged as a whole. */
  readonly severalCases: readonly string[];
  /** Rules that other scenarios decide: this one looks for breaks of them, and what it does not come to leaves none open. */
  readonly searches: readonly string[];
  /** Milliseconds; what is not judged by then is inconclusive. Added to the deadline of a run for each POST. */
  readonly budgetMs: number;
  /** The environment can turn its verdict: `retries` may run it again. */
  readonly sensitive: boolean;
  /** It looks for breaks of rules that other scenarios decide: what it does not come to leaves no rule open. */
  readonly isSearch: boolean;
  // A method, so that scenarios with plans of their own stand in one list.
  run(session: Session<Extract<keyof Plans, string>>): AsyncGenerator<Check | Observation, void>;
}

/** Something that several scenarios look at and that is asked for once. */
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
  | 'severalCases'
  | 'searches'
  | 'budgetMs'
  | 'sensitive'
  | 'isSearch';

/** The rules that are open as long as the scenario has not judged them. */
export function decidedBy({
  judges,
  searches,
  isSearch,
}: Pick<Scenario, 'judges' | 'searches' | 'isSearch'>): readonly string[] {
  return isSearch ? [] : judges.filter((rule) => !searches.includes(rule));
}

/** Completes a scenario with the defaults of a polite read. */
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

/** A precondition that only shows while running is missing: the rules that are still open are not exercised. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
  readonly needs: string;
  constructor(needs: string, why?: string) {
    super(why ?? `needs ${needs}`);
    this.needs = needs;
  }
}

/** A declared fixture does not behave as declared: one error, and not the failure of every rule that uses it. */
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

/** A probe of a user's own failed: the rules that are still open are not judged, and its author has to mend it. */
export class BrokenProbe extends Error {
  override readonly name = 'BrokenProbe';
  constructor(title: string, cause: unknown) {
    super(`the probe "${title}" failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
