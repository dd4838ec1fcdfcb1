import type { Answer } from './answer.ts';
import type { MockedApi } from '../api.ts';
import type { Call } from './call.ts';
import type { Clock } from '../state/clock.ts';
import { isBytes, type SentReply } from './exchange.ts';
import { isRecord } from '../../contract/index.ts';

/**
 * The surprises of the profile `legal-but-odd`, all of them within the rules: header names in lower case,
 * unknown members in every open body, and very long texts. If the contract closes a body, such as the entry
 * of a list, nothing is added.
 */
export function oddAnswers(
  isUntouchable: MockedApi['isUntouchable'],
): (answer: Answer, call: Call) => Answer {
  return (answer, call) => {
    const headers = answer.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
    const { body } = answer;
    if (body.kind !== 'json' || !isRecord(body.value) || isUntouchable(answer, call))
      return { ...answer, headers };
    return { ...answer, headers, body: { kind: 'json', value: withSurprises(body.value) } };
  };
}

/** The same reply in small pieces with pauses in between, because a body may arrive slowly. */
export function trickle(clock: Clock, reply: SentReply): SentReply {
  const { body } = reply;
  if (!isBytes(body) || body.length < 2) return reply;
  return { ...reply, body: pieces(clock, body) };
}

// --- internal ---

const PIECES = 5;
const PAUSE_MS = 3;

async function* pieces(clock: Clock, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = Math.ceil(bytes.length / PIECES);
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0) await clock.sleep(PAUSE_MS);
    yield bytes.subarray(start, start + size);
  }
}

const LONG_TEXT = 204;

function withSurprises(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const surprised: Record<string, unknown> = { ...body, x_surprise: { of: ['a', 'later', 'version'] } };
  for (const [member, value] of Object.entries(body)) {
    // Text for people may have any length.
    if (isTextForPeople(member) && typeof value === 'string') surprised[member] = lengthened(value);
    else if (isNested(member) && isRecord(value)) surprised[member] = withSurprises(value);
    else if (isNested(member) && Array.isArray(value)) {
      surprised[member] = value.map((entry: unknown) => (isRecord(entry) ? withSurprises(entry) : entry));
    }
  }
  return surprised;
}

function isTextForPeople(member: string): boolean {
  return ['detail', 'message', 'msg'].includes(member);
}

function isNested(member: string): boolean {
  return ['billing', 'detail', 'error', 'info', 'node_version'].includes(member);
}

function lengthened(text: string): string {
  return text.length >= LONG_TEXT ? text : `${'Please read on. '.repeat(13)}${text}`.slice(-LONG_TEXT);
}
