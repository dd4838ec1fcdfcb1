import type { Delivery } from './delivery.ts';
import type { ServerRequest } from './handler.ts';
import type { ServedOperation } from './served-api.ts';

/** The call that a finding is about. All findings of one call carry the same object, which fills as the call proceeds. */
export interface CallFacts {
  /** The request id of the answer, if the API has a header for it. */
  readonly requestId: string;
  readonly method: string;
  /** The path as received. The query is left out: it may contain credentials, under names that no document declares. */
  readonly path: string;
  /** The id of the operation, if the request matches one. */
  readonly operation?: string;
  /** The path of that operation as the document writes it, such as `/notes/{id}`. */
  readonly route?: string;
  /** The id of the caller, after `authenticate` has returned one. */
  readonly caller?: string;
  /** The idempotency key, if the caller sent one and the operation accepts one. */
  readonly key?: string;
  /** The trace of the caller (W3C Trace Context), if its header is valid. */
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/**
 * An event in the server that answers do not show. Each call begins with `started` and ends with `ended`;
 * times are in milliseconds.
 */
export type Finding = Notice & { readonly call: CallFacts };

/** A finding as the engine makes it; the server adds its call. */
export type Notice =
  /** A request has arrived. Its body has not been read, and its caller is not known. */
  | { readonly kind: 'started' }
  /**
   * An answer does not match the document. Reported if `checkResponses` is on, or if a member was left out.
   */
  | {
      readonly kind: 'response';
      readonly operation: string;
      readonly status: number;
      readonly misfits: readonly string[];
    }
  /**
   * A handler, or another function of the options, threw something other than a refusal. The caller received
   * an internal error.
   */
  | { readonly kind: 'handler'; readonly operation: string; readonly error: unknown }
  /**
   * The iteration of a stream threw, or yielded a value that cannot be sent. The stream was cut, so that it
   * does not look complete.
   */
  | { readonly kind: 'stream'; readonly operation: string; readonly error: unknown }
  /** An operation of the store failed. */
  | { readonly kind: 'store'; readonly operation: string; readonly error: unknown }
  /**
   * A running call lost its key or its capacity in the store. `key`: another call may run with the same key, and the
   * result of this one is not stored. `capacity`: the call continues, but is no longer counted.
   */
  | {
      readonly kind: 'lost';
      readonly operation: string;
      readonly what: 'key' | 'capacity';
      /** The id of the caller. */
      readonly caller: string;
      /** The idempotency key of the call, if it has one. */
      readonly key: string | undefined;
      /** Why the store could not be reached; `undefined` if the store itself reported the loss. */
      readonly error?: unknown;
    }
  /** An answer to a request exists but has not been sent yet. `ms` counts from `started`. */
  | {
      readonly kind: 'answered';
      readonly operation: string | undefined;
      readonly status: number;
      readonly ms: number;
      readonly replayed: boolean;
    }
  /**
   * The answer, or the whole stream, was sent, or the caller disconnected before. `ms` counts from `started`.
   * `delivery` is `short` if the caller received a part, and `dropped` if it received nothing.
   */
  | {
      readonly kind: 'ended';
      readonly operation: string | undefined;
      readonly status: number;
      readonly ms: number;
      readonly delivery: Delivery;
    };

/** What is known about a call at its start. */
export function factsOf(
  operation: ServedOperation | undefined,
  { method, target, headers }: Pick<ServerRequest, 'method' | 'target' | 'headers'>,
  requestId: string,
): { -readonly [Name in keyof CallFacts]: CallFacts[Name] } {
  const traceparent = headers.get('traceparent')?.trim() ?? '';
  const tracestate = headers.get('tracestate')?.trim();
  return {
    ...{ requestId, method, path: target.split('?', 1)[0] ?? '' },
    ...(operation === undefined ? {} : { operation: operation.id, route: operation.path }),
    ...(TRACEPARENT.test(traceparent) ? { traceparent, ...(tracestate ? { tracestate } : {}) } : {}),
  };
}

/**
 * Calls an observer. Its errors are only printed: they must not change an answer, and an unhandled rejection
 * would end the process.
 */
export function notifyObserver(
  onFinding: ((finding: Finding) => unknown) | undefined,
  finding: Finding,
): void {
  try {
    const observed: unknown = onFinding === undefined ? printFault(finding) : onFinding(finding);
    // Any thenable may reject.
    if (typeof (observed as PromiseLike<unknown> | undefined)?.then === 'function')
      Promise.resolve(observed).catch(print);
  } catch (error) {
    print(error);
  }
}

// --- internal ---

/**
 * Version, trace, parent, flags; only versions after the first may have more fields. Version `ff` is invalid, and so
 * is a trace or a parent of zeros alone.
 */
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/** Without an observer, an internal error of the server would go unnoticed. */
function printFault(finding: Finding): void {
  if (finding.kind !== 'handler' && finding.kind !== 'stream') return;
  const { method, path, route = path, requestId } = finding.call;
  // eslint-disable-next-line no-console -- There is no observer to report it to.
  console.error(`${method} ${route} failed (request ${requestId}):`, finding.error);
}

function print(error: unknown): void {
  // eslint-disable-next-line no-console -- The observer failed, so the console is the only place left.
  console.error('onFinding failed:', error);
}
