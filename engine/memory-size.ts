import type { ReplayRecord } from '../contract/policies/idempotency-replay.ts';

/** What of a key takes memory. */
export interface SizedKey {
  readonly scope: string;
  readonly key: string;
  readonly record: ReplayRecord<unknown>;
  /** The state that the key may get, which can be that of its record. */
  readonly prepared?: ReplayRecord<unknown> | { readonly state: string } | undefined;
}

/** How much memory the keys of a store in memory may take by default, in bytes. */
export const MOST_KEY_BYTES = 536_870_912;

/** About how much memory a key takes with its recorded answer, in bytes. */
export function sizeOfKey({ scope, key, record, prepared }: SizedKey): number {
  const answers = new Set(
    [record, prepared].map((each) => (each !== undefined && 'response' in each ? each.response : undefined)),
  );
  let bytes = BARE_KEY + 4 * (scope.length + key.length);
  for (const answer of answers) bytes += sizeOfAnswer(answer);
  return bytes;
}

/** About how much memory a copy of an answer takes, in bytes. */
export function sizeOfAnswer(answer: unknown): number {
  const { headers = [], body } = (answer ?? {}) as {
    readonly headers?: Iterable<readonly string[]>;
    readonly body?: unknown;
  };
  let bytes = sizeOf(body);
  for (const line of headers) for (const text of line) bytes += BARE_VALUE + sizeOf(text);
  return bytes;
}

// --- internal ---

/** A key with its place in two maps. */
const BARE_KEY = 500;
const BARE_VALUE = 20;

/** Of bytes, of a text, or of an object that has them. */
function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value === 'string') return 2 * value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  for (const member of Object.values(value))
    if (member instanceof Uint8Array || typeof member === 'string') bytes += sizeOf(member);
  return bytes;
}
