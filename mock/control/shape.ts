import type { JournalEntry } from '../journal/journal.ts';
import type { PendingCall } from './calls-shape.ts';
import type { ClockShape } from './steering-shape.ts';

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

export interface ChangedEvent {
  readonly topics: readonly ControlTopic[];
}
