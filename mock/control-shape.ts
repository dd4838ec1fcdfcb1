import type { Delivery } from './exchange.ts';
import type { JournalEntry } from './journal.ts';
import type { Profile } from './profile.ts';
import type { Model } from './router/catalogue.ts';
import type { ScenarioListing } from './scenario-listing.ts';
import type { ForcedScenario } from './forced-scenarios.ts';

/**
 * What the control API says and takes, under `/control/v1/…` on a port of its own. All times are epoch milliseconds of
 * the mock's clock. A mistake of the caller is answered with `ControlProblem` and a status of 400 or more.
 *
 * | path                   | GET              | others                                                                   |
 * | ---------------------- | ---------------- | ------------------------------------------------------------------------ |
 * | `state`                | `ControlState`   |                                                                          |
 * | `journal`              | `JournalPage`    | DELETE clears it                                                         |
 * | `journal/{number}`     | `JournalEntry`   |                                                                          |
 * | `journal/{number}/replay` |               | POST `ReplayWish` sends the request again: `SentExchange`                |
 * | `requests`             |                  | POST `RequestToSend` sends one to the mock: `SentExchange`               |
 * | `stream?since=`        | see below        |                                                                          |
 * | `keys`                 | `KeyList`        | DELETE forgets all, DELETE `keys/{id}` one, POST `keys/{id}` expires it  |
 * | `jobs`                 | `JobList`        | POST `jobs/{id}` `JobStep` moves a job                                   |
 * | `jobs/{id}`            | `JobShape`       |                                                                          |
 * | `models`               | `ModelList`      | PUT, PATCH, DELETE `models/{provider}/{model}`, POST `CatalogueStep`     |
 * | `scenarios`            | `ScenarioList`   | POST `ScenarioToForce`, DELETE all or `scenarios/{name}`                 |
 * | `clock`                | `ClockShape`     | POST `ClockStep`                                                         |
 * | `ledger`               | `Ledger`         |                                                                          |
 * | `callers`              | `CallerList`     |                                                                          |
 * | `registry/archives/{version id}` | `size`, `sha256`, `base64` of an upload |                                 |
 * | `registry`             | publishers, nodes, versions, tasks | PUT moves their states                                 |
 * | `reference`            | `Reference`      |                                                                          |
 * | `openapi/{api}`        | the document     |                                                                          |
 * | `snapshot`             | the whole state  | PUT takes it back                                                        |
 * | `assumptions`, `fixtures`, `dispatches` | as their names say | POST `reset` forgets all state                   |
 *
 * `GET stream?since=N` is one stream of server-sent events for everything:
 *
 * - `state`, once at the beginning: `ControlState`;
 * - `exchange`, with the entry's number as its id: `JournalEntry`, first those behind `since` (or `Last-Event-ID`), then
 *   each as soon as it is known what became of its answer;
 * - `changed`: `ChangedEvent`, after something changed that no exchange tells of.
 */
export type ControlTopic = 'clock' | 'keys' | 'jobs' | 'models' | 'scenarios' | 'registry' | 'journal';

export interface ControlProblem {
  readonly error: string;
}

export interface ControlState {
  /** The address of the API. */
  readonly url: string;
  readonly apis: readonly ApiShape[];
  readonly clock: ClockShape;
  /** The number of the latest exchange; 0 before the first. */
  readonly latest: number;
  /** What a caller may present, for samples to send. */
  readonly sample: SampleCall | undefined;
  readonly profile?: Profile;
  /** How many models, keys and calls in flight by caller; where the model router is served. */
  readonly models?: number;
  readonly keys?: number;
  readonly inFlight?: Readonly<Record<string, unknown>>;
}

export interface ApiShape {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly operations: readonly { readonly id: string; readonly method: string; readonly path: string }[];
  /** Rules that are broken on purpose. */
  readonly deviations: readonly string[];
  /** In brief what this API holds. */
  readonly holds?: object;
}

export interface SampleCall {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  readonly latest: number;
}

export interface ReplayWish {
  /** The key that the copy presents: the one of the original (the usual), a new one, or none. */
  readonly key?: 'same' | 'new' | 'none';
}

export interface RequestToSend {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** What came of a request that the control API sent; its whole story stands in the journal under its number. */
export interface SentExchange {
  readonly number: number;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Of an event stream only that there is one. */
  readonly body: string;
  readonly delivery: Delivery;
}

export interface KeyList {
  readonly keys: readonly KeyShape[];
}

export interface KeyShape {
  /** For `keys/{id}`. */
  readonly id: string;
  readonly api: 'router' | 'jobs';
  /** Whether a second use is answered with the recorded answer, or refused. */
  readonly semantics: 'replay' | 'single-use';
  readonly caller: string;
  readonly key: string;
  /** `in-flight`, `recorded`, `consumed` or `collecting`; `submitting` or `claimed` for a single use. */
  readonly state: string;
  readonly bodyHash: string | undefined;
  /** Unknown while the first call runs. */
  readonly expiresAt: number | undefined;
  /** Numbers of the exchanges that presented it, as far back as the journal goes. */
  readonly exchanges: readonly number[];
}

export interface JobList {
  readonly jobs: readonly JobShape[];
  readonly keys: readonly { readonly caller: string; readonly key: string }[];
  readonly assets: readonly { readonly id: string; readonly owner?: string }[];
  /** The state machine, for a picture of it. */
  readonly states: readonly { readonly name: string; readonly terminal: boolean }[];
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly on: string }[];
}

/** A job as its owner reads it, and what only its keeper knows. */
export interface JobShape extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly status: string;
  readonly caller: string;
  readonly statuses: readonly { readonly at: number; readonly status: string }[];
  /** How many event streams watch it. */
  readonly watchers: number;
  /** When something happens to it by itself. */
  readonly due: number | undefined;
}

/**
 * `step`: whatever is due next, now; `succeed`, `fail`, `expire`: its end, now; `cancel`: as its owner would;
 * `drop-streams`: cuts off whoever watches it.
 */
export interface JobStep {
  readonly do: 'step' | 'succeed' | 'fail' | 'expire' | 'cancel' | 'drop-streams';
}

export interface ModelList {
  readonly models: readonly (Model & { readonly id: string })[];
}

/** `rebuild`: as if the catalogue had been made anew; cursors of before are none any more. */
export interface CatalogueStep {
  readonly do: 'rebuild';
}

export interface ScenarioList {
  readonly scenarios: readonly ScenarioListing[];
  readonly forced: readonly ForcedScenario[];
}

export interface ScenarioToForce {
  readonly name: string;
  /** The scope of one caller, as it stands in the journal; everybody when left out. */
  readonly caller?: string;
  /** How many calls pass before it works; none when left out. */
  readonly after?: number;
  /** For how many it works then: one when left out, `null` for all. */
  readonly times?: number | null;
  /** How long, for scenarios that say so, in milliseconds. */
  readonly ms?: number;
}

export interface ClockShape {
  readonly now: number;
  readonly iso: string;
  /** Milliseconds of this clock for each that passes: 0 stands still. Missing where the clock cannot be steered. */
  readonly speed?: number;
  readonly nextWake?: number | null;
  /** What happens by itself, soonest first. */
  readonly due: readonly DueEvent[];
}

export interface DueEvent {
  readonly at: number;
  /** For people. */
  readonly what: string;
  readonly kind: 'key' | 'job' | 'generation';
  /** The id of the key or of the job. */
  readonly id: string;
}

export interface ClockStep {
  /** Milliseconds, or an ISO 8601 duration such as `PT1H`. */
  readonly advance?: number | string;
  readonly speed?: number;
}

/** What the calls of the journal would have cost: "does my retry charge twice?". */
export interface Ledger {
  readonly lines: readonly LedgerLine[];
  readonly byCaller: readonly {
    readonly caller: string;
    readonly calls: number;
    readonly billed: number;
    readonly cents: number;
  }[];
}

/** The attempts of one logical call: those with one key, or without any key those with one body. */
export interface LedgerLine {
  readonly caller: string;
  readonly key: string | undefined;
  readonly model: string;
  /** Numbers of the exchanges. */
  readonly exchanges: readonly number[];
  readonly dispatched: number;
  readonly replayed: number;
  /** How often it would have been charged. */
  readonly billed: number;
  readonly cents: number;
  /** `unknown`: the contract does not say whether one of the attempts is charged. */
  readonly charged: 'never' | 'once' | 'more than once' | 'unknown';
}

export interface CallerList {
  readonly callers: readonly CallerShape[];
}

export interface CallerShape {
  /** Its scope, as it stands in the journal. */
  readonly caller: string;
  readonly calls: number;
  readonly inFlight: { readonly calls: number; readonly cents: number };
  readonly streams: number;
  readonly keys: number;
  readonly jobs: number;
}

/** The contract with what no document can say. */
export interface Reference {
  readonly apis: readonly {
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly operations: readonly {
      readonly id: string;
      readonly method: string;
      readonly path: string;
      readonly summary: string | undefined;
    }[];
    readonly rules: readonly {
      readonly id: string;
      readonly level: string;
      readonly says: string;
      readonly operation: string | undefined;
      readonly source: string;
    }[];
    readonly unspecified: readonly {
      readonly id: string;
      readonly about: string;
      readonly mockUses: unknown;
    }[];
  }[];
}

export interface ChangedEvent {
  readonly topics: readonly ControlTopic[];
}
