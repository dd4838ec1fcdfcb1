import type { Row } from '../enacted/tables.ts';
import type { ControlTopic } from './shape.ts';
import type { DueEvent, KeyShape } from './steering-shape.ts';

/** The part of the control API that belongs to one API. */
export interface ApiControl {
  /** A summary for `GET /control/v1/state`. */
  readonly state: () => object;
  /**
   * The resources that it adds under `/control/v1/`: by name, then by method; each returns the data to show.
   */
  readonly resources: Readonly<Record<string, Readonly<Record<string, ControlRoute>>>>;
  /** The topics that a change at a path below `/control/v1/` affects, if there are more than its resource. */
  readonly touches?: (path: readonly string[]) => readonly ControlTopic[] | undefined;
  readonly keys?: KeyHolder;
  readonly collections?: CollectionHolder;
  /** Scheduled events, except for expiring keys. */
  readonly due?: (now: number) => readonly DueEvent[];
  /** The open items of callers, by scope. */
  readonly held?: () => Iterable<readonly [scope: string, HeldByCaller]>;
  /** A text that changes after a scheduled event, and the affected topic. */
  readonly progress?: { readonly mark: () => string; readonly topics: readonly ControlTopic[] };
  /** How many calls reached each model since the last reset. */
  readonly dispatches?: () => Iterable<readonly [model: string, count: number]>;
  readonly prices?: Prices;
}

export type ControlRoute = (path: readonly string[], body: unknown) => unknown;

/** The open items of one caller in an API. */
export interface HeldByCaller {
  readonly inFlight?: { readonly calls: number; readonly cents: number };
  readonly streams?: number;
  readonly jobs?: number;
}

/** Idempotency keys. If an entry does not name its owner, its name is one that `keyId` makes. */
export interface KeyHolder {
  /** The request header of a key. */
  readonly header: string;
  readonly semantics: KeyShape['semantics'];
  readonly ledger: () => {
    readonly entries: () => KeyEntries;
    /** Forgets a key. */
    put(stored: string, record: undefined): void;
    readonly expire: (stored: string) => void;
  };
  /** The entries to show; default: those of the ledger. */
  readonly entries?: () => KeyEntries;
}

export type KeyEntries = Iterable<
  readonly [
    stored: string,
    record: {
      readonly state: string;
      readonly bodyHash?: string;
      readonly expiresAt?: number;
      readonly caller?: string;
      readonly key?: string;
      /** For operations that differ. */
      readonly semantics?: KeyShape['semantics'];
    },
  ]
>;

/** The things that an API stores, by collection. */
export interface CollectionHolder {
  readonly names: () => readonly string[];
  readonly rows: (collection: string) => readonly Row[];
  readonly put: (collection: string, row: Row) => void;
  readonly delete: (collection: string, row: Row) => void;
}

/** What calls would have cost. */
export interface Prices {
  /** A run of a model, in US cents. */
  readonly centsOf: (model: string) => number;
  /** The window in which a key is charged at most once, in milliseconds. */
  readonly windowMs: number;
}

/** A mistake of the caller of the control API. */
export class ControlMistake extends Error {
  override readonly name = 'ControlMistake';
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
