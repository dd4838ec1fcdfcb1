/** Where and under which key something went wrong; what every error of a call tells. */
export interface CallFacts {
  /** Id of the operation. */
  readonly operation: string;
  readonly method: string;
  /** Address without its query, which may hold a secret. */
  readonly url: string;
  /** How many requests were sent. */
  readonly attempts: number;
  /** The key that all attempts shared: send it again to go on with the same call. */
  readonly idempotencyKey: string | undefined;
}

/** Everything that a call can throw but an abort by its caller, which is thrown as it is, and a wrong argument. */
export class CallError extends Error {
  override readonly name: string = 'CallError';
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;

  constructor(
    sentence: string,
    facts: CallFacts & { readonly requestId?: string | undefined },
    cause?: unknown,
  ) {
    const request = facts.requestId === undefined ? '' : `, request ${facts.requestId}`;
    super(
      `${sentence} (${facts.method} ${facts.url}${request})`,
      cause === undefined ? undefined : { cause },
    );
    this.operation = facts.operation;
    this.method = facts.method;
    this.url = facts.url;
    this.attempts = facts.attempts;
    this.idempotencyKey = facts.idempotencyKey;
  }
}

/** An answer that is no result, with its body read. */
export interface FailedAnswer extends CallFacts {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, text otherwise; `undefined` where there is none or it could not be read. */
  readonly body: unknown;
  readonly requestId: string | undefined;
  /** What the header `Retry-After` asks for. */
  readonly retryAfterMs: number | undefined;
  readonly cause: unknown;
}

/** The server answered, and not with a result. Generated code has a class of its own for each kind of answer. */
export class ApiError<Body = unknown> extends CallError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** Why, by the names of the API. Decide by it: one status can have several causes. */
  readonly bucket: string | undefined;
  readonly body: Body;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  /** @param detail what the server says about it in words */
  constructor(answer: FailedAnswer, bucket?: string, detail?: string) {
    const what = bucket === undefined ? `${answer.status}` : `${answer.status} ${bucket}`;
    super(`The server answered ${what}${detail ? `: ${oneLine(detail)}` : ''}`, answer, answer.cause);
    this.status = answer.status;
    this.bucket = bucket;
    this.body = answer.body as Body;
    this.headers = answer.headers;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** No whole answer arrived: whether the server did its work is unknown. */
export class ConnectionError extends CallError {
  override readonly name: string = 'ConnectionError';
}

/** The client's own patience ended: whether the server did its work is unknown. */
export class TimeoutError extends CallError {
  override readonly name: string = 'TimeoutError';
}

/** The server answered with what its contract does not allow, so that the answer cannot be read. */
export class ResponseError extends CallError {
  override readonly name: string = 'ResponseError';
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;

  constructor(
    sentence: string,
    facts: CallFacts,
    answer: {
      readonly status: number;
      readonly headers: Headers;
      readonly requestId: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(sentence, { ...facts, requestId: answer.requestId }, answer.cause);
    this.status = answer.status;
    this.headers = answer.headers;
    this.requestId = answer.requestId;
  }
}

/** The text at a path of members, where there is one; for errors that say in words what is wrong. */
export function textAt(body: unknown, ...path: readonly string[]): string | undefined {
  let value = body;
  for (const member of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[member];
  }
  return typeof value === 'string' ? value : undefined;
}

/** An address as errors show it: a query may hold a secret. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

// --- internal ---

function oneLine(detail: string): string {
  const line = detail.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
