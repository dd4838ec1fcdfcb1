import { decideRetry, retryAfterMs } from '../../contract/policies/retry.ts';
import { readJson, readUtf8 } from './answers.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';
import { ApiError, CallError, ConnectionError, ResponseError, TimeoutError, withoutQuery } from './errors.ts';
import type { AnswerFacts, CallFacts, FailedAnswer } from './errors.ts';
import type { Answer, CallOptions, Operation } from './operation.ts';
import type { Input } from './input.ts';
import { prepareRequest, withCredentials } from './request.ts';
import type { PreparedRequest } from './request.ts';

/** The default time limit of one attempt. */
const TIMEOUT_MS = 60_000;

/**
 * Makes one logical call: sends the request, repeats it if the operation's retry rules allow that, and
 * returns the result. All attempts share one idempotency key. Redirects are not followed, so that a server
 * cannot send secrets elsewhere.
 *
 * @throws {ApiError} when the answer is not a result
 * @throws {ConnectionError | TimeoutError} when no complete answer arrived
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
  const { clock = systemClock, random = Math.random } = connection;
  const key = operation.key && (options.idempotencyKey ?? (connection.createKey ?? operation.key.create)());
  const request = prepareRequest(connection, operation, input, options, key);
  const timeoutMs =
    options.timeoutMs ?? Math.max(connection.timeoutMs ?? TIMEOUT_MS, operation.timeoutMs ?? 0);
  const totalMs = options.totalTimeoutMs ?? connection.totalTimeoutMs ?? 2 * timeoutMs;
  const endsAt = clock.now() + totalMs;
  let waits = 0;
  let earlier: unknown;

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
      return await attempt(
        (signal) => exchange(connection, operation, request, facts, clock, signal, options),
        facts,
        clock,
        patience,
        options.signal,
      );
    } catch (error) {
      // An unreadable answer is not retried, because the same request would get it again.
      const isOpen = error instanceof CallError && !(error instanceof ResponseError);
      // The result of an attempt can depend on the previous one.
      if (earlier && isOpen) error.cause ??= earlier;
      earlier = error;
      const resend =
        operation.retry &&
        isOpen &&
        !(request.body instanceof ReadableStream) &&
        decideRetry(operation.retry, error instanceof ApiError ? error : undefined, {
          retries: options.retries ?? connection.retries ?? 2,
          attempts: attempts - waits,
          waits,
          keyed: key !== undefined,
          now: clock.now(),
          random: random(),
        });
      // Do not begin a pause that exceeds the time limit: the error has the delay that the server asked for.
      if (!resend || clock.now() + resend.afterMs >= endsAt) throw error;
      if (resend.waits) waits += 1;
      await clock.sleep(resend.afterMs, options.signal);
      if (clock.now() >= endsAt) throw error;
    }
  }
}

// --- internal ---

/** One request with its own time limit. The limit also applies to a `fetch` that ignores its signal. */
async function attempt(
  work: (signal: AbortSignal) => Promise<Answer>,
  facts: CallFacts,
  clock: Clock,
  patienceMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const over = new AbortController();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const end = (reason: unknown): void => {
        stop.abort(reason);
        reject(reason as Error);
      };
      signal?.addEventListener('abort', () => end(signal.reason), { signal: over.signal });
      clock.sleep(patienceMs, over.signal).then(
        () => end(new TimeoutError(`No complete answer within ${patienceMs} ms`, facts)),
        () => undefined,
      );
      work(stop.signal).then(resolve, reject);
    });
  } finally {
    over.abort();
  }
}

async function exchange(
  connection: Connection,
  operation: Operation,
  request: PreparedRequest,
  facts: CallFacts,
  clock: Clock,
  signal: AbortSignal,
  {
    signal: callSignal,
    init: further,
    read = operation.read ?? readJson,
    maxResponseBytes: mostBytes = connection.maxResponseBytes,
  }: CallOptions,
): Promise<Answer> {
  const { method } = operation;
  const { url, headers } = await withCredentials(request, connection, operation);
  const lost = (what: string, cause: unknown): ConnectionError =>
    new ConnectionError(`The ${what}${codeOf(cause)}`, { ...facts, cause });
  // A stream as body requires `duplex`, which the types of some platforms lack.
  const init = {
    ...further,
    method,
    headers,
    body: request.body,
    signal,
    redirect: 'manual',
    duplex: 'half',
  } as RequestInit;
  let response: Response;
  try {
    // Only the platform's own fetch supports the platform's pool.
    response = await (connection.fetch?.(url, init, facts, operation) ??
      globalThis.fetch(url, operation.patiently?.(init) ?? init));
  } catch (cause) {
    throw cause instanceof CallError ? cause : lost('connection failed', cause);
  }
  const { status } = response;
  const header = (name: string | undefined): string | undefined =>
    (name && response.headers.get(name)) || undefined;
  const answer: AnswerFacts = {
    ...facts,
    status,
    headers: response.headers,
    requestId: header(operation.api.requestIdHeader),
  };
  if (response.type === 'opaqueredirect') {
    throw new ResponseError('Redirects are not followed', answer);
  }
  if (!response.ok && !operation.results?.includes(status)) {
    const failed = {
      ...answer,
      ...(await readFailure(response, mostBytes)),
      retryAfterMs: retryAfterMs(header('retry-after'), clock.now()),
    };
    throw operation.api.failure?.(failed) ?? new ApiError(failed);
  }
  let data: unknown;
  try {
    // Neither the answer to a HEAD nor one with such a status has a body.
    if (method !== 'HEAD' && ![204, 205, 304].includes(status))
      data = await read(response, mostBytes, { answer, signal: callSignal, clock });
  } catch (cause) {
    const sentence =
      cause instanceof RangeError
        ? cause.message
        : cause instanceof SyntaxError &&
          `The ${header('content-type') ?? 'untyped'} body (${status}) is not JSON`;
    if (!sentence) throw lost('answer cut off', cause);
    throw new ResponseError(sentence, { ...answer, cause });
  }
  const mark = operation.key?.replayed;
  const replayed = !!mark && header(mark.name) === mark.value;
  return { ...answer, data, replayed, url: response.url || url };
}

/** If the body is cut off, status and headers are still reported. */
async function readFailure(
  response: Response,
  mostBytes: number | undefined,
): Promise<Pick<FailedAnswer, 'body' | 'cause'>> {
  let body: unknown;
  try {
    body = (await readUtf8(response, mostBytes)) || undefined;
    return { body: JSON.parse(body as string) as unknown };
  } catch (cause) {
    return cause instanceof SyntaxError ? { body } : { body, cause };
  }
}

/** The code of a system error such as ECONNREFUSED. Its message is left out: it may show what was sent. */
function codeOf(error: unknown): string {
  const { code } = ((error as Error | undefined)?.cause ?? error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? `: ${code}` : '';
}
