import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isAfter, isObject } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch } from '../../exchanges/sketch.ts';
import type { Oracle } from '../../oracle.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import type { Check } from '../../scenarios/scenario.ts';
import type { Facts } from './facts.ts';
import { ListedMembers } from './lifecycle-listed.ts';
import type { ThingReader } from './lifecycle-things.ts';
import { resourcesIn } from './resources.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/**
 * The members of a thing, in each answer that is the thing: those that its state has, its times, and those that stay after
 * its end.
 */
export function memberOracles(
  facts: Facts<Lifecycle>,
  makers: ReadonlyMap<string, Operation>,
  shown: ThingReader,
): readonly Oracle[] {
  const { api, policy } = facts;
  return facts.oracle(CASES, {
    follow: () => {
      const known = new Map<string, Known>();
      const listed = new ListedMembers();
      return function* (exchange) {
        yield* unlessUnreadable(exchange, facts.ids(...CASES), judge(exchange));
        function* judge(seen: Exchange): Generator<Check> {
          for (const resource of resourcesIn(api, seen, policy.schema)) {
            const { value, isWhole } = resource;
            // A list may leave out what a read shows, unless the sheet names it, but shows nothing that is not there.
            if (!isWhole) {
              yield* judgeMembers(facts, seen, value, (name) => isShownBy(facts, seen, name));
              yield* listed.judge(facts, seen, resource);
            }
            const thing = isWhole ? shown(seen, resource) : undefined;
            if (thing === undefined) continue;
            yield* judgeMembers(facts, seen, value, () => true);
            const { key } = thing;
            if (key === undefined) continue;
            const isBirth = makers.has(seen.operation ?? '') && (seen.status === 201 || seen.status === 202);
            const before = known.get(key) ?? {
              bornAt: isBirth ? seen.startedAt : undefined,
              times: new Map(),
              shown: new Set(),
            };
            yield* judgeTimes(facts, seen, value, before);
            yield* judgeFrozen(facts, seen, value, before);
            if (known.size < MOST_THINGS || known.has(key))
              known.set(key, withFacts(policy, seen, value, before));
          }
        }
      };
    },
  });
}

/** Milliseconds since 1970, of a text, or of a number of seconds or milliseconds. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.abs(value) < 1e11 ? value * 1000 : value;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Whether two readings of a stored time are one: with the fewer digits of the two, and within a third of a hundredth of a
 * second, in which some databases round.
 */
export function isSameStored(one: unknown, other: unknown): boolean {
  const [time, another] = [instantOf(one), instantOf(other)];
  if (time === undefined || another === undefined) return one === other;
  return (
    Math.abs(time - another) <= Math.max(unitOf(one), unitOf(other), ROUNDING_MS) + roomBetween(one, other)
  );
}

/** Whether a time is exact: a day, and a text without a zone, are so many hours long that it may be any moment of them. */
export function isExact(value: unknown): boolean {
  return roomOf(value) === 0;
}

// --- internal ---

const CASES = ['members', 'times', 'frozen'] as const;
const MOST_THINGS = 20_000;

/** Servers store times with fewer digits than they first show, in milliseconds. */
const PRECISION_MS = 1000;

const ROUNDING_MS = 3;

/** The milliseconds of the last digit that a time shows. */
function unitOf(value: unknown): number {
  const [, digits = ''] = /[.,](\d*[1-9])/.exec(String(value)) ?? [];
  return typeof value === 'number' && Math.abs(value) >= 1e11 ? 1 : 1000 / 10 ** Math.min(digits.length, 3);
}

/** Two clocks run at about the same speed, in milliseconds. */
const SLACK_MS = 60_000;

/** How far from its instant a time may be, in milliseconds: zones differ by up to 26 hours, and a day has 24. */
function roomOf(value: unknown): number {
  if (typeof value !== 'string') return 0;
  if (!value.includes(':')) return DAY_MS + FARTHEST_ZONE_MS;
  return /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i.test(value.trim()) ? 0 : FARTHEST_ZONE_MS;
}

const DAY_MS = 24 * 3_600_000;
const FARTHEST_ZONE_MS = 26 * 3_600_000;

/** How far two times may be apart although they are one; times of one form are compared as they are. */
function roomBetween(one: unknown, other: unknown): number {
  const [room, another] = [roomOf(one), roomOf(other)];
  return room === another ? 0 : Math.max(room, another);
}

type Value = Readonly<Record<string, unknown>>;

/** What earlier answers have shown of a thing. */
interface Known {
  /** When its creation was sent; `undefined` if the run has not seen it. */
  readonly bornAt: number | undefined;
  /** The first value of each time. */
  readonly times: ReadonlyMap<string, Told>;
  /** The times that were shown, by the operation and the name. */
  readonly shown: ReadonlySet<string>;
  /** The first answer after the end that had a member, by the operation and the member. */
  readonly ends?: ReadonlyMap<string, Told & { readonly state: unknown; readonly form: unknown }>;
}

interface Told {
  readonly is: unknown;
  readonly by: Exchange;
}

function* judgeMembers(
  facts: Facts<Lifecycle>,
  seen: Exchange,
  value: Value,
  isShown: (name: string) => boolean,
): Generator<Check> {
  const { policy } = facts;
  const state = at(value, policy.property);
  if (typeof state !== 'string') return;
  for (const [name, { in: some = [], notIn: none = [] }] of Object.entries(policy.members ?? {})) {
    if (!(some.includes(state) && isShown(name)) && !none.includes(state)) continue;
    const is = at(value, name) ?? null;
    const wanted = some.includes(state);
    yield* facts.judge(
      'members',
      seen,
      (is !== null) === wanted,
      `${wanted ? 'a value' : 'no value'} of ${name} in the state ${state}`,
      `${name} ${sketch(is, 60)}`,
    );
  }
}

/** Whether the sheet names an operation as one that shows a member. */
function isShownBy({ api, policy }: Facts<Lifecycle>, { operation = '' }: Exchange, name: string): boolean {
  return (api.contract.sheet?.policies ?? []).some(
    (one) =>
      one.kind === 'presence' &&
      one.schema === policy.schema &&
      one.property === name &&
      one.operations.includes(operation),
  );
}

function* judgeTimes(
  facts: Facts<Lifecycle>,
  seen: Exchange,
  value: Value,
  { bornAt, times, shown }: Known,
): Generator<Check> {
  const { order = [], expiry } = facts.policy.times ?? {};
  const [birth = ''] = order;
  const say = (by: readonly Exchange[], holds: boolean, expected: string, got: string): Generator<Check> =>
    facts.judge('times', by, holds, expected, got);
  const created = instantOf(at(value, birth));
  for (const [index, name] of order.entries()) {
    const is = at(value, name);
    const time = instantOf(is);
    const told = times.get(name);
    const was = instantOf(told?.is);
    // An answer that was on its way at the same time may be older, and another operation may leave the time out.
    const isLost =
      (is === null || isLeftOut(facts.policy, seen, { name, value, shown })) &&
      told !== undefined &&
      isAfter(seen, told.by);
    if (told !== undefined && (time !== undefined || isLost))
      yield* say(
        [told.by, seen],
        time !== undefined && Math.abs(time - (was ?? time)) < PRECISION_MS + roomBetween(is, told.is),
        `${name} ${sketch(told.is, 40)}, as before`,
        is === undefined ? `no ${name}` : `${name} ${sketch(is, 40)}`,
      );
    if (time === undefined) continue;
    const earlier = order.slice(0, index).findLast((one) => instantOf(at(value, one)) !== undefined);
    const least = earlier === undefined ? undefined : instantOf(at(value, earlier));
    if (least !== undefined)
      yield* say(
        [seen],
        time > least - PRECISION_MS - roomBetween(is, at(value, earlier ?? '')),
        `${name} not before ${earlier ?? ''}`,
        `${name} ${sketch(is, 40)}, ${earlier ?? ''} ${sketch(at(value, earlier ?? ''), 40)}`,
      );
    if (bornAt !== undefined && created !== undefined && isExact(is) && isExact(at(value, birth)))
      yield* say(
        [seen],
        time - created < seen.endedAt - bornAt + SLACK_MS,
        `${name} in the past`,
        `${name} ${String(Math.round((time - created) / 1000))} s after ${birth}: it was made later than that`,
      );
  }
  const end = expiry === undefined ? undefined : instantOf(at(value, expiry));
  if (end !== undefined && created !== undefined)
    yield* say(
      [seen],
      end > created - roomOf(at(value, expiry ?? '')),
      `${expiry ?? ''} after ${birth}`,
      `${sketch(at(value, expiry ?? ''), 40)} and ${sketch(at(value, birth), 40)}`,
    );
}

/** Whether an answer lacks a time that the same operation has shown, and that the state does not exclude. */
function isLeftOut(
  { property, members = {} }: Lifecycle,
  seen: Exchange,
  { name, value, shown }: { readonly name: string; readonly value: Value } & Pick<Known, 'shown'>,
): boolean {
  const state = at(value, property);
  const isExcluded = typeof state !== 'string' || members[name]?.notIn?.includes(state) === true;
  return !isExcluded && at(value, name) === undefined && shown.has(placeOf(seen, name));
}

function* judgeFrozen(
  facts: Facts<Lifecycle>,
  seen: Exchange,
  value: Value,
  { ends = new Map() }: Known,
): Generator<Check> {
  const { policy } = facts;
  const state = at(value, policy.property);
  for (const name of policy.frozen ?? []) {
    const shown = at(value, name);
    const now = formOf(shown);
    for (const [operation, told] of ends) {
      // Another operation may show the thing without the member.
      const isSame = operation === placeOf(seen, name);
      if (!operation.endsWith(` ${name}`) || (!isSame && now === undefined)) continue;
      if (told.state !== state || !isAfter(seen, told.by)) continue;
      yield* facts.judge(
        'frozen',
        [told.by, seen],
        now === told.form || isSameTime(shown, told.is),
        `${name} as at the end: ${String(told.form)}`,
        `${name}: ${String(now)}`,
      );
    }
  }
}

function withFacts(policy: Lifecycle, seen: Exchange, value: Value, before: Known): Known {
  const named = (policy.times?.order ?? []).filter((name) => instantOf(at(value, name)) !== undefined);
  const times = named
    .filter((name) => !before.times.has(name))
    .map((name) => [name, { is: at(value, name), by: seen }] as const);
  const state = at(value, policy.property);
  const isOver = typeof state === 'string' && policy.terminal.includes(state);
  const ends = (isOver ? (policy.frozen ?? []) : []).flatMap((name) => {
    const is = at(value, name);
    const form = formOf(is);
    const place = placeOf(seen, name);
    return form === undefined || before.ends?.has(place) === true
      ? []
      : [[place, { state, is, form, by: seen }] as const];
  });
  return {
    bornAt: before.bornAt,
    times: new Map([...before.times, ...times]),
    shown: new Set([...before.shown, ...named.map((name) => placeOf(seen, name))]),
    ends: new Map([...(before.ends ?? []), ...ends]),
  };
}

/** Whether two texts are one time, in another zone or with fewer digits. */
function isSameTime(one: unknown, other: unknown): boolean {
  const [time, another] = [one, other].map((text) =>
    typeof text === 'string' && isExact(text) ? instantOf(text) : undefined,
  );
  return time !== undefined && another !== undefined && Math.abs(time - another) < PRECISION_MS;
}

function placeOf({ operation = '' }: Exchange, name: string): string {
  return `${operation} ${name}`;
}

/** What is compared of a value: a list may be sorted otherwise, and an address in it signed again. */
function formOf(value: unknown): unknown {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return `${String(value.length)} items`;
  return isObject(value) ? 'an object' : sketch(value, 200);
}
