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
  /**
   * The whole body; `undefined` if it is longer than `mostBytes`, in which case reading stops. Call this
   * once.
   */
  body(mostBytes: number): Promise<Uint8Array | undefined>;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** Information about a call besides its input, and functions to report on it. */
export interface ServerCall<Caller = ServerCaller> {
  readonly caller: Caller;
  readonly request: Pick<ServerRequest, 'method' | 'target' | 'headers'>;
  /** The body as received. */
  readonly bytes: Uint8Array;
  readonly requestId: string;
  /**
   * Aborts when the caller disconnects, the deadline expires, the call loses its claim on the key, or the
   * grace period of a shutdown ends. Stop the work then, because its result is no longer needed.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts when the server begins to shut down: end streams soon, and start no long work. Its reason is an
   * error with the name `ShutdownError`. The server waits for the call until `signal` aborts.
   */
  readonly closing: AbortSignal;
  /** The idempotency key, if the caller sent one. */
  readonly key: string | undefined;
  /**
   * An earlier call with this key ended while its work continued: wait for that work instead of starting it
   * again.
   */
  readonly collecting: boolean;
  /**
   * Whether to charge for this call. Call it right before charging, and charge only if it resolves with
   * `true`. A key is charged at most once in its window (document 1, "Idempotency key handling"): among all
   * calls with one key, this resolves with `true` only once. Without a key, it resolves with `true` on its
   * first use in a call. It resolves with `false` in a call that has ended, so a call that the deadline ended
   * is not charged. After `true` the deadline no longer ends the call. After `false` the answer is sent
   * without the header for the charged amount. It rejects if the store is unavailable; do not charge then.
   */
  charge(): Promise<boolean>;
  /** Declares that no exact copy of the answer can be stored, so that a retry is refused and not replayed. */
  forbidReplay(): void;
}

export type Handler<Input, Result, Caller = ServerCaller> = (
  input: Input,
  call: ServerCall<Caller>,
) => Result | Promise<Result>;

/** The input of a handler: bytes are a Blob, in whichever form a client may send them. */
export type Received<Input> = Input extends { readonly body?: infer Body }
  ? Omit<Input, 'body'> & { readonly body: BlobOf<Body> }
  : Input;

type BlobOf<Body> = Body extends Blob | ArrayBuffer | ArrayBufferView | ReadableStream
  ? Body extends Blob
    ? Blob
    : never
  : Body;

/**
 * Headers by name; any name is allowed. A list is sent as one header for each item, as `Set-Cookie` requires.
 */
type AnyHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * The headers that a handler must provide: those that the document declares for every answer, except those
 * that the server sends itself.
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
 * The headers of a reply: the declared ones under their declared names, and any others. A header that is
 * declared for every answer is required, except for `Own`, which the server sends itself.
 */
export type ReplyHeaders<Known = unknown, Own = never> = [keyof Demanded<Known, Own>] extends [never]
  ? { readonly headers?: AnyHeaders & Optional<Known, Own> }
  : { readonly headers: AnyHeaders & Demanded<Known, Own> & Optional<Known, Own> };

/** An answer. To fail with an error of the API, throw the result of `refuse` instead. */
export type Reply<Status extends number, Body, Known = unknown, Own = never> = {
  readonly status: Status;
  /** Why the request fails, if the body does not contain the reason. */
  readonly reason?: string;
} & ReplyHeaders<Known, Own> &
  (
    | ([Body] extends [undefined] ? { readonly body?: undefined } : { readonly body: Body })
    /** A body that is sent unchanged, such as JSON from another program. */
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
 * One event; data that is not a string is sent as JSON. A caller whose stream breaks can resume after an
 * `id`, which it sends as `Last-Event-ID`; streams of the policy `event-stream` have no ids. An event with
 * only a `comment` is a keep-alive.
 */
export type ServerEvent =
  | {
      readonly event: StreamEvent['event'];
      readonly data: unknown;
      readonly id?: string | undefined;
    }
  | { readonly comment: string };

/** An event that the document describes, a keep-alive, or the text that many servers send last. */
export type SentEvent<Data, Name extends string = string> =
  | { readonly event: Name; readonly data: Data | '[DONE]'; readonly id?: string | undefined }
  | { readonly comment: string };

/** A stream of events. It ends when the iteration does, and is cut when the iteration throws. */
export type StreamReply<Event = ServerEvent, Known = unknown, Own = never> = {
  readonly status: number;
  readonly events: AsyncIterable<Event>;
} & ReplyHeaders<Known, Own>;

/** The streams that an operation can answer with, by the statuses that declare them. */
export type StreamRepliesOf<Event, Status, Known = unknown, Own = never> = Status extends keyof Known
  ? StreamReply<Event, Known[Status], Own>
  : StreamReply<Event>;

/** A body of JSON lines, of a JSON sequence or of parts, sent as its items come. It ends as a stream of events does. */
export type ItemsReply<Item, Known = unknown, Own = never> = {
  readonly status: number;
  readonly items: AsyncIterable<Item>;
} & ReplyHeaders<Known, Own>;

/** The same for an operation, by the statuses that declare such a body as a list. */
export type ItemsRepliesOf<
  Responses,
  Status extends keyof Responses,
  Known = unknown,
  Own = never,
> = ItemsReply<
  Responses[Status] extends infer Body ? (Body extends readonly (infer Item)[] ? Item : never) : never,
  Status extends keyof Known ? Known[Status] : unknown,
  Own
>;

/** The general form of any reply, for the engine. */
export interface LooseReply {
  readonly status: number;
  readonly headers?: AnyHeaders;
  readonly reason?: string;
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly events?: AsyncIterable<ServerEvent>;
  readonly items?: AsyncIterable<unknown>;
}
