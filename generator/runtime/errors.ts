import { own, type Input } from './input.ts';

/** The details that every error of a call has. */
export interface CallFacts {
  /** Id of the operation. */
  readonly operation: string;
  readonly method: string;
  /** The address without its query, which may contain a secret. */
  readonly url: string;
  /** The number of requests that were sent. */
  readonly attempts: number;
  /** The key that all attempts shared: send it again to continue the same call. */
  readonly idempotencyKey: string | undefined;
}

/**
 * The base class of everything that a call can throw, except for wrong arguments and aborts by the caller, whose
 * reason is thrown unchanged.
 */
export class CallError extends Error implements CallFacts {
  override readonly name: string = 'CallError';
  declare readonly operation: string;
  declare readonly method: string;
  declare readonly url: string;
  declare readonly attempts: number;
  declare readonly idempotencyKey: string | undefined;

  /** @param details become members of the error: exactly those that its class declares */
  constructor(sentence: string, details: CallErrorDetails) {
    const request = details.requestId ? `, request ${details.requestId}` : '';
    super(`${sentence} (${details.method} ${details.url}${request})`, details);
    Object.assign(this, details);
  }
}

export interface CallErrorDetails extends CallFacts {
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The headers of an answer. `get` has types for the declared headers; any other name is allowed too. In a
 * browser, a page sees only the headers that another origin exposes, so there even a header that every answer
 * has can be null.
 */
export interface KnownHeaders<Known> extends Headers {
  get<Name extends keyof Known & string>(name: Name): Known[Name];
  get(name: string): string | null;
}

/** An answer as errors describe it. */
export interface AnswerFacts extends CallFacts {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
}

/** An answer that is not a result, with its body read. */
export interface FailedAnswer extends AnswerFacts {
  /** Parsed if it is JSON, text otherwise; `undefined` if there is no body or it could not be read. */
  readonly body: unknown;
  /** The delay in the header `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  readonly cause?: unknown;
}

/** The server answered with an error. Generated code has a class for each kind of error. */
export class ApiError<Body = unknown, Status extends number = number, Known = unknown>
  extends CallError
  implements AnswerFacts
{
  /** `instanceof` would make the type of the body `any`. */
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ApiError;
  override readonly name: string = 'ApiError';
  declare readonly status: Status;
  /** The reason, in the names of the API. Decide by this, because one status can have several causes. */
  declare readonly bucket: string | undefined;
  declare readonly body: Body;
  declare readonly headers: KnownHeaders<Known>;
  declare readonly requestId: string | undefined;
  declare readonly retryAfterMs: number | undefined;

  /** @param detail the server's explanation in words */
  constructor(answer: FailedAnswer, bucket?: string, detail?: string) {
    const { status, body } = answer;
    const location = answer.headers.get('location');
    const text = typeof body === 'string' ? body.slice(0, 2_000).replace(/<[^<>]*>/g, ' ') : '';
    const said = detail ?? (location ? `see ${withoutQuery(location)}` : text);
    const words = said.replace(/\s+/g, ' ').trim().slice(0, 300);
    const details = { ...answer, bucket };
    super(`The server answered ${status}${bucket ? ` ${bucket}` : ''}${words && `: ${words}`}`, details);
  }
}

/** No complete answer arrived. It is unknown whether the server did its work. */
export class ConnectionError extends CallError {
  override readonly name: string = 'ConnectionError';
}

/** A time limit of the client expired. It is unknown whether the server did its work. */
export class TimeoutError extends CallError {
  override readonly name: string = 'TimeoutError';
}

/** The server's answer violates its contract, so that it cannot be read. */
export class ResponseError extends CallError {
  override readonly name: string = 'ResponseError';
  declare readonly status: number;
  declare readonly headers: Headers;
  declare readonly requestId: string | undefined;
}

/** The text at a path of members, if there is one; for errors with an explanation in words. */
export function textAt(body: unknown, ...path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>((at, member) => own(Object(at) as Input, member), body);
  return typeof value === 'string' ? value : undefined;
}

/** An address as errors show it, without its query, which may contain a secret. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '');
}
