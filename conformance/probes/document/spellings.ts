import { isJson } from '../../../contract/judge/body-format.ts';
import type { Operation } from '../../../contract/model.ts';
import { check } from '../../scenarios/check.ts';
import { parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, RequestPlans, SendOptions } from '../../scenarios/scenario.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent, wasAccepted } from '../own-api.ts';
import { documentRule } from './rules.ts';

/** The requests of `judgeSpellings`. */
export function spelledRequests(api: OwnApi, operation: Operation): RequestPlans {
  return isSpelled(operation) ? { spelled: api.plan(operation, { times: MOST_SENT }) } : {};
}

/**
 * An accepted call once more, in another spelling of the same request: in chunks (RFC 9112, section 7.1), and over many lines
 * (RFC 8259, section 2). If it is refused, it is judged if the usual spelling of the same request is accepted after it.
 *
 * @param input makes the call new
 */
export async function* judgeSpellings(
  operation: Operation,
  input: () => SendOptions,
  send: (options: SendOptions) => Promise<Exchange>,
): AsyncGenerator<Check> {
  if (!isSpelled(operation)) return;
  const rule = documentRule(operation, 'answer');
  let usual = input();
  const spelled = (options: SendOptions): Promise<Exchange> =>
    send({ ...overLines(options), ...(isLengthWanted ? {} : { isChunked: true }) });
  let isLengthWanted = false;
  let seen = await spelled(usual);
  // A server may want the length of a body (RFC 9110, section 15.5.12).
  isLengthWanted = seen.status === 411;
  if (isLengthWanted) seen = await spelled((usual = input()));
  const what = isLengthWanted ? 'a body over many lines' : 'a body in chunks and over many lines';
  if (wasAccepted(operation, seen)) yield check(rule, seen, true, '');
  if (wasAccepted(operation, seen) || seen.status < 400) return;
  const refused = check(rule, seen, false, `the same answer to ${what}`, undefined, `${what} refused`);
  // The body stays: another one may not be in use where this one is. A key of the call does not: a refusal may be stored under it.
  if (wasAccepted(operation, await send(withHeadersOf(usual, input())))) yield refused;
  // What was refused may have been done. A conflict is one of the body, also the second time.
  else if (seen.status !== 409) {
    const again = await spelled(input());
    if (again.status === seen.status && wasAccepted(operation, await send(input()))) yield refused;
  }
}

// --- internal ---

/** In chunks, with a length, and as usual; and again with another body. */
const MOST_SENT = 5;

function isSpelled(operation: Operation): boolean {
  const content = sentContent(operation);
  return content !== undefined && isJson(content.mediaType) && operation.method !== 'delete';
}

function withHeadersOf({ headers: _, ...options }: SendOptions, { headers }: SendOptions): SendOptions {
  return { ...options, ...(headers === undefined ? {} : { headers }) };
}

function overLines(options: SendOptions): SendOptions {
  const { body } = options;
  const value = typeof body === 'string' ? parseJson(body) : undefined;
  // Numbers can be written in ways that are lost when they are read.
  if (value === undefined || JSON.stringify(value) !== body) return options;
  return { ...options, body: `\n${JSON.stringify(value, null, 2)}\n` };
}
