import type { CauseCodes } from './refusal.ts';
import type { Credentials } from './credentials.ts';
import type { Finding } from './findings.ts';
import type { ServerCall, ServerCaller, ServerRequest } from './handler.ts';
import type { Bounds, Store } from './store.ts';

/** @typeParam Scheme the names of the document's security schemes */
export interface ServerOptions<Caller extends ServerCaller = ServerCaller, Scheme extends string = string> {
  /**
   * Finds the caller for the credentials of a request; return `undefined` if they are invalid. The
   * credentials are empty if the document requires none. Throw a refusal to give a reason.
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
   * (`storeTimeoutMs` + 1 s), otherwise `createServer` throws a RangeError, because a slow store could end
   * the claim unnoticed. Default: 30 s above the deadline, or more if `storeTimeoutMs` requires it.
   */
  readonly leaseMs?: number;
  /** How long the store may take to answer before it counts as unavailable; default 5 s. */
  readonly storeTimeoutMs?: number;
  /**
   * The longest answer that is stored for replays, in bytes; default 1 MiB. A longer one cannot be replayed.
   */
  readonly replayCapBytes?: number;
  /** The capacity of a caller; default: the number of calls in the contract, or unlimited if the contract has none. */
  readonly capacity?: {
    readonly bounds: (caller: Caller, operation: string) => Bounds;
    /**
     * The expected cost of the call, in cents. May throw a refusal, which takes precedence over the bounds.
     */
    readonly cents?: (
      input: Readonly<Record<string, unknown>>,
      call: ServerCall<Caller>,
      operation: string,
    ) => number | Promise<number>;
  };
  /**
   * Checks that the resources in a path exist, by the ids of operations, before the rest of the request is
   * validated: a missing resource is reported even if the body is invalid. Throw a refusal for a missing
   * resource. Segments are as in the target.
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
   * Whether a unique value is already in use, by the ids of operations. Default: the store's record of
   * earlier calls. The resources of a collection can be changed and deleted, so for these the handler has to
   * refuse.
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
  /**
   * How many things exist that count towards the bound of an operation (`capacity` with `things`), by the ids of
   * operations: those of the caller, and of the states that the contract names. Default: the handler has to refuse.
   */
  readonly existing?: Readonly<
    Record<
      string,
      (input: Readonly<Record<string, unknown>>, call: ServerCall<Caller>) => number | Promise<number>
    >
  >;
  /**
   * The longest request body, in bytes; default 10 MiB. A longer one is answered with 413 and not read to its
   * end.
   */
  readonly bodyBytes?: number;
  /**
   * The limit for fields of a form and for parts of a multipart body; default 1,000. A body with more is
   * answered with 413, as an error of the API.
   */
  readonly formFields?: number;
  /** The limit for levels of nested JSON; default 200. A deeper body is answered with 400. */
  readonly jsonDepth?: number;
  /** Whether to check answers against the document, for development. Default: no. */
  readonly checkResponses?: boolean;
  /**
   * The surface of the API that this server implements, by its name in the sheet. Members that only other surfaces
   * may send are left out of answers. Default: no such member is left out.
   */
  readonly surface?: string;
  /** A prefix of all paths of the document, such as `/deployment/7`. */
  readonly basePath?: string;
  /** The pause in a stream after which a keep-alive is sent, in milliseconds; default 15 s. */
  readonly keepAliveMs?: number;
  /** The codes for errors of the server itself, if the contract leaves them open. */
  readonly codes?: CauseCodes;
  /**
   * Receives events: the beginning and the end of each call, and problems that answers do not show. Errors
   * that it throws, or rejects with, are printed by `console.error` and change no answer; nothing waits for
   * it. Default: faults of handlers and streams are printed by `console.error`.
   */
  readonly onFinding?: (finding: Finding) => unknown;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}
