import type { StreamEvent } from '../contract/policies/event-stream.ts';

/** The caller. Its id distinguishes callers: each has its own keys and capacity. */
export interface ServerCaller {
  readonly id: string;
}

/** A request as received, without normalisation. */
export interface ServerRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  /** The whole body; `undefined` if it is longer than `mostBytes`, and then reading stops. Call this once. */
  body(mostBytes: number): Promise<Uint8Array | undefined>;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** What a handler can read and report about a call besides its input. */
export interface ServerCall<Caller = ServerCaller> {
  readonly caller: Caller;
  readonly request: Pick<ServerRequest, 'method' | 'target' | 'headers'>;
  /** The body as received. */
  readonly bytes: Uint8Array;
  readonly requestId: string;
  /**
   * Aborts when the caller goes away, the deadline expires, the call loses the claim on its key, or the grace of a shutdown
   * is over: stop what nobody waits for.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts when the server begins to shut down: end streams soon, and start no long work. Its reason is an error with
   * the name `ShutdownError`. The server waits for the call until `signal` aborts.
   */
  readonly closing: AbortSignal;
  /** The idempotency key, if the caller sent one. */
  readonly key: string | undefined;
  /** An earlier call with this key ended while its work continued: wait for that work, do not start it again. */
  readonly collecting: boolean;
  /**
   * Whether to charge for this call: ask right before charging, and charge only where this resolves with `true`. A
   * key is charged at most once in its window (document 1, "Idempotency key handling"), so this resolves with `true`
   * in only one of all calls with one key. Without a key, it resolves with `true` when a call asks first. In a call
   * that has ended, it resolves with `false`: what the deadline ended is not charged. After `true` the deadline no
   * longer ends the call, and after `false` its answer leaves without a header that says what was charged. Rejects
   * where the store cannot be asked: then nothing is to be charged.
   */
  charge(): Promise<boolean>;
  /** Declares that no exact copy of the answer can be stored, so that a retry is refused and not replayed. */
  forbidReplay(): void;
}

export type Handler<Input, Result, Caller = ServerCaller> = (
  input: Input,
  call: ServerCall<Caller>,
) => Result | Promise<Result>;

/** An input as it arrives: bytes are a Blob, however a client may send them. */
export type Received<Input> = Input extends { readonly body?: infer Body }
  ? Omit<Input, 'body'> & { readonly body: BlobOf<Body> }
  : Input;

type BlobOf<Body> = Body extends Blob | ArrayBuffer | ArrayBufferView | ReadableStream
  ? Body extends Blob
    ? Blob
    : never
  : Body;

/** Headers by name. A reply may have any. A list is sent as one header for each item, as `Set-Cookie` requires. */
type AnyHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * The declared headers that a handler must give: those that every answer has, except those that the server sends
 * itself.
 */
type Demanded<Known, Own> = {
  readonly [
    Name in keyof Known as Name extends Own ? never : null extends Known[Name] ? never : Name
  ]: Known[Name];
};

type Optional<Known, Own> = {
  readonly [Name in keyof Known as Name extends keyof Demanded<Known, Own> ? never : Name]?: NonNullable<
    Known[Name]
  >;
};

/**
 * The headers of a reply: those that the document declares, under the names that it writes, and any others. What it declares for
 * every answer has to be there, but for `Own`, which the server sends by itself.
 */
export type ReplyHeaders<Known = unknown, Own = never> = [keyof Demanded<Known, Own>] extends [never]
  ? { readonly headers?: AnyHeaders & Optional<Known, Own> }
  : { readonly headers: AnyHeaders & Demanded<Known, Own> & Optional<Known, Own> };

/** An answer. Throw what `refuse` makes where the request fails for a reason that the API has a name for. */
export type Reply<Status extends number, Body, Known = unknown, Own = never> = {
  readonly status: Status;
  /** Why the request fails, if the body does not say it. */
  readonly reason?: string;
} & ReplyHeaders<Known, Own> &
  (
    | ([Body] extends [undefined] ? { readonly body?: undefined } : { readonly body: Body })
    /** A body that is sent unchanged, such as JSON that another program has written. */
    | { readonly raw: string | Uint8Array }
  );

/** The answers that a document describes for an operation, by status. */
export type RepliesOf<Responses, Known = unknown, Own = never> = {
  [Status in keyof Responses]: Reply<
    Status extends number ? Status : number,
    Responses[Status],
    Status extends keyof Known ? Known[Status] : unknown,
    Own
  >;
}[keyof Responses];

/**
 * One event; data that is not a string is sent as JSON. A caller whose stream breaks can continue behind an `id`, which it
 * sends as `Last-Event-ID`; streams of the policy `event-stream` leave ids out. An event with only a `comment` is a keep-alive.
 */
export type ServerEvent =
  | {
      readonly event: StreamEvent['event'];
      readonly data: unknown;
      readonly id?: string | undefined;
    }
  | { readonly comment: string };

/** A stream of events. It ends when the iteration does, and is cut when that throws. */
export type StreamReply<Known = unknown, Own = never> = {
  readonly status: number;
  readonly events: AsyncIterable<ServerEvent>;
} & ReplyHeaders<Known, Own>;

/** The streams that an operation can be answered with, by the statuses that the document describes them for. */
export type StreamRepliesOf<Status, Known = unknown, Own = never> = Status extends keyof Known
  ? StreamReply<Known[Status], Own>
  : StreamReply;

/** The general form of any reply, for the engine. */
export interface LooseReply {
  readonly status: number;
  readonly headers?: AnyHeaders;
  readonly reason?: string;
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly events?: AsyncIterable<ServerEvent>;
}
