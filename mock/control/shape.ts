import type { Delivery } from '../../engine/keys.ts';
import type { JournalEntry, TrailStep } from '../journal/journal.ts';
import type { Duration } from '../scenarios/scenario.ts';

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
 * | `pending`              | `PendingList`    |                                                                          |
 * | `requests`             |                  | POST `RequestToSend` sends one to the mock: `SentExchange`; with `?follow` as lines, `FollowedLine` |
 * | `stream?since=`        | see below        |                                                                          |
 * | `keys`                 | `KeyList`        | DELETE forgets all, DELETE `keys/{id}` one, POST `keys/{id}` expires it  |
 * | `collections`          | `CollectionList` | where a contract of a user's own has collections; GET `collections/{api}/{collection}`: `CollectionShape`, DELETE empties it; PUT and DELETE `collections/{api}/{collection}/{id}`: `ThingToPut` |
 * | `scenarios`            | `ScenarioList`   | POST `ScenarioToForce`, DELETE all or `scenarios/{name}`                 |
 * | `clock`                | `ClockShape`     | POST `ClockStep`                                                         |
 * | `ledger`               | `Ledger`         |                                                                          |
 * | `callers`              | `CallerList`     |                                                                          |
 * | `reference`            | `Reference`      |                                                                          |
 * | `operations/{api}/{id}` | `OperationShape` |                                                                         |
 * | `openapi`              | the OpenAPI document of this API |                                                          |
 * | `openapi/{api}`        | the document of an API |                                                                    |
 * | `snapshot`             | the whole state  | PUT takes it back                                                        |
 * | `snapshots`            | `SnapshotList`   | POST `SnapshotToSave` keeps the present state under a name: `SnapshotShape` |
 * | `snapshots/{name}`     | `SnapshotFile`   | PUT `SnapshotFile` takes a file in: `SnapshotShape`; POST `SnapshotStep` restores it: `RestoredSnapshot`; DELETE |
 * | `namespaces`           | `NamespaceList`  | PUT `namespaces/{name}` with `NamespaceToMake` makes one, also in the place of an earlier one; DELETE |
 * | …                      |                  | what the APIs add: `control-shape.ts` of their modules                   |
 * | `assumptions`, `fixtures`, `dispatches` | as their names say | POST `reset` forgets all state                   |
 *
 * `GET stream?since=N` is one stream of server-sent events for everything:
 *
 * - `state`, once at the beginning: `ControlState`;
 * - `exchange`, with the entry's number as its id: `JournalEntry`, first those behind `since` (or `Last-Event-ID`), then
 *   each as soon as it is known what became of its answer;
 * - `began`: `PendingCall`, when a call waits, or when its answer is still being sent; calls that end at once are
 *   told by their exchange alone. Told again when its `state` changes;
 * - `ended`: `EndedCall`, when nothing of such a call is left to do;
 * - `changed`: `ChangedEvent`, after a change that no exchange shows.
 */
export type ControlTopic =
  | 'clock'
  | 'keys'
  | 'scenarios'
  | 'journal'
  | 'snapshots'
  /** A document of the user's own was read again, or could not be: see `ControlState.reload`. */
  | 'documents'
  /** A resource of an API, by its name under `/control/v1/`. */
  | (string & {});

export interface ControlProblem {
  readonly error: string;
}

/** An overview of the mock. */
export interface ControlState {
  /** The address of the API. */
  readonly url: string;
  /** The names of the mocks that share it: see `NamespaceToMake`. */
  readonly namespaces: readonly string[];
  readonly apis: readonly ApiShape[];
  readonly clock: ClockShape;
  /** The number of the latest exchange; 0 before the first. */
  readonly latest: number;
  /** The resources that this control API has, such as `keys`, and `jobs` where an API has jobs. */
  readonly resources: readonly string[];
  /** A call that a fresh mock answers with success; missing where none could be made. */
  readonly sample?: SampleCall;
  /** Calls under way, oldest first. */
  readonly pending: readonly PendingCall[];
  /** What came of the latest change of a user's own document; missing before the first. */
  readonly reload?: ReloadShape;
}

/** A change of a user's own documents. While one is broken, the last good state is served. */
export interface ReloadShape {
  /** Counts up from 1. */
  readonly number: number;
  readonly at: number;
  readonly ok: boolean;
  /** The documents that were read, as they are named on the command line. */
  readonly documents: readonly string[];
  /** What is wrong and where, a line each; empty for a good one. */
  readonly problems: readonly string[];
}

/** An API that the mock serves. */
export interface ApiShape {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    /** Whether the document declares an answer of HTML: a browser may open it as a page. */
    readonly answersHtml?: true;
  }[];
  /** What paths of no operation begin with, such as those of pictures and uploads. */
  readonly besidePrefixes?: readonly string[];
  /**
   * What the paths of its requests begin with, such as `/api/v2` and `/uploads`. Empty text where a path begins with a
   * parameter, so that every path may be meant.
   */
  readonly prefixes: readonly string[];
  readonly credential: CredentialShape;
  /** The `api` of the scenarios for it, beside those for every API. */
  readonly scenarios: string;
  /** Rules that are broken on purpose. */
  readonly deviations: readonly string[];
  /** In brief what this API holds. */
  readonly holds?: object;
}

/** What an API of the mock wants a caller to present. */
export interface CredentialShape {
  /**
   * `key`: keys of the mock, of which `value` asks for nothing special. `token`: `value` alone, as a bearer token. `any`:
   * anything of a form, which `value` says in words. `none`: nothing.
   */
  readonly kind: 'key' | 'token' | 'any' | 'none';
  readonly value: string;
  /** Header lines that present it at every operation; none where it is sent elsewhere. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A request that a caller can send as it is. */
export interface SampleCall {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Empty for none. */
  readonly body: string;
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  readonly latest: number;
}

export interface PendingList {
  /** Oldest first. */
  readonly calls: readonly PendingCall[];
}

/** A call that came in and has not ended. */
export interface PendingCall {
  /** The id of its answer, and of its entry in the journal. */
  readonly id: string;
  /** `deciding` until its answer is made, then `answering` until that has left, as an open stream does. */
  readonly state: 'deciding' | 'answering';
  /** When it came in: by the mock's clock, and by this machine's. */
  readonly at: number;
  readonly realAt: number;
  readonly api: string;
  readonly operation: string | undefined;
  readonly method: string;
  readonly target: string;
  /** As far as they are known yet, as in `JournalEntry`. */
  readonly caller: string | undefined;
  readonly key: string | undefined;
  readonly model: string | undefined;
  readonly scenario: string | undefined;
  /** Decided so far: its last step says what it waits for. */
  readonly trail: readonly TrailStep[];
  /** Known while it is `answering`: the number of its entry in the journal, and the status of its answer. */
  readonly number: number | undefined;
  readonly status: number | undefined;
}

/** A call that has ended. */
export interface EndedCall {
  readonly id: string;
  /** Its entry in the journal. */
  readonly number: number;
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

/** What came of a request that the control API sent; the journal has all of it under its number. */
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
  /** The name of its contract. */
  readonly api: string;
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

export interface ScenarioList {
  readonly scenarios: readonly ScenarioListing[];
  readonly forced: readonly ForcedScenario[];
}

/** One magic value, as tools print it. */
export interface ScenarioListing {
  readonly name: string;
  readonly does: string;
  /** Where it works: `any` is every operation of every API, `own` every operation of your own contracts. */
  readonly api: string;
  /** The model id that brings it about. */
  readonly model?: string;
  /** The API key that brings it about. */
  readonly key?: string;
  /** The value of a `Prefer` header that brings it about. */
  readonly prefer: string;
  /** Where it can be said how long (`;ms=N`, `"ms"`, or `-N` behind the key), in milliseconds. */
  readonly ms?: Duration;
}

/** A scenario that works on the next calls. */
export interface ForcedScenario {
  readonly name: string;
  /** The scope of the one caller that it is for; everybody when left out. */
  readonly caller?: string;
  /** How many calls pass before it works, and for how many it works then; `null` for all. */
  readonly after: number;
  readonly times: number | null;
  /** How long, where that can be said, in milliseconds. */
  readonly ms?: number;
  /** Calls that it has met so far. */
  seen: number;
}

/** The body of `POST scenarios`. */
export interface ScenarioToForce {
  readonly name: string;
  /** The scope of one caller, as in the journal; every caller when left out. */
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
  /** Milliseconds of this clock for each that passes; 0 for a frozen clock. Missing where the clock cannot be steered. */
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

/** A body of a request or an answer, by its media type. */
export interface BodyShape {
  readonly mediaType: string;
  readonly schema: unknown;
}

/** An operation as its document describes it. */
export interface OperationShape {
  readonly api: string;
  readonly id: string;
  readonly method: string;
  /** With the path prefix that the API is mounted below. */
  readonly path: string;
  readonly summary: string | undefined;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string | undefined;
    /** As JSON Schema; what it refers to by its whole is resolved. */
    readonly schema: unknown;
  }[];
  readonly bodies: readonly BodyShape[];
  readonly answers: readonly {
    readonly status: string;
    readonly description: string;
    readonly bodies: readonly BodyShape[];
  }[];
  /** The header of its idempotency key, where it takes one. */
  readonly keyHeader?: string;
  /** A call to try it; missing where none could be made. */
  readonly call?: SampleCall;
}

/**
 * A line of `POST requests?follow`, which answers with JSON lines: the head of the answer, pieces of its body as they
 * come, and how it ended.
 */
export type FollowedLine =
  | { readonly number: number; readonly status: number; readonly headers: SentExchange['headers'] }
  | { readonly text: string }
  | { readonly delivery: Delivery };

export interface CallerList {
  readonly callers: readonly CallerShape[];
}

export interface CallerShape {
  /** Its scope, as in the journal. */
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
      /** What settings can change, as JSON Schemas of members; nothing where it is absent. */
      readonly canBe?: unknown;
    }[];
  }[];
}

export interface NamespaceList {
  readonly namespaces: readonly string[];
}

/**
 * A namespace is a mock behind the same ports with callers, state, scenarios, journal and clock of its own. Requests to the
 * API and to the control API are for it where their header `Tallystick-Namespace` names it; those to the control API may
 * name it in their query (`?namespace=`) instead.
 */
export interface NamespaceToMake {
  readonly seed?: string;
  /** Of its clock: 1 when left out. */
  readonly speed?: number;
}

export interface ChangedEvent {
  readonly topics: readonly ControlTopic[];
}
