import type { Outgoing } from './answer.ts';
import type { CourseDecision } from './decision.ts';
import type { ServerCaller, ServerRequest } from './handler.ts';
import type { Delivery, OwnedKey } from './keys.ts';
import type { OpenCall } from './open-calls.ts';
import type { ServedOperation } from './served-api.ts';

/** A call whose caller and operation are known, as far as keys and capacity are concerned. */
export interface Course<Caller extends ServerCaller = ServerCaller> {
  readonly operation: ServedOperation;
  readonly caller: Caller;
  /** The idempotency key, where the caller sent one that counts. */
  readonly key: string | undefined;
  /** Run when it is known what became of the answer. */
  readonly ended: ((delivery: Delivery) => Promise<void> | void)[];
  /** Whether the caller is known to have gone away. */
  hasGone(): boolean;
  /** Aborts when the caller goes away. Made when it is first asked for. */
  signal(): AbortSignal;
  /** Tells what was decided. */
  note(decision: CourseDecision): void;
}

/** A call of a server. What later steps find out is in what they return. */
export interface ServerCourse<Caller extends ServerCaller = ServerCaller> extends Course<Caller> {
  readonly request: ServerRequest;
  readonly requestId: string;
  readonly open: OpenCall;
  /** Of the path, as they are in the target, escapes and all. */
  readonly segments: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** What a call has of its key while it runs. */
export type Hold = Pick<OwnedKey, 'collecting' | 'lost' | 'charge'>;

/** What a call has that came without a key: nobody else can charge for it. */
export const WITHOUT_KEY: Hold = {
  collecting: false,
  lost: undefined,
  charge: (hasEnded) => !hasEnded(),
};

/** What the work of a call came to. */
export interface Made<Answer = Outgoing> {
  readonly answer: Answer;
  /** Whether the call surely had no effect, which frees a key that is good for one use. */
  readonly hadNoEffect: boolean;
  /** Whether a faithful copy of the answer can be kept. */
  readonly isReplayable: boolean;
  /** Whether the key is free again whatever becomes of the answer. */
  readonly isForgotten?: boolean;
}
