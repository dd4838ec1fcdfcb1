import { isRecord } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import type { OwnApi } from '../own-api.ts';
import { differingMembers } from '../policies/differing-members.ts';
import type { ResourceCases } from './resource-facts.ts';
import { writeOutcome, isWrite, lastMade } from './thing-call.ts';
import type { ThingSide, ThingCall } from './thing-call.ts';

/** Absent while the value is not known. */
interface Register {
  readonly value?: Json;
}

/**
 * One member of a thing: a read shows what its creation or the last change has sent, and what the read before it has shown, if
 * no call has changed it. A call of the lifecycle may change any member.
 *
 * @param sent by its creation; left out if that is not known
 */
export function memberOf(api: OwnApi, cases: ResourceCases, name: string, sent?: Json): ThingSide<Register> {
  const next = (register: Register, { role, body }: ThingCall): Register => {
    if (role === 'act' || role === 'restore') return {};
    // There may be one default among all things, and one order of them.
    if (role === 'beside' && typeof register.value !== 'string') return {};
    if (role !== 'patch' && role !== 'replace') return register;
    if (isRecord(body) && Object.hasOwn(body, name)) return { value: body[name] as Json };
    // A replacement may empty what it leaves out, or fill it with a default.
    return role === 'replace' || !isRecord(body) ? {} : register;
  };
  const anyway = (register: Register, call: ThingCall): readonly Register[] =>
    isWrite(call) ? [register, next(register, call)] : [register];
  const isSaid = (register: Register, { role, schema, shown }: ThingCall): boolean =>
    register.value === undefined ||
    // An item of a list may show less.
    (role === 'list' && !isShown(shown, name)) ||
    differingMembers(api, schema, { [name]: register.value }, shown).length === 0;
  return {
    about: name,
    isOfOthers: true,
    specification: {
      start: [sent === undefined ? {} : { value: sent }],
      anyway,
      after: (register, call) => {
        const { role, seen, shown } = call;
        if (!isWrite(call)) {
          if (!isRecord(shown) || seen.status >= 300) return [register];
          if (!isSaid(register, call)) return [];
          const isNew = register.value === undefined && isShown(shown, name) && role === 'read';
          return isNew ? [{ value: shown[name] as Json }] : [register];
        }
        const outcome = writeOutcome(call);
        if (outcome === 'unknown') return anyway(register, call);
        return outcome === 'refused' ? [register] : [next(register, call)];
      },
    },
    broken: (calls, history) => {
      const reader = calls.findLast((call) => !isWrite(call));
      const own = lastMade(calls);
      if (own !== undefined) return cases.of(reader?.role === 'list' ? 'list' : own.role);
      // No call was about this member: a merge patch keeps the others.
      const all = history.flat().map(({ call }) => call);
      const changes = all.slice(0, reader === undefined ? undefined : all.indexOf(reader)).filter(isWrite);
      const last = changes.at(-1);
      if (last === undefined) return cases.of('create');
      if (last.role === 'patch' && writeOutcome(last) === 'made') return cases.of('patch');
      return cases.of('apart') ?? cases.of('create');
    },
  };
}

// --- internal ---

/** Whether a value is shown. What is empty may be filled in later. */
function isShown(shown: unknown, name: string): boolean {
  return isRecord(shown) && Object.hasOwn(shown, name) && shown[name] !== null && shown[name] !== '';
}
