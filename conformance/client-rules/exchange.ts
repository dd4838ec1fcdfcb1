import { Unreadable, headerOf, parseJson } from '../exchanges/exchange.ts';

/**
 * One request of a client as a server saw it, with the answer; the entries of the mock's journal have this
 * shape.
 */
export interface ClientExchange {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  readonly api: string;
  /** The operation's id in the contract's document; `undefined` for an unknown route. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly target: string;
  /** 0 if the connection was cut before any answer. */
  readonly status: number;
  readonly caller: string | undefined;
  /** Whether the whole answer reached the client. */
  readonly delivery: 'delivered' | 'dropped' | 'short' | undefined;
  readonly request: ClientMessage;
  readonly response: ClientMessage;
}

/** A request or an answer as it was recorded. */
export interface ClientMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The verdict of one rule about one or more exchanges of a client. */
export interface ClientCheck {
  readonly rule: string;
  readonly holds: boolean;
  readonly exchanges: readonly ClientExchange[];
  readonly expected: string;
  readonly got: string;
}

/** A header of the request. */
export function sentHeader(exchange: ClientExchange, name: string): string | undefined {
  return headerOf(exchange.request.headers, name);
}

/** A header of the answer. */
export function gotHeader(exchange: ClientExchange, name: string): string | undefined {
  return headerOf(exchange.response.headers, name);
}

/** The answer as JSON; `undefined` if it is not JSON, was cut, or is longer than what is read. */
export function answerOf(exchange: ClientExchange): unknown {
  try {
    return parseJson(exchange.response.body);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** A query parameter, decoded. */
export function queryOf({ target }: ClientExchange, name: string): string | undefined {
  const at = target.indexOf('?');
  return at < 0 ? undefined : (new URLSearchParams(target.slice(at + 1)).get(name) ?? undefined);
}

export function isStatus(status: number, patterns: readonly (number | string)[]): boolean {
  return patterns.some((one) => one === status || one === `${Math.floor(status / 100)}xx`);
}

/** Whether the client had received the whole answer when it sent the other request. */
export function isAnsweredBefore(one: ClientExchange, other: ClientExchange): boolean {
  return one.delivery === 'delivered' && one.at + one.durationMs <= other.at;
}

/** Whether the client knew that this request had ended, in any way, when it sent the other one. */
export function isOverBefore(one: ClientExchange, other: ClientExchange): boolean {
  return one.at + one.durationMs <= other.at;
}

/** Requests that represent the same call: one caller, one address, one body. */
export function sameCall(a: ClientExchange, b: ClientExchange): boolean {
  return a.caller === b.caller && a.target === b.target && a.request.body === b.request.body;
}
