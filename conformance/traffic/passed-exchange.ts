import { plainBody } from '../http/content-coding.ts';
import { pieceReader } from '../http/piece-reader.ts';
import type { Exchange, ResponseFault } from '../exchanges/exchange.ts';
import { makeExchange } from '../exchanges/exchange.ts';
import type { ClientExchange } from '../client-rules/exchange.ts';

/** An exchange between a client and a server, as recorded by a proxy between them. */
export interface PassedExchange {
  /** Increases from 1. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The numbers of exchanges that were still open when this one began. */
  readonly during: readonly number[];
  readonly api: string;
  /** The operation's id in the contract's document; `undefined` for an unknown route. */
  readonly operation: string | undefined;
  /** A name for the caller's credential, not the credential itself; `undefined` without one. */
  readonly caller: string | undefined;
  /** Whether the request violates the document. */
  readonly isInvalid: boolean;
  readonly method: string;
  /** As the client sent it. */
  readonly target: string;
  readonly request: PassedMessage;
  /** 0 if no answer began. */
  readonly status: number;
  readonly response: PassedMessage;
  readonly informational: readonly number[];
  /** The delivery of the answer to the client. */
  readonly delivery: 'delivered' | 'short' | 'dropped';
  /** Why the server's answer did not arrive completely. */
  readonly failure?: string | undefined;
  readonly fault?: ResponseFault | undefined;
  /** Whether the request did not reach the server, because there was no connection to it. */
  readonly isUnsent?: boolean | undefined;
}

export interface PassedMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As on the wire, as far as it was stored. */
  readonly body: Uint8Array;
  /** The end of a sentence that explains why the rest was not stored. */
  readonly truncated?: string | undefined;
}

/** The longest body that is judged, in bytes, also after decompression. */
export const LONGEST_JUDGED = 8 * 2 ** 20;

/** The exchange in the form that the oracles of the suite expect. */
export async function asExchange(passed: PassedExchange): Promise<Exchange> {
  const { number, api, operation, method, target, request, response, status, fault } = passed;
  const plain = await decompressed(response);
  const isStream = pieceReader(contentType(response)) !== undefined;
  // A client that reads a stream disconnects when it has enough: the received part can be judged.
  const isLeft = isStream && fault === 'dropped' && status > 0;
  const isWhole = status > 0 && (passed.failure === undefined || isLeft);
  return makeExchange({
    id: exchangeId(number),
    api,
    scenario: TRAFFIC,
    during: passed.during.map(exchangeId),
    operation,
    ...(passed.isInvalid ? { isInvalid: true } : {}),
    request: {
      method,
      target,
      headers: request.headers,
      body: request.body.length === 0 ? undefined : request.body,
      as: passed.caller ?? 'none',
    },
    answer: isWhole
      ? { status, headers: response.headers, informational: passed.informational, ...plain }
      : undefined,
    ...(isLeft ? { failure: undefined } : { failure: passed.failure, fault }),
    ...(status > 0 && !isWhole ? { begun: status } : {}),
    ...(isStream && isWhole ? { ended: isLeft ? 'enough' : 'end' } : {}),
    startedAt: passed.startedAt,
    endedAt: passed.endedAt,
  });
}

/** The exchange in the form that the rules for clients expect. */
export async function asClientExchange(passed: PassedExchange): Promise<ClientExchange> {
  const { number, startedAt, endedAt, api, operation, method, target, status, caller, delivery } = passed;
  const said = ({ headers }: PassedMessage, body: Uint8Array): ClientExchange['request'] => ({
    headers,
    body: decoder.decode(body.subarray(0, KEPT_FOR_CLIENT_RULES)),
  });
  const { body } = await decompressed(passed.response);
  return {
    ...{ number, at: startedAt, durationMs: endedAt - startedAt, api, operation, method, target, status },
    ...{
      caller,
      delivery,
      request: said(passed.request, passed.request.body),
      response: said(passed.response, body),
    },
  };
}

/** The scenario for all recorded exchanges. */
export const TRAFFIC = 'traffic';

export function exchangeId(number: number): string {
  return `x${String(number).padStart(4, '0')}`;
}

// --- internal ---

const decoder = new TextDecoder();

/** The limit for bytes of each body; the longest pages of a list are shorter. */
const KEPT_FOR_CLIENT_RULES = 65_536;

function contentType({ headers }: PassedMessage): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

async function decompressed({
  headers,
  body,
  truncated,
}: PassedMessage): Promise<{ body: Uint8Array; truncated?: string | undefined; compressed?: string }> {
  const plain = plainBody({ headers, body: once(body) });
  const coding = plain.compressed === undefined ? {} : { compressed: plain.compressed };
  if (plain.compressed === undefined) return { body, truncated };
  if (truncated !== undefined || plain.unreadable !== undefined)
    return { body: new Uint8Array(), truncated: plain.unreadable ?? truncated, ...coding };
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of plain.body) {
      size += part.length;
      if (size > LONGEST_JUDGED)
        return { body: new Uint8Array(), truncated: `is longer than ${LONGEST_JUDGED} bytes`, ...coding };
      parts.push(part);
    }
  } catch {
    return { body: new Uint8Array(), truncated: `is not ${plain.compressed}, as it says`, ...coding };
  }
  return { body: Buffer.concat(parts), ...coding };
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
