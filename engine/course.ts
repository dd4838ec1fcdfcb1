import type { Outgoing } from './answer.ts';
import type { ServerCaller, ServerRequest, LooseReply } from './handler.ts';
import type { Delivery, OwnedKey } from './keys.ts';
import type { Ports } from './ports.ts';
import type { ServedOperation } from './served-api.ts';

/** A call whose caller and operation are known. What later steps find out is in what they return. */
export interface Course<Caller extends ServerCaller = ServerCaller> {
  readonly request: ServerRequest;
  readonly requestId: string;
  readonly operation: ServedOperation;
  /** Of the path, as they are in the target, escapes and all. */
  readonly segments: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly bytes: Uint8Array;
  /** The idempotency key, where the caller sent one that counts. */
  readonly key: string | undefined;
  /** Run when it is known what became of the answer. */
  readonly ended: ((delivery: Delivery) => Promise<void> | void)[];
}

/** What a call has of its key while it runs. */
export type Hold = Pick<OwnedKey, 'collecting' | 'lost' | 'charge'>;

/** What a call has that came without a key: nobody else can charge for it. */
export const WITHOUT_KEY: Hold = {
  collecting: false,
  lost: undefined,
  charge: (hasEnded) => Promise.resolve(!hasEnded()),
};

/** What the work of a call came to. */
export interface Made {
  readonly answer: Outgoing;
  /** Whether the call surely had no effect, which frees a key that is good for one use. */
  readonly hadNoEffect: boolean;
  /** Whether a faithful copy of the answer can be kept. */
  readonly isReplayable: boolean;
}

/** The caller can send the call again: whoever runs with its key now gives it an answer. */
export function keyLost({ refused }: Pick<Ports, 'refused'>): LooseReply {
  const message =
    'The server lost its claim on the key of this call, and ended the call. Send it again with the same key.';
  return refused('unavailable', message, { headers: { 'Retry-After': '1' } });
}
