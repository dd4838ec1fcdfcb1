import type { Row } from '../enacted/tables.ts';
import type { ControlTopic, DueEvent, KeyShape } from './shape.ts';

/** The part of the control API that belongs to one API. */
export interface ApiControl {
  /** In brief, for `GET /control/v1/state`. */
  readonly state: () => object;
  /** What it adds under `/control/v1/`: resources by name, each by method, which answers with what is shown. */
  readonly resources: Readonly<Record<string, Readonly<Record<string, ControlRoute>>>>;
  /** What a change at a path behind `/control/v1/` touches, where it is more than its resource. */
  readonly touches?: (path: readonly string[]) => readonly ControlTopic[] | undefined;
  readonly keys?: KeyHolder;
  readonly collections?: CollectionHolder;
  /** What happens by itself when the clock moves on, beside the end of keys. */
  readonly due?: (now: number) => readonly DueEvent[];
  /** What callers hold, by their scope. */
  readonly held?: () => Iterable<readonly [scope: string, HeldByCaller]>;
  /** Another text when something went on by itself, and what that is. */
  readonly progress?: { readonly mark: () => string; readonly topics: readonly ControlTopic[] };
  /** How many calls reached each model since the last reset. */
  readonly dispatches?: () => Iterable<readonly [model: string, count: number]>;
  readonly prices?: Prices;
}

export type ControlRoute = (path: readonly string[], body: unknown) => unknown;

/** What one caller holds of an API. */
export interface HeldByCaller {
  readonly inFlight?: { readonly calls: number; readonly cents: number };
  readonly streams?: number;
  readonly jobs?: number;
}

/** Idempotency keys. Where an entry does not say whose it is, its name is one that `keyId` makes. */
export interface KeyHolder {
  /** The header that presents a key. */
  readonly header: string;
  readonly semantics: KeyShape['semantics'];
  readonly entries: () => Iterable<
    readonly [
      stored: string,
      record: {
        readonly state: string;
        readonly bodyHash?: string;
        readonly expiresAt?: number;
        readonly caller?: string;
        readonly key?: string;
        /** Where operations differ. */
        readonly semantics?: KeyShape['semantics'];
      },
    ]
  >;
  /** The state of a key whose call still runs, where it can only be forgotten. */
  readonly running?: string;
  readonly forget: (stored: string, now: number) => void;
  readonly expire: (stored: string, now: number) => void;
}

/** The things that an API keeps, by the names of collections. */
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
  /** How long a key is charged at most once, in milliseconds. */
  readonly windowMs: number;
}

/** Something that the caller of the control API got wrong. */
export class ControlMistake extends Error {
  override readonly name = 'ControlMistake';
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
