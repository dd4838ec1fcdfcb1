import { hasTag, Refusal, type Call } from '../wire.ts';

/** Refuses a change of another version than the caller has seen; `tag` is undefined where there is nothing. */
export function checkConditions(call: Call, tag: string | undefined, mayCreate: boolean): void {
  const match = call.header('If-Match');
  const none = call.header('If-None-Match');
  if (match !== undefined && (tag === undefined || !hasTag(match, tag, false)))
    throw new Refusal(412, 'stale', 'The flag has another version.');
  if (none !== undefined && tag !== undefined && hasTag(none, tag, true))
    throw new Refusal(412, 'exists', 'The flag exists.');
  if (match === undefined && !(mayCreate && tag === undefined))
    throw new Refusal(428, 'version_needed', 'If-Match is needed.');
}

/** Whether a read needs no body, because the caller has the current version. */
export function isCurrentCopy(call: Call, tag: string): boolean {
  const none = call.header('If-None-Match');
  return none !== undefined && hasTag(none, tag, true);
}
