import type { Outgoing } from './answer.ts';
import type { CourseDecision } from './decision.ts';
import type { ServerCaller, ServerRequest } from './handler.ts';
import type { Delivery } from './delivery.ts';
import type { OwnedKey } from './owned-key.ts';
import type { OpenCall } from './open-calls.ts';
import type { ServedOperation } from './served-api.ts';

/** A call with its caller and operation, as far as keys and capacity require it. */
export interface Course<Caller extends ServerCaller = ServerCaller> {
  readonly operation: ServedOperation;
  readonly caller: Caller;
  /** The idempotency key, if the caller sent one that applies. */
  readonly key: string | undefined;
  /** Called when the delivery of the answer is known. */
  readonly ended: ((delivery: Delivery) => Promise<void> | void)[];
  /** Whether the caller is known to have disconnected. */
  hasGone(): boolean;
  /** Aborts when the caller disconnects. Created on first use. */
  signal(): AbortSignal;
  /** Reports a decision. */
  note(decision: CourseDecision): void;
}

/** A call of a server. Later steps return their results instead of changing it. */
export interface ServerCourse<Caller extends ServerCaller = ServerCaller> extends Course<Caller> {
  readonly request: ServerRequest;
  readonly requestId: string;
  readonly open: OpenCall;
  /** Path segments as in the target, with their escapes. */
  readonly segments: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** The claim of a call on its key while it runs. */
export type CallClaim = Pick<OwnedKey, 'collecting' | 'lost' | 'charge'>;

/** The claim of a call without a key: no other call can charge for it. */
export const WITHOUT_KEY: CallClaim = {
  collecting: false,
  lost: undefined,
  charge: (hasEnded) => !hasEnded(),
};

/** The result of the work of a call. */
export interface WorkResult<Answer = Outgoing> {
  readonly answer: Answer;
  /** Whether the call certainly had no effect, which releases a single-use key. */
  readonly hadNoEffect: boolean;
  /** Whether an exact copy of the answer can be stored. */
  readonly isReplayable: boolean;
  /** Whether the key is released regardless of the delivery. */
  readonly isForgotten?: boolean;
}
