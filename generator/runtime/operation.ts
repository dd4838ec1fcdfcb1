import type { RetryRules } from '../../contract/policies/retry.ts';
import type { AnswerReader } from './answers.ts';
import type { BodyOfOperation } from './body-description.ts';
import type { ApiError, FailedAnswer, KnownHeaders } from './errors.ts';
import type { Encode, ParameterStyle } from './parameters.ts';
import type { SecretWriter } from './secrets.ts';

/** The common part of the operations of one document. Generated. */
export interface Api {
  readonly name: string;
  /** The response header with the id to quote in questions about an answer. */
  readonly requestIdHeader?: string;
  /** Makes the typed error for an answer. */
  readonly failure?: (answer: FailedAnswer) => ApiError;
}

/** One operation as `send` needs it: data, and the functions that only some operations use. Generated. */
export interface Operation {
  readonly api: Api;
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** Template such as `/v1/models/{provider}/{model}`. */
  readonly path: string;
  readonly parameters?: readonly ParameterDescription[];
  readonly body?: BodyOfOperation;
  /** Its server, if it differs from that of the API. */
  readonly server?: ServerAddress & { readonly find: AddressFinder };
  /** Alternatives in order. The first one with available credentials is used. */
  readonly security?: readonly (readonly SchemeUse[])[];
  /** The `Accept` header; if left out, JSON. */
  readonly accept?: string;
  /** How the body of a result is read; if left out, as JSON. */
  readonly read?: AnswerReader;
  /** Statuses outside 2xx that are results and not errors, such as 304. */
  readonly results?: readonly number[];
  /** Makes the platform wait for `timeoutMs`; present if that is longer than the platform's own limit. */
  readonly patiently?: (init: RequestInit) => RequestInit;
  /** Present if each call has a key that its attempts share. */
  readonly key?: KeyDescription;
  /** Absent: never sent again. */
  readonly retry?: RetryRules;
  /** The time limit of one attempt in milliseconds: above the server's own deadline, if that is known. */
  readonly timeoutMs?: number;
}

export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /** The member of the input that contains the value; default: `name`. */
  readonly member?: string;
  readonly style: ParameterStyle;
  /** Default: true in queries and cookies, false in paths and headers. */
  readonly explode?: boolean;
  readonly encode?: Encode;
  /** Whether its position in the path may be empty, because other text is in the same segment. */
  readonly empty?: true;
}

/** An address of a document, with the default values of its variables. */
export interface ServerAddress {
  readonly url: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export type AddressFinder = (
  server: ServerAddress,
  connection: {
    readonly baseUrl: string;
    readonly servers?: Readonly<Record<string, string>> | undefined;
    readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  },
) => string;

export interface KeyDescription {
  readonly header: string;
  /** Makes the key of a call whose caller provides none. */
  readonly create: () => string;
  /** The response header that marks a recorded answer. */
  readonly replayed?: { readonly name: string; readonly value: string };
}

/** A security scheme of the document and the place of its secret. */
export interface SchemeUse {
  readonly name: string;
  readonly write: SecretWriter;
  /** The name of a key's header, query parameter or cookie. */
  readonly parameter?: string;
}

/** Options of `fetch` that the client does not set itself. */
export type FetchOptions = Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal' | 'redirect'>;

/** The options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Replaces the address of the operation. */
  readonly baseUrl?: string | undefined;
  /** Additional request headers; they override those of the connection. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The time limit of one attempt. If it is shorter than the server's deadline, the result of a slow call
   * stays unknown.
   */
  readonly timeoutMs?: number | undefined;
  readonly totalTimeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /** The longest body of this call that is read as a whole, in bytes. */
  readonly maxResponseBytes?: number | undefined;
  /** Replaces a new key, to continue a call that an earlier process began. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Further options of `fetch`, such as `cache`, `keepalive`, or any that only your platform's `fetch`
   * supports.
   */
  readonly init?: FetchOptions | undefined;
  /** Reads the body of a result, instead of the operation's own function: see `rawResponse`. */
  readonly read?: AnswerReader | undefined;
}

/** A result. All other outcomes are thrown. */
export interface Answer<Data = unknown, Status extends number = number, Known = unknown> {
  readonly status: Status;
  /** The body; `undefined` if the status has none. */
  readonly data: Data;
  readonly headers: KnownHeaders<Known>;
  /** Quote this id when you ask the operators of the server about this answer. */
  readonly requestId: string | undefined;
  /**
   * Whether this is the recorded answer of an earlier call with the same key. That call did not run again.
   */
  readonly replayed: boolean;
  /** Id of the operation. */
  readonly operation: string;
  readonly method: string;
  /** The idempotency key of all attempts of this call. */
  readonly idempotencyKey: string | undefined;
  /** The number of requests that were sent. */
  readonly attempts: number;
  /** The address that answered, for links that are relative to it. */
  readonly url: string;
}
