import type { Cause } from './refusal.ts';

/** A decision about a call: the kind of policy, and its case. */
export type CourseDecision = Readonly<
  | { policy: 'credentials'; case: 'none' | 'refused' }
  | { policy: 'idempotency'; case: KeyCase | ChargeCase | KeyEndCase }
  | { policy: 'capacity'; case: 'calls' | 'spend' | 'things' }
  | { policy: 'deadline'; case: 'expired' }
  | { policy: 'conditional-get'; case: 'current' }
  | { policy: 'conditional-write'; case: 'mismatch' | 'required' | 'exists' }
  | { policy: 'refused-format'; case: 'refused' }
  | { policy: 'reserved-fields'; case: 'refused' }
  | { policy: 'uniqueness'; case: 'taken' }
>;

/** The state of its key when a call arrived. */
export type KeyCase =
  'first-use' | 'collecting' | 'replayed' | 'in-flight' | 'consumed' | 'mismatch' | 'used' | 'no-key';

/** Whether a call is charged: once for its key. */
export type ChargeCase = 'charged' | 'charged-before';

/** What happened to the key of a call; `dropped` if nothing reached the caller. */
export type KeyEndCase = 'kept' | 'spent' | 'parked' | 'freed' | 'dropped';

/** Why the engine refuses a call, with its default message. */
export interface CourseRefusal {
  readonly cause: Cause;
  readonly message: string;
  /** If a policy requires it. */
  readonly decision?: CourseDecision;
  /** If the contract states it. */
  readonly status?: number;
  /** The code of the error, if the contract has one for this. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The engine refuses a call. */
export class Refused extends Error {
  readonly refusal: CourseRefusal;
  constructor(refusal: CourseRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Another call has taken the key. A retry is answered by that call, so the caller can send it again. */
export const KEY_LOST: CourseRefusal = {
  cause: 'unavailable',
  message:
    'The server lost its claim on the key of this call, and ended the call. Send it again with the same key.',
  headers: { 'Retry-After': '1' },
};
