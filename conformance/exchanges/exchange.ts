import { Hindered } from '../scenarios/hindered.ts';
import { sizeOfJson } from '../schemas/json-bounds.ts';
import type { Occasion } from '../target/occasions.ts';
import type { MemoryBudget } from './memory-budget.ts';

/**
 * One request of the suite with its response, complete for probes and oracles; evidence.ts makes the stored
 * form.
 */
export interface Exchange {
  /** `x0042`, counted in the order of sending. */
  readonly id: string;
  readonly api: string;
  /** The scenario or resource that sent it. */
  readonly scenario: string;
  /** The first exchange of the same course of requests: a scenario that runs twice makes two courses. */
  readonly course?: string;
  /** Exchanges of the course that were still open when this one was sent. */
  readonly during?: readonly string[];
  /** The operation of a user's own document that was called. */
  readonly operation?: string | undefined;
  /** Whether the request contained something that the document does not allow. */
  readonly isInvalid?: true | undefined;
  /** What the fixtures say that the call brings about. */
  readonly occasion?: Occasion | undefined;
  readonly request: SentRequest;
  /** The response; if its body was truncated, it counts as no response, and `failure` is set. */
  readonly answer: ReceivedAnswer | undefined;
  /** Why there is no complete response. */
  readonly failure: string | undefined;
  /** What kind of failure that was. */
  readonly fault?: ResponseFault | undefined;
  /** The status of a response that began but did not arrive completely. */
  readonly begun?: number | undefined;
  /** How an event stream ended, if the response is one. */
  readonly ended?: 'end' | 'cut' | 'enough' | 'timeout';
  /** Milliseconds of the suite's clock. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** 0 without an answer. */
  readonly status: number;
  /** The value of a response header, its name in any case. */
  readonly header: (name: string) => string | undefined;
  /**
   * The whole body.
   *
   * @throws {Unreadable} when the suite did not read it to its end
   */
  readonly bytes: Uint8Array;
  /**
   * The body as JSON; `undefined` if it is not JSON.
   *
   * @throws {Unreadable} when the suite did not read it to its end, or when it exceeds the suite's limits for
   * JSON
   */
  readonly json: unknown;
  /** Why the body cannot be read, if it was accessed; `undefined` if it can. */
  readonly unreadable: string | undefined;
}

/**
 * Why a response did not arrive completely. `closed`: there was no connection, or it ended before a status
 * line; `silent`: it stalled until the time limit; `cut`: the body does not match its framing; `dropped`: the
 * suite disconnected.
 */
export type ResponseFault = 'closed' | 'silent' | 'cut' | 'dropped';

export interface SentRequest {
  readonly method: string;
  /** As sent, including the path of the base URL. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** The identity whose credential it contained. */
  readonly as: string;
  /** The last parameter of the query, if it is the credential. */
  readonly keyParameter?: string | undefined;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * The part of the body that was read. Probes use `bytes` and `json` of the exchange, which never return
   * half a body.
   */
  readonly body: Uint8Array;
  /** Why the rest was not read, such as `was truncated at 67108864 bytes`. */
  readonly truncated?: string | undefined;
  /** The coding of the body on the wire, such as `gzip`; `body` is decompressed. */
  readonly compressed?: string | undefined;
  readonly informational: readonly number[];
}

/** A body exceeds the limits of the suite: no rule is judged by a part of it. */
export class Unreadable extends Hindered {}

/**
 * Whether an exchange was sent after an earlier one had ended. Within one moment of the clock, those that were open at the
 * same time have no order, and those of other scenarios may have been.
 */
export function isAfter(seen: Exchange, earlier: Exchange): boolean {
  if (earlier.endedAt !== seen.startedAt) return earlier.endedAt < seen.startedAt;
  const isBeside =
    seen === earlier ||
    seen.during?.includes(earlier.id) === true ||
    earlier.during?.includes(seen.id) === true;
  return seen.scenario === earlier.scenario && !isBeside;
}

/** The path of a request, as it was sent. */
export function sentPath({ request }: Pick<Exchange, 'request'>): string {
  return request.target.split('?')[0] ?? '';
}

/** @param memory the account for parsed bodies; without one, they are not counted */
export function makeExchange(
  parts: Omit<Exchange, 'status' | 'header' | 'bytes' | 'json' | 'unreadable'>,
  memory?: Pick<MemoryBudget, 'take'>,
): Exchange {
  const { id, answer } = parts;
  let parsed: { readonly value: unknown } | undefined;
  let unreadable = answer?.truncated;
  const refuse = (): void => {
    if (unreadable !== undefined) throw new Unreadable(`the body of ${id} ${unreadable}`, [id]);
  };
  return {
    ...parts,
    status: answer?.status ?? 0,
    header: (name) => headerOf(answer?.headers ?? [], name),
    get bytes() {
      refuse();
      return answer?.body ?? new Uint8Array();
    },
    get json() {
      refuse();
      if (parsed !== undefined) return parsed.value;
      if (answer === undefined) return undefined;
      const { excess, values } = sizeOfJson(answer.body);
      unreadable = excess ?? memory?.take(id, values * BYTES_OF_A_VALUE);
      refuse();
      parsed = { value: parsedJson(answer.body) };
      return parsed.value;
    },
    get unreadable() {
      return unreadable;
    },
  };
}

/** An exchange without its bodies, which may be very large. */
export function withoutBody(exchange: Exchange): Exchange {
  const { id, api, scenario, request, answer, failure, fault, begun, startedAt, endedAt } = exchange;
  return makeExchange({
    ...{ id, api, scenario, request, failure, fault, begun, startedAt, endedAt },
    answer: answer === undefined ? undefined : { ...answer, body: new Uint8Array() },
  });
}

/** Whether the status is 2xx. */
export function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** Whether the answer says that the resource does not exist, or no longer. */
export function isGone({ status }: Pick<Exchange, 'status'>): boolean {
  return status === 404 || status === 410;
}

/** Whether the answer is a stream of events. */
export function isStream(exchange: Exchange): boolean {
  return /^text\/event-stream\b/i.test(exchange.header('Content-Type') ?? '');
}

/** The first value of a header, its name in any case. */
export function headerOf(
  headers: readonly (readonly [name: string, value: string])[],
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([candidate]) => candidate.toLowerCase() === wanted)?.[1];
}

/**
 * The value of a JSON text; `undefined` if the text is not JSON.
 *
 * @throws {Unreadable} when it exceeds the suite's limits for JSON
 */
export function parseJson(text: string): unknown {
  const { excess } = sizeOfJson(text);
  if (excess !== undefined) throw new Unreadable(`a JSON text ${excess}`);
  return parsedJson(text);
}

/** A member of an object; `undefined` for any other value. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value at a dotted path; a member whose own name has dots comes first. */
export function at(value: unknown, path: string): unknown {
  return isObject(value) && Object.hasOwn(value, path) ? value[path] : path.split('.').reduce(member, value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// --- internal ---

/** The approximate memory of a value of a parsed body. */
const BYTES_OF_A_VALUE = 64;

function parsedJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body),
    );
  } catch {
    return undefined;
  }
}
