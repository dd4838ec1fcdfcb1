import type { BucketRole } from '../../contract/policies/error-buckets.ts';

/** What a credential does to every call that it makes. */
export type CallerEffect =
  | { readonly kind: 'refused'; readonly role: BucketRole; readonly detail: string }
  | { readonly kind: 'bounded'; readonly callsInFlight?: number; readonly cents?: number }
  /** Decided by a behaviour of its own. */
  | { readonly kind: 'named' };

/**
 * Something that the mock does on demand. An unmodified client reaches it by the model id `mock/<name>` or by the key
 * `<prefix>mock-<name>`; a request can also say `Prefer: scenario=<name>`.
 */
export interface MockScenario {
  readonly name: string;
  /** What happens, for people. */
  readonly does: string;
  /** The API that it works on; `any` for every operation of every API, `own` for those of a user's own contracts. */
  readonly api: string;
  /** What happens to the call on its way. */
  readonly wire?: WireEffect;
  /** What becomes of the work of an operation of a user's own contract. */
  readonly work?: WorkEffect;
  /** The model id that brings it about, beside key and `Prefer`. */
  readonly modelId?: string;
  readonly caller?: CallerEffect;
  /** Where it can be said how long. */
  readonly ms?: Duration;
}

/** What happens to a call in transit, for any operation. */
export type WireEffect =
  /** The answer takes so much longer, in milliseconds of the mock's clock. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** The connection is cut: before the call is looked at, after it was carried out, or in the middle of its answer. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'after' | 'midway' };

/** How long a scenario can be told to take, in milliseconds. */
export interface Duration {
  readonly least: number;
  readonly most: number;
  /** When nothing is said. */
  readonly usual: number;
}

/** What becomes of the work that an operation of a user's own contract does, where the document gives an example. */
export type WorkEffect =
  /** It takes so much longer, in milliseconds of the mock's clock: key and capacity are held meanwhile. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** It ends with this status: as the document declares it, else in the shape that errors of the API have. */
  | { readonly kind: 'status'; readonly status: number };
