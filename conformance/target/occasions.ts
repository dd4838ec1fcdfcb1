import { isRecord, suggest } from '../../contract/index.ts';
import type { Json } from '../../contract/index.ts';

/**
 * What an operation can be made to do, beside its usual work. Fixtures say for each how: what no document states, such as
 * the input that a server works on for long.
 */
export const OCCASIONS = {
  ok: 'a valid call',
  other: 'a second valid call, of another thing or with another body',
  slow: 'a call that takes at least minMs',
  ending: 'a valid call that makes something which ends in the state that ends names',
  failing: 'a valid call in which the server fails: 5xx',
  refused: 'a valid call that is refused for what it is about, such as forbidden content',
  invalid: 'a call that the document allows and the server refuses as invalid',
  limited: 'a call that a limit of the rate refuses: 429',
  full: 'a call that is refused because as much as may be is there, or runs',
  unpaid: 'a call that has to be paid for, and is not',
  huge: 'a valid call with a large body, or a large answer',
  unavailable: 'a call that is refused for the present: 503',
  missing: 'a call about a thing that does not exist',
  hidden: 'a call about a thing that exists, and that its caller may not see',
} as const;
export type Occasion = keyof typeof OCCASIONS;

/** Whether a call on an occasion is not done. */
export function isRefusedOn(occasion: Occasion): boolean {
  return !SUCCESSES.includes(occasion);
}

/** One call that brings an occasion about; what it leaves out is as in any valid call. */
export interface OccasionCall {
  /** Values of parameters, by name. */
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly body?: Json;
  /** More headers, by name. A secret does not belong here. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the call takes at least, in milliseconds. */
  readonly minMs?: number;
  /** The state in which what it makes ends, such as `failed`. */
  readonly ends?: string;
  /** What its answer is known to be. */
  readonly expect?: { readonly status: number };
}

/** By operation, and by occasion: a call, or several. */
export type Occasions = Readonly<
  Record<string, Readonly<Partial<Record<Occasion, OccasionCall | readonly OccasionCall[]>>>>
>;

/** The calls that bring an occasion about; empty if the fixtures have none. */
export function callsOn(
  occasion: Occasion,
  operation: string,
  fixtures: { readonly occasions?: Occasions; readonly bodies?: Readonly<Record<string, Json>> },
): readonly OccasionCall[] {
  const given = fixtures.occasions?.[operation]?.[occasion];
  if (given !== undefined) return [given].flat();
  // The spelling of before.
  const body = fixtures.bodies?.[`${operation}.${occasion}`];
  return body === undefined ? [] : [{ body }];
}

/** What is wrong with the occasions of a fixtures file. */
export interface OccasionFault {
  readonly path: readonly string[];
  readonly says: string;
  readonly help: string;
}

/** The faults of what is meant as `Occasions`. */
export function occasionFaults(given: unknown): readonly OccasionFault[] {
  if (!isRecord(given)) return [fault([], 'must be an object, by operation')];
  return Object.entries(given).flatMap(([operation, byOccasion]) => {
    if (!isRecord(byOccasion)) return [fault([operation], 'must be an object, by occasion')];
    return Object.entries(byOccasion).flatMap(([occasion, calls]): readonly OccasionFault[] => {
      const path = [operation, occasion];
      if (!Object.hasOwn(OCCASIONS, occasion))
        return [fault(path, 'is not an occasion', knownOr(occasion, Object.keys(OCCASIONS)))];
      const several: readonly unknown[] = Array.isArray(calls) ? calls : [calls];
      return several.flatMap((call, index) =>
        callFaults(call, Array.isArray(calls) ? [...path, String(index)] : path),
      );
    });
  });
}

// --- internal ---

/** Occasions on which a call may succeed. */
const SUCCESSES: readonly Occasion[] = ['ok', 'other', 'slow', 'ending', 'huge'];

/** Whether a member of a call has its form, and what that is. */
const MEMBERS: Readonly<Record<keyof OccasionCall, readonly [(given: unknown) => boolean, string]>> = {
  parameters: [isRecord, 'an object, by name'],
  body: [() => true, ''],
  headers: [
    (given) => isRecord(given) && Object.values(given).every((value) => typeof value === 'string'),
    'an object of strings, by name',
  ],
  minMs: [(given) => typeof given === 'number' && given > 0, 'a number of milliseconds above 0'],
  ends: [(given) => typeof given === 'string' && given !== '', 'the name of a state'],
  expect: [
    (given) => isRecord(given) && Object.keys(given).join() === 'status' && isStatus(given['status']),
    'an object with a status such as 503',
  ],
};

function callFaults(call: unknown, path: readonly string[]): readonly OccasionFault[] {
  if (!isRecord(call)) return [fault(path, 'must be a call: an object', knownOr('', Object.keys(MEMBERS)))];
  return Object.entries(call).flatMap(([name, value]) => {
    const known = Object.hasOwn(MEMBERS, name) ? MEMBERS[name as keyof OccasionCall] : undefined;
    const at = [...path, name];
    if (known === undefined)
      return [fault(at, 'is not a member of a call', knownOr(name, Object.keys(MEMBERS)))];
    const [fits, form] = known;
    return fits(value) ? [] : [fault(at, `must be ${form}`)];
  });
}

function isStatus(given: unknown): boolean {
  return Number.isInteger(given) && Number(given) >= 100 && Number(given) <= 599;
}

function knownOr(name: string, known: readonly string[]): string {
  const near = suggest(name, known);
  return near === undefined ? `known: ${known.join(', ')}` : `did you mean ${near}?`;
}

function fault(path: readonly string[], says: string, help = ''): OccasionFault {
  return { path, says, help };
}
