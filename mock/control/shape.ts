import type { Delivery } from '../../engine/keys.ts';
import type { JournalEntry, TrailStep } from '../journal/journal.ts';
import type { Duration } from '../scenarios/scenario.ts';

/**
 * The requests and answers of the control API, under `/control/v1/…` on a separate port. All times are epoch
 * milliseconds of the mock's clock. A mistake of the caller is answered with `ControlProblem` and a status of
 * 400 or more. `openapi.json` in this folder lists the paths.
 *
 * `GET stream?since=N` is one stream of server-sent events for everything:
 *
 * - `state`, once at the beginning: `ControlState`;
 * - `exchange`, with the entry's number as its id: `JournalEntry`, first those after `since` (or
 *   `Last-Event-ID`), then each as soon as the delivery of its answer is known;
 * - `began`: `PendingCall`, when a call waits, or when its answer is still being sent; calls that end at once
 *   are only reported as an exchange. Sent again when its `state` changes;
 * - `ended`: `EndedCall`, when such a call has ended;
 * - `changed`: `ChangedEvent`, after a change without an exchange.
 */

/** A part of the mock's state that can change without an exchange. */
export type ControlTopic =
  | 'clock'
  | 'keys'
  | 'scenarios'
  | 'journal'
  | 'snapshots'
  /** A document of the user's own was reloaded, or could not be: see `ControlState.reload`. */
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
  /** The names of additional mocks on the same ports: see `NamespaceToMake`. */
  readonly namespaces: readonly string[];
  readonly apis: readonly ApiShape[];
  readonly clock: ClockShape;
  /** The number of the latest exchange; 0 before the first. */
  readonly latest: number;
  /** The resources of this control API, such as `keys`, and `jobs` if an API has jobs. */
  readonly resources: readonly string[];
  /** A call that a fresh mock answers with success; absent if none could be made. */
  readonly sample?: SampleCall;
  /** Open calls, oldest first. */
  readonly pending: readonly PendingCall[];
  /** The result of the latest change of a user's own document; absent before the first. */
  readonly reload?: ReloadShape;
}

/** A change of a user's own documents. While one of them is invalid, the last valid state is served. */
export interface ReloadShape {
  /** Increases from 1. */
  readonly number: number;
  readonly at: number;
  readonly ok: boolean;
  /** The documents that were read, by their names on the command line. */
  readonly documents: readonly string[];
  /** The problems with their places, one per line; empty if there are none. */
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
    /** Whether the document declares an HTML answer: a browser may open it as a page. */
    readonly answersHtml?: true;
  }[];
  /** Prefixes of paths that belong to no operation, such as those of pictures and uploads. */
  readonly besidePrefixes?: readonly string[];
  /**
   * Prefixes of its request paths, such as `/api/v2` and `/uploads`. Empty text if a path begins with a
   * parameter, because then every path may match.
   */
  readonly prefixes: readonly string[];
  readonly credential: CredentialShape;
  /** The `api` of its scenarios, in addition to those for every API. */
  readonly scenarios: string;
  /** Rules that are broken on purpose. */
  readonly deviations: readonly string[];
  /** A summary of this API's state. */
  readonly holds?: object;
}

/** The credential that an API of the mock expects. */
export interface CredentialShape {
  /**
   * `key`: a key of the mock; `value` is the ordinary one. `token`: exactly `value`, as a bearer token.
   * `any`: any credential of a form that `value` describes. `none`: no credential.
   */
  readonly kind: 'key' | 'token' | 'any' | 'none';
  readonly value: string;
  /** Header lines with the credential for every operation; empty if it is sent elsewhere. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A request that a caller can send unchanged. */
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

/** An open call. */
export interface PendingCall {
  /** The id of its answer, and of its entry in the journal. */
  readonly id: string;
  /** `deciding` until its answer is made, then `answering` until it has been sent, as for an open stream. */
  readonly state: 'deciding' | 'answering';
  /** Its arrival: by the mock's clock, and by this machine's. */
  readonly at: number;
  readonly realAt: number;
  readonly api: string;
  readonly operation: string | undefined;
  readonly method: string;
  readonly target: string;
  /** The known part, as in `JournalEntry`. */
  readonly caller: string | undefined;
  readonly key: string | undefined;
  readonly model: string | undefined;
  readonly scenario: string | undefined;
  /** The decisions so far; the last step shows what it waits for. */
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
  /** The key of the copy: the one of the original (default), a new one, or none. */
  readonly key?: 'same' | 'new' | 'none';
}

export interface RequestToSend {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** The result of a request that the control API sent; the journal has all of it under its number. */
export interface SentExchange {
  readonly number: number;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** For an event stream, only the fact that there is one. */
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
  /** Numbers of the exchanges with this key, as far as the journal still has them. */
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
  /** Its scope: `any` is every operation of every API, `own` every operation of your own contracts. */
  readonly api: string;
  /** The model id that triggers it. */
  readonly model?: string;
  /** The API key that triggers it. */
  readonly key?: string;
  /** The value of a `Prefer` header that triggers it. */
  readonly prefer: string;
  /** If the duration can be chosen (`;ms=N`, `"ms"`, or `-N` after the key), in milliseconds. */
  readonly ms?: Duration;
}

/** A scenario that is active for the next calls. */
export interface ForcedScenario {
  readonly name: string;
  /** The scope of the one caller that it applies to; if left out, it applies to every caller. */
  readonly caller?: string;
  /** How many calls pass first, and how many calls it then applies to; `null` for all. */
  readonly after: number;
  readonly times: number | null;
  /** The duration, if it can be chosen, in milliseconds. */
  readonly ms?: number;
  /** The number of calls that it has applied to so far. */
  seen: number;
}

/** The body of `POST scenarios`. */
export interface ScenarioToForce {
  readonly name: string;
  /** The scope of one caller, as in the journal; if left out, every caller. */
  readonly caller?: string;
  /** How many calls pass first; default: none. */
  readonly after?: number;
  /** How many calls it then applies to; default: one, `null` for all. */
  readonly times?: number | null;
  /** The duration in milliseconds, for scenarios that have one. */
  readonly ms?: number;
}

export interface ClockShape {
  readonly now: number;
  readonly iso: string;
  /**
   * Milliseconds of this clock per real millisecond; 0 for a frozen clock. Absent if the clock cannot be
   * controlled.
   */
  readonly speed?: number;
  readonly nextWake?: number | null;
  /** Scheduled events, soonest first. */
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
  /** Including the path prefix at which the API is mounted. */
  readonly path: string;
  readonly summary: string | undefined;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string | undefined;
    /** As JSON Schema; a reference that is the whole schema is resolved. */
    readonly schema: unknown;
  }[];
  readonly bodies: readonly BodyShape[];
  readonly answers: readonly {
    readonly status: string;
    readonly description: string;
    readonly bodies: readonly BodyShape[];
  }[];
  /** The header of its idempotency key, if it accepts one. */
  readonly keyHeader?: string;
  /** A call to try it; absent if none could be made. */
  readonly call?: SampleCall;
}

/**
 * A line of `POST requests?follow`, which answers with JSON lines: the head of the answer, pieces of its body
 * as they arrive, and how it ended.
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

/** The contract, including the facts that documents cannot express. */
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
      /** The configurable members, as JSON Schemas; absent if nothing is configurable. */
      readonly canBe?: unknown;
    }[];
  }[];
}

export interface NamespaceList {
  readonly namespaces: readonly string[];
}

/**
 * A namespace is another mock on the same ports, with its own callers, state, scenarios, journal and clock. A
 * request to the API or to the control API is for the namespace that its header `Tallystick-Namespace` names.
 * Requests to the control API may name it in their query (`?namespace=`) instead.
 */
export interface NamespaceToMake {
  readonly seed?: string;
  /** The speed of its clock; default: 1. */
  readonly speed?: number;
}

export interface ChangedEvent {
  readonly topics: readonly ControlTopic[];
}
