import type { StreamEvent } from '../contract/policies/event-stream.ts';

/** Who calls. The id tells callers apart: keys and capacity are theirs. */
export interface ServerCaller {
  readonly id: string;
}

/** A request as it came, nothing normalised. */
export interface ServerRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  /** The whole body, or nothing when it is longer than `mostBytes`: then no more of it is read. May be asked for once. */
  body(mostBytes: number): Promise<Uint8Array | undefined>;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** What a handler can know and say of a call beside its input. */
export interface ServerCall<Caller = ServerCaller> {
  readonly caller: Caller;
  readonly request: Pick<ServerRequest, 'method' | 'target' | 'headers'>;
  /** The body as it came. */
  readonly bytes: Uint8Array;
  readonly requestId: string;
  /**
   * Aborts when the caller goes away, the deadline expires, the call loses the claim on its key, or the grace of a shutdown
   * is over: stop what nobody waits for.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts when the server begins to shut down: end a stream soon, begin nothing long. Its reason is an error with the name
   * `ShutdownError`. The call is still waited for until `signal` aborts.
   */
  readonly closing: AbortSignal;
  /** The idempotency key, where the caller sent one. */
  readonly key: string | undefined;
  /** An earlier call with this key ended with its work under way: wait for it, do not start again. */
  readonly collecting: boolean;
  /**
   * Whether to charge for this call: ask right before charging, and charge only where this resolves with `true`. A key is
   * charged at most once in its window (document 1, "Idempotency key handling"), so that of all calls with one key only one
   * hears `true`; without a key the first question of a call does. A call that has ended hears `false`: what the deadline
   * ended is not charged. After `true` the deadline no longer ends the call, and after `false` its answer leaves without a
   * header that says what was charged. Rejects where the store cannot be asked: then nothing is to be charged.
   */
  charge(): Promise<boolean>;
  /** Says that no faithful copy of the answer can be kept, so that a retry is refused and not replayed. */
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

/** Headers by name. A reply may have any; a list is sent as one header each, as `Set-Cookie` asks for. */
type AnyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Of the headers that a document knows, those that a handler has to give: what every answer has, but for the server's own. */
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
  /** Why the request fails, where the body does not say it. */
  readonly reason?: string;
} & ReplyHeaders<Known, Own> &
  (
    | ([Body] extends [undefined] ? { readonly body?: undefined } : { readonly body: Body })
    /** A body that is sent as it is, such as JSON whose numbers and spaces are somebody else's. */
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

/** One event; data that is no text is sent as JSON. Nothing but `comment` is a sign of life that means nothing. */
export type ServerEvent =
  { readonly event: StreamEvent['event']; readonly data: unknown } | { readonly comment: string };

/** A stream of events. It ends when the iteration does, and is cut when that throws. */
export type StreamReply<Known = unknown, Own = never> = {
  readonly status: number;
  readonly events: AsyncIterable<ServerEvent>;
} & ReplyHeaders<Known, Own>;

/** The streams that an operation can be answered with, by the statuses that the document describes them for. */
export type StreamRepliesOf<Status, Known = unknown, Own = never> = Status extends keyof Known
  ? StreamReply<Known[Status], Own>
  : StreamReply;

/** What the machinery makes of any reply. */
export interface LooseReply {
  readonly status: number;
  readonly headers?: AnyHeaders;
  readonly reason?: string;
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly events?: AsyncIterable<ServerEvent>;
}
