import type { CourseDecision } from './decision.ts';
import type { Delivery } from './delivery.ts';
import type { Claim, StoredResponse } from './store.ts';

/** The properties of an answer that decide about its key. */
export interface AnswerHead {
  readonly status: number;
  /** The answer offers the result for later collection. */
  readonly isMarked: boolean;
}

/** A key that this call owns. */
export interface OwnedKey<Copy = StoredResponse> {
  readonly collecting: boolean;
  /**
   * Aborts when this call has lost the key or may have lost it, because another call may then run with the
   * key.
   */
  readonly lost: AbortSignal | undefined;
  /** The key was used before and the record of that is gone. Known when the call asks whether to charge. */
  readonly isSpent: boolean;
  /**
   * Takes the single charge of the key in its window, unless it is taken. `hasEnded` returns whether the call
   * has ended meanwhile; then the charge is released.
   *
   * @throws {Refused} when the key is lost or `isSpent`
   * @throws when the store does not answer
   */
  charge(hasEnded: () => boolean): Promise<boolean> | boolean;
  /** Whether the key is released regardless of the delivery of the answer. */
  isFreedBy(head: AnswerHead): boolean;
  /**
   * Stores an answer before it is sent.
   *
   * @returns whether it may be sent: not if the key is lost, because another call may give it another answer
   */
  prepare(head: AnswerHead, copy: Copy | undefined): Promise<boolean> | boolean;
  /**
   * Settles the key by the delivery of the answer. Resolves when the store has recorded it. For a key that is
   * released, it resolves at the latest after the time limit of the store, because an answer waits for it.
   */
  settle(end: KeyEnd<Copy>): Promise<void> | void;
}

export interface KeyEnd<Copy = StoredResponse> {
  readonly delivery: Delivery;
  /** `undefined` if there is no answer. */
  readonly head: AnswerHead | undefined;
  /** An exact copy of the answer, if one can be stored. */
  readonly copy: Copy | undefined;
  /** Whether the call surely had no effect. */
  readonly hadNoEffect: boolean;
  readonly course: { note(decision: CourseDecision): void };
}

/** Another call owns or owned the key: its state in the store. */
export type KeyClaim<Copy = StoredResponse> =
  | { readonly owned: true; readonly key: OwnedKey<Copy> }
  | { readonly owned: false; readonly claim: Exclude<Claim<Copy>, { state: 'new' }> };
