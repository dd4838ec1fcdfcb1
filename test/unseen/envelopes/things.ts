import { hasTag, isValid, Refusal, type Answer, type Call, type Thing } from '../wire.ts';

const kept = { 'Cache-Control': 'private, no-cache' };

/** The answer with a thing, or without one where the copy of the caller is current. */
export function shown(call: Call, json: Thing, tag: string, ignoresCopy = false): Answer {
  const headers = { ETag: tag, ...kept };
  const copies = call.method === 'GET' ? call.header('If-None-Match') : undefined;
  if (copies !== undefined && !ignoresCopy && hasTag(copies, tag, true)) return { status: 304, headers };
  return { status: 200, headers, json };
}

/** Refuses a change of another version than the present one; some changes have to name one. */
export function checkVersion(call: Call, tag: string, isRequired: boolean): void {
  const named = call.header('If-Match');
  if (named === undefined) {
    if (isRequired) throw new Refusal(428, 'version_needed', 'If-Match is needed.');
  } else if (!hasTag(named, tag, false)) {
    throw new Refusal(412, 'other_version', 'It is another version by now.');
  }
}

/** The body of a call, which is as the document describes it. */
export function bodyOf(document: string, call: Call, as = call.operation, body = call.body): Thing {
  if (!isValid(document, as, body)) {
    throw new Refusal(422, 'invalid_body', 'The body is not as the document describes it.');
  }
  return body as Thing;
}

/** A merge patch of RFC 7396. */
export function merged(target: unknown, patch: unknown): unknown {
  if (!isThing(patch)) return patch;
  const members = new Map(isThing(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, merged(members.get(name), value));
  }
  return Object.fromEntries(members);
}

// --- internal ---

const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
