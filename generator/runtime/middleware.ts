import type { Fetch } from './connection.ts';
import { ResponseError, withoutQuery } from './errors.ts';
import type { CallFacts } from './errors.ts';

/** The request of one attempt, before it is sent. */
export interface Attempt extends CallFacts {
  /** May be replaced. Credentials in the query are part of it. */
  address: string;
  /** May be changed, credentials included. */
  readonly headers: Headers;
  readonly body: RequestInit['body'];
  /** The path of the operation as the document writes it, such as `/v1/models/{provider}/{model}`. */
  readonly path: string;
  /** Aborts when the call is aborted or its time limit expires. */
  readonly signal: AbortSignal;
}

/** Hooks around each attempt of a call. All may be asynchronous; the time limit of the call includes them. */
export interface Middleware {
  /** Called before the attempt is sent. If it returns a `Response`, that is the answer, and nothing is sent. */
  readonly onRequest?: (attempt: Attempt) => Given;
  /**
   * Called when the headers have arrived. If it returns a `Response`, that replaces the answer. Read the body of a
   * clone only.
   */
  readonly onResponse?: (response: Response, attempt: Attempt) => Given;
  /**
   * Called when no answer arrived. If it returns a `Response`, that is the answer. Otherwise the attempt fails, and
   * is retried if that is safe.
   */
  readonly onError?: (error: unknown, attempt: Attempt) => Given;
}

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- A hook without a result is void.
type Given = Response | undefined | void | Promise<Response | undefined | void>;

/** A hook of a middleware threw. Its call fails with this error and is not retried; `cause` is the thrown value. */
export class MiddlewareError extends ResponseError {
  override readonly name = 'MiddlewareError';
}

/**
 * A `fetch` for a connection, with hooks around it: `connect({ baseUrl, fetch: withMiddleware([log, trace])
 * })`. The first one sees a request first and its answer last. Keys, retries and time limits of calls are
 * unchanged.
 *
 * @param own used instead of the platform's `fetch`
 */
export function withMiddleware(all: readonly Middleware[], own?: Fetch): Fetch {
  return async (url, init, known, operation) => {
    const headers = new Headers(init.headers);
    const { body = null, method = 'GET' } = init;
    const facts: CallFacts = known ?? {
      ...{ operation: '', method, url: withoutQuery(url), attempts: 1, idempotencyKey: undefined },
    };
    const signal = init.signal ?? new AbortController().signal;
    const { path = '' } = operation ?? {};
    const attempt: Attempt = { ...facts, address: url, headers, body, path, signal };
    const hook = async (work: () => Given): Promise<Response | undefined> => {
      try {
        return (await work()) as Response | undefined;
      } catch (cause) {
        throw new MiddlewareError('A middleware failed', { ...facts, cause });
      }
    };
    const through = async (index: number): Promise<Response> => {
      const each = all[index];
      if (each === undefined) {
        const sent = { ...init, headers };
        const { address } = attempt;
        return (
          own?.(address, sent, facts, operation) ??
          globalThis.fetch(address, operation?.patiently?.(sent) ?? sent)
        );
      }
      let response = await hook(() => each.onRequest?.(attempt));
      if (response !== undefined) return response;
      try {
        response = await through(index + 1);
      } catch (error) {
        if (error instanceof MiddlewareError) throw error;
        response = await hook(() => each.onError?.(error, attempt));
        if (response === undefined) throw error;
        return response;
      }
      const arrived = response;
      return (await hook(() => each.onResponse?.(arrived, attempt))) ?? arrived;
    };
    return through(0);
  };
}
