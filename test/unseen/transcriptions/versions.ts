import { hasTag, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { tagOf } from './lives.ts';

interface Versioned {
  readonly id: string;
  readonly revision: number;
}

/** A read, without a body where the caller's copy is current. */
export function readOf(call: Call, one: Versioned, json: Thing): Answer {
  const headers = { ETag: tagOf(one), 'Cache-Control': 'private, no-cache' };
  const list = call.header('If-None-Match');
  if (list !== undefined && hasTag(list, headers.ETag, true)) return { status: 304, headers };
  return { status: 200, headers, json };
}

/** Refuses the change of another version than the caller has seen. */
export function checkVersion(call: Call, one: Versioned, isRequired: boolean): void {
  const list = call.header('If-Match');
  if (list === undefined) {
    if (isRequired) throw new Refusal(428, 'version_needed', 'If-Match is needed.');
  } else if (!hasTag(list, tagOf(one), false)) {
    throw new Refusal(412, 'stale', 'It has another version by now.');
  }
}

/** What a merge patch makes of a value (RFC 7396). */
export function merged(value: unknown, patch: unknown, keepsNestedNull = false, depth = 0): unknown {
  if (!isObject(patch)) return patch;
  const made = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, one] of Object.entries(patch)) {
    if (one === null && !(keepsNestedNull && depth > 0)) made.delete(name);
    else made.set(name, merged(made.get(name), one, keepsNestedNull, depth + 1));
  }
  return Object.fromEntries(made);
}

/** The members of a body that have these names. */
export const picked = (body: unknown, names: readonly string[]): Thing =>
  Object.fromEntries(Object.entries(body as Thing).filter(([name]) => names.includes(name)));

// --- internal ---

const isObject = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
