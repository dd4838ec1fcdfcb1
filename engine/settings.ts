import type { CauseCodes } from './refusal.ts';
import type { Credentials } from './credentials.ts';
import type { Finding } from './findings.ts';
import type { ServerCall, ServerCaller, ServerRequest } from './handler.ts';
import type { Bounds, Store } from './store.ts';

/** @typeParam Scheme the names of the document's security schemes */
export interface ServerOptions<Caller extends ServerCaller = ServerCaller, Scheme extends string = string> {
  /**
   * Finds the caller for the credentials of a request; `undefined` if they are invalid. The credentials are empty if
   * the document requires none. Throw a refusal to give a reason.
   */
  readonly authenticate: (
    credentials: Credentials<Scheme>,
    request: Pick<ServerRequest, 'method' | 'target' | 'headers'>,
  ) => Caller | undefined | Promise<Caller | undefined>;
  /** The store of keys and capacity; default: the memory of this process. */
  readonly store?: Store;
  /** How long a call may take, in milliseconds; default: the deadline of the contract. */
  readonly deadlineMs?: number;
  /**
   * How long a claim on a key lasts without a renewal, in milliseconds. At least the deadline and 1.5 x
   * (`storeTimeoutMs` + 1 s), else `createServer` throws a RangeError: a slow store could end the claim unnoticed. Default:
   * 30 s above the deadline, or more where `storeTimeoutMs` asks for it.
   */
  readonly leaseMs?: number;
  /** How long the store may take to answer before the server is unavailable; default 5 s. */
  readonly storeTimeoutMs?: number;
  /** The longest answer that is kept for replays, in bytes; default 1 MiB. A longer one cannot be replayed. */
  readonly replayCapBytes?: number;
  /** The capacity of a caller; default: the number of calls in the contract, or unlimited if the contract has none. */
  readonly capacity?: {
    readonly bounds: (caller: Caller, operation: string) => Bounds;
    /** What the call is expected to cost, in cents. May throw a refusal, which then comes before the bounds. */
    readonly cents?: (
      input: Readonly<Record<string, unknown>>,
      call: ServerCall<Caller>,
      operation: string,
    ) => number | Promise<number>;
  };
  /**
   * Looks up what a path names, by the ids of operations, before the rest of the request is judged: what is not there is
   * not there, whatever the body. Throw a refusal where there is nothing. Segments are as they are in the target.
   */
  readonly lookup?: Readonly<
    Record<string, (segments: Readonly<Record<string, string>>, caller: Caller) => void | Promise<void>>
  >;
  /**
   * Returns the tag of the current version, for changes that name one (`If-Match`), by the ids of operations;
   * `undefined` if the resource does not exist. Quoted as in `ETag`. Default: the tag in the answer of the handler
   * that reads the resource.
   */
  readonly versions?: Readonly<
    Record<
      string,
      (
        input: Readonly<Record<string, unknown>>,
        call: ServerCall<Caller>,
      ) => string | undefined | Promise<string | undefined>
    >
  >;
  /**
   * Whether a value that may be given once only is given already, by the ids of operations. Default: what the store knows of
   * earlier calls; for things of a collection, which can be changed and deleted, the handler has to refuse.
   */
  readonly isTaken?: Readonly<
    Record<
      string,
      (
        member: string,
        input: Readonly<Record<string, unknown>>,
        call: ServerCall<Caller>,
      ) => boolean | Promise<boolean>
    >
  >;
  /** The longest body of a request, in bytes; default 10 MiB. A longer one is answered with 413 and not read to its end. */
  readonly bodyBytes?: number;
  /**
   * The most fields of a form, and the most parts of a multipart body; default 1,000. A body with more is answered with
   * 413 in the shape that errors of the API have.
   */
  readonly formFields?: number;
  /** How many levels deep JSON may be nested; default 200. A deeper body is answered with 400. */
  readonly jsonDepth?: number;
  /** Whether to check answers against the document, for development. Default: no. */
  readonly checkResponses?: boolean;
  /**
   * The surface of the API that this server implements, by its name in the sheet. Members that only other surfaces
   * may send are left out of answers. Default: no such member is left out.
   */
  readonly surface?: string;
  /** A path before all paths of the document, such as `/deployment/7`. */
  readonly basePath?: string;
  /** How long a stream stays silent, in milliseconds; default 15 s. */
  readonly keepAliveMs?: number;
  /** The codes for errors of the server itself, if the contract leaves them open. */
  readonly codes?: CauseCodes;
  /**
   * Is told what happens: the beginning and the end of each call, and what no answer tells. What it throws, or rejects with,
   * goes to `console.error` and changes no answer; nothing waits for it. Default: faults of handlers and streams go to
   * `console.error`.
   */
  readonly onFinding?: (finding: Finding) => unknown;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}
