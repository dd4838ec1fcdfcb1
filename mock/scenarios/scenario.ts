import type { BucketRole } from '../../contract/policies/error-buckets.ts';

/** The effect of a credential on every call with it. */
export type CallerEffect =
  | { readonly kind: 'refused'; readonly role: BucketRole; readonly detail: string }
  | { readonly kind: 'bounded'; readonly callsInFlight?: number; readonly cents?: number }
  /** A separate behaviour implements it. */
  | { readonly kind: 'named' };

/**
 * A scenario of the mock. An unmodified client selects it by the model id `mock/<name>` or by the key
 * `<prefix>mock-<name>`; a request can also contain `Prefer: scenario=<name>`.
 */
export interface MockScenario {
  readonly name: string;
  /** Its effect, for people. */
  readonly does: string;
  /**
   * The API that it applies to; `any` for every operation of every API, `own` for those of users' own
   * contracts.
   */
  readonly api: string;
  /** Its effect on the transfer of the call. */
  readonly wire?: WireEffect;
  /** Its effect on the work of an operation of a user's own contract. */
  readonly work?: WorkEffect;
  /** The model id that selects it, in addition to key and `Prefer`. */
  readonly modelId?: string;
  readonly caller?: CallerEffect;
  /** The range of its duration, if that can be chosen. */
  readonly ms?: Duration;
}

/** The effect on the transfer of a call, for any operation. */
export type WireEffect =
  /** The additional time of the answer, in milliseconds of the mock's clock. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** The time between two pieces of a stream, in milliseconds of the mock's clock. */
  | { readonly kind: 'pieces'; readonly ms: number }
  /**
   * The connection is cut: before the call is handled, after it was carried out, or in the middle of its
   * answer.
   */
  | { readonly kind: 'cut'; readonly when: 'before' | 'after' | 'midway' };

/** The possible durations of a scenario, in milliseconds. */
export interface Duration {
  readonly least: number;
  readonly most: number;
  /** The default. */
  readonly usual: number;
}

/**
 * The effect on the work of an operation of a user's own contract, which answers with an example of the
 * document.
 */
export type WorkEffect =
  /**
   * The additional time of the work, in milliseconds of the mock's clock: key and capacity are held
   * meanwhile.
   */
  | { readonly kind: 'slow'; readonly ms: number }
  /**
   * The work ends with this status: as the document declares it, else in the shape of the API's errors.
   * `because` is the open point by which the mock chooses the status, where the contract names none.
   */
  | { readonly kind: 'status'; readonly status: number; readonly because?: string };
