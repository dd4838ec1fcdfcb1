import { decideRetry, retryAfterMs } from '../../contract/policies/retry.ts';
import type { AttemptEnd } from '../../contract/policies/retry.ts';
import { readJson } from './answers.ts';
import type { Connection } from './connection.ts';
import { ApiError, ConnectionError, ResponseError, TimeoutError, withoutQuery } from './errors.ts';
import type { CallFacts } from './errors.ts';
import type { Answer, CallOptions, Input, Operation } from './operation.ts';
import { prepareRequest, withCredentials } from './request.ts';
import type { PreparedRequest } from './request.ts';

/** Patience with one attempt of an operation that says nothing about it. */
const TIMEOUT_MS = 60_000;

/** Between attempts, where the server gives no advice. */
const pauses = { firstMs: 500, longestMs: 8_000 };

/**
 * Makes one logical call: sends the request, sends it again where the operation's retry rules allow it, and gives the
 * result. All attempts share one idempotency key. Redirects are not followed: no secret goes where a server points.
 *
 * @throws {ApiError} when the server answered, and not with a result
 * @throws {ConnectionError | TimeoutError} when no whole answer arrived
 * @throws {ResponseError} when the answer cannot be read
 * @throws {TypeError} when the input cannot be written; nothing was sent
 * @throws the reason of `options.signal` when it aborts
 */
export async function send(
  connection: Connection,
  operation: Operation,
  input: Input = {},
  options: CallOptions = {},
): Promise<Answer> {
  const { clock } = connection;
  const key = operation.key && (options.idempotencyKey ?? connection.createKey());
  const request = prepareRequest(connection, operation, input, options, key);
  const timeoutMs =
    options.timeoutMs ?? Math.max(connection.timeoutMs ?? TIMEOUT_MS, operation.timeoutMs ?? 0);
  const totalMs = options.totalTimeoutMs ?? connection.totalTimeoutMs ?? 2 * timeoutMs;
  const endsAt = clock.now() + totalMs;
  const backoff = { ...pauses, retries: options.retries ?? connection.retries };
  let waits = 0;

  for (let attempts = 1; ; attempts += 1) {
    const facts: CallFacts = {
      operation: operation.id,
      method: operation.method,
      url: withoutQuery(request.url),
      attempts,
      idempotencyKey: key,
    };
    try {
      const patience = Math.min(timeoutMs, endsAt - clock.now());
      return await attempt(connection, operation, request, facts, patience, options.signal);
    } catch (error) {
      const end = howItEnded(error);
      if (operation.retry === undefined || end === undefined) throw error;
      const resend = decideRetry(operation.retry, end, backoff, {
        attempts: attempts - waits,
        waits,
        keyed: key !== undefined,
        now: clock.now(),
        random: connection.random(),
      });
      // A pause that outlasts the caller's patience is not begun: the error says how long the server asked for.
      if (resend === undefined || clock.now() + resend.afterMs >= endsAt) throw error;
      if (resend.because === 'wait') waits += 1;
      await clock.sleep(resend.afterMs, options.signal);
      if (clock.now() >= endsAt) throw error;
    }
  }
}

// --- internal ---

/** One request under its own time limit. The limit holds for a `fetch` that does not heed its signal, too. */
async function attempt(
  connection: Connection,
  operation: Operation,
  request: PreparedRequest,
  facts: CallFacts,
  patienceMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const timer = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error), { once: true });
  });
  const abort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  connection.clock.sleep(patienceMs, timer.signal).then(
    () => stop.abort(new TimeoutError(`No whole answer within ${patienceMs} ms`, facts)),
    () => undefined,
  );
  try {
    return await Promise.race([stopped, exchange(connection, operation, request, facts, stop.signal)]);
  } finally {
    timer.abort();
    signal?.removeEventListener('abort', abort);
  }
}

async function exchange(
  connection: Connection,
  operation: Operation,
  request: PreparedRequest,
  facts: CallFacts,
  signal: AbortSignal,
): Promise<Answer> {
  const { url, headers } = await withCredentials(request, connection, operation);
  const init: RequestInit = { method: operation.method, headers, signal, redirect: 'manual' };
  if (request.body !== undefined) init.body = request.body;
  let response: Response;
  try {
    response = await connection.fetch(url, init);
  } catch (cause) {
    throw new ConnectionError(`The connection failed${codeOf(cause)}`, facts, cause);
  }
  const { status } = response;
  const { requestIdHeader } = operation.api;
  const requestId = (requestIdHeader && response.headers.get(requestIdHeader)) || undefined;
  const answer = { status, headers: response.headers, requestId };
  if (response.type === 'opaqueredirect') {
    throw new ResponseError('The server redirects, which is not followed', facts, answer);
  }
  if (!response.ok && operation.results?.includes(status) !== true) {
    throw await failure(connection, operation, response, facts, requestId);
  }
  const bodiless = operation.method === 'HEAD' || [204, 205, 304].includes(status);
  let data: unknown;
  try {
    data = bodiless ? undefined : await (operation.read ?? readJson)(response);
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new ResponseError(`The body of the ${status} is not what its media type says`, facts, {
        ...answer,
        cause,
      });
    }
    throw new ConnectionError(`The answer broke off${codeOf(cause)}`, facts, cause);
  }
  const mark = operation.key?.replayed;
  return {
    ...answer,
    data,
    replayed: mark !== undefined && response.headers.get(mark.name) === mark.value,
    idempotencyKey: facts.idempotencyKey,
    attempts: facts.attempts,
    url: response.url || url,
  };
}

/** A body that breaks off does not take away what status and headers say. */
async function failure(
  connection: Connection,
  operation: Operation,
  response: Response,
  facts: CallFacts,
  requestId: string | undefined,
): Promise<ApiError> {
  let body: unknown;
  let cause: unknown;
  try {
    body = (await response.text()) || undefined;
    if (typeof body === 'string' && /^\s*[[{"]/.test(body)) body = JSON.parse(body) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) cause = error;
  }
  const { status, headers } = response;
  const answer = {
    ...facts,
    status,
    headers,
    body,
    requestId,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), connection.clock.now()),
    cause,
  };
  return operation.api.failure?.(answer) ?? new ApiError(answer);
}

function howItEnded(error: unknown): AttemptEnd | undefined {
  if (error instanceof ApiError) {
    const { status, bucket, headers } = error;
    return { ended: 'answered', status, bucket, retryAfter: headers.get('retry-after') };
  }
  return error instanceof ConnectionError || error instanceof TimeoutError
    ? { ended: 'unanswered' }
    : undefined;
}

/** The code of a system error such as ECONNREFUSED. Its message is left out: it may show what was sent. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? ((error.cause ?? error) as { readonly code?: unknown }) : {};
  return typeof cause.code === 'string' ? `: ${cause.code}` : '';
}
