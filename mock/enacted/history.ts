import { isJson } from '../../contract/judge/body-format.ts';
import type { Contract, Json, JsonObject } from '../../contract/model.ts';
import { waysCausedBy, type LifecyclePolicy, type Transition } from '../../contract/policies/lifecycle.ts';
import { propertiesOf } from '../../contract/schemas/schema-parts.ts';
import { wordsOf } from '../samples/lifelike-text.ts';
import type { Collection } from './collection.ts';
import { lifetimeOf, timeIn } from './thing.ts';

/**
 * What the members of a thing say about its states: the times at which it came into them, such as `closed_at`, and what the bodies
 * of the calls gave. Until a transition has happened, its members are null or absent.
 */
export class History {
  readonly #collection: Collection;
  readonly #policy: LifecyclePolicy;
  readonly #moments: ReadonlyMap<Transition, readonly string[]>;
  readonly #given: ReadonlyMap<Transition, readonly string[]>;

  constructor(contract: Contract, collection: Collection, policy: LifecyclePolicy) {
    this.#collection = collection;
    this.#policy = policy;
    const names = collection.members.filter(
      (name) => name !== policy.property && collection.mayBeUnset(name),
    );
    const { replace, patch } = collection.operations;
    // The body of a change of the whole thing has members that no transition gives.
    const actions = contract.operations.filter(
      ({ id, method }) => method !== 'get' && id !== replace?.id && id !== patch?.id,
    );
    const bodiesOf = (way: Transition): readonly string[] =>
      actions
        .filter((call) => waysCausedBy(policy, call).includes(way))
        .flatMap(({ requestBody }) => requestBody?.content ?? [])
        .filter(({ mediaType }) => isJson(mediaType))
        .flatMap(({ schema }) => propertiesOf(schema, contract.document.root).map(([name]) => name));
    this.#moments = new Map(
      policy.transitions.map((way) => [
        way,
        names.filter((name) => collection.isTime(name) && tellsOf(way, name)),
      ]),
    );
    this.#given = new Map(
      policy.transitions.map((way) => [way, names.filter((name) => bodiesOf(way).includes(name))]),
    );
  }

  /** A thing after a transition: with its time, or without any times after a way back to the first state. */
  after(item: JsonObject, way: Transition, now: number): JsonObject {
    if (way.to === this.#policy.initial) return this.#stated(this.#without(item, [...this.#members()]), now);
    const moments = this.#moments.get(way) ?? [];
    const told = { ...item, ...Object.fromEntries(moments.map((name) => [name, this.#at(name, now)])) };
    return this.#stated(told, now);
  }

  /** A new thing, with the times that the sheet states. */
  begun(item: JsonObject, now: number): JsonObject {
    const [, ...later] = this.#policy.times?.order ?? [];
    return this.#stated({ ...this.#without(item, later), ...this.#lifetime(now, now) }, now);
  }

  /** A generated thing with a past that led to its state, between its creation and its last change. */
  past(item: JsonObject): JsonObject {
    const ways = this.#wayTo(String(item[this.#policy.property]));
    const told = new Set(
      ways.flatMap((way) => [way, ...this.#sameAs(way)]).flatMap((way) => this.#membersOf(way)),
    );
    const untold = [...this.#members()].filter((name) => !told.has(name));
    const [from, until] = lifetimeOf(this.#collection, item);
    const past: Record<string, Json> = { ...this.#without(item, untold) };
    for (const [index, way] of ways.entries())
      for (const name of this.#moments.get(way) ?? [])
        past[name] = this.#at(name, from + ((until - from) * (index + 1)) / ways.length);
    return { ...this.#stated(past, until), ...this.#lifetime(from, until) };
  }

  /** The times of its creation and of its expiry, as the sheet names them. */
  #lifetime(from: number, until: number): JsonObject {
    const { order: [birth] = [], expiry } = this.#policy.times ?? {};
    return {
      ...(birth === undefined ? {} : { [birth]: this.#at(birth, from) }),
      ...(expiry === undefined ? {} : { [expiry]: this.#at(expiry, until + KEPT_MS) }),
    };
  }

  /** With the members that its state has, as the sheet says, and without those that it has not. */
  #stated(item: JsonObject, now: number): JsonObject {
    const state = String(item[this.#policy.property]);
    const members = Object.entries(this.#policy.members ?? {});
    const absent = members.flatMap(([name, { notIn = [] }]) => (notIn.includes(state) ? [name] : []));
    const lacking = members.flatMap(([name, { in: states = [] }]) =>
      states.includes(state) && (item[name] ?? null) === null ? [name] : [],
    );
    const collection = this.#collection;
    const valueOf = (name: string): Json =>
      collection.isTime(name) ? this.#at(name, now) : collection.valueOf(name);
    return {
      ...this.#without(item, absent),
      ...Object.fromEntries(lacking.map((name) => [name, valueOf(name)])),
    };
  }

  #at(name: string, time: number): Json {
    return timeIn(this.#collection, name, time);
  }

  #members(): ReadonlySet<string> {
    return new Set(this.#policy.transitions.flatMap((way) => this.#membersOf(way)));
  }

  #membersOf(way: Transition): readonly string[] {
    return [...(this.#moments.get(way) ?? []), ...(this.#given.get(way) ?? [])];
  }

  /** Other transitions by the same cause tell the same. */
  #sameAs({ on, to }: Transition): readonly Transition[] {
    return this.#policy.transitions.filter((way) => way.on === on && way.to === to);
  }

  #without(item: JsonObject, names: readonly string[]): JsonObject {
    const others = Object.entries(item).filter(([name]) => !names.includes(name));
    const nulls = names.filter((name) => Object.hasOwn(item, name) && this.#collection.mayBeNull(name));
    return { ...Object.fromEntries(others), ...Object.fromEntries(nulls.map((name) => [name, null])) };
  }

  /** The shortest way from the first state to another one; empty if no transitions lead there. */
  #wayTo(state: string): readonly Transition[] {
    const found = new Map<string, readonly Transition[]>([[this.#policy.initial, []]]);
    // Iterating a map also visits entries that are added during the loop.
    for (const [from, ways] of found)
      for (const way of this.#policy.transitions)
        if (way.from === from && !found.has(way.to)) found.set(way.to, [...ways, way]);
    return found.get(state) ?? [];
  }
}

// --- internal ---

/** How long a thing is kept. */
const KEPT_MS = 24 * 3_600_000;

/** Whether a time is that of a transition: by the name of its state, or of its cause, as `started_at` for `start`. */
function tellsOf({ on, to }: Transition, name: string): boolean {
  const what = wordsOf(name).replace(/_(?:at|on|time|date|timestamp)$/, '');
  const stem = wordsOf(on).replace(/e$/, '');
  const [begin, end] = [what.slice(0, stem.length), what.slice(stem.length)];
  return what === wordsOf(to) || (begin === stem && /^[a-z]?ed$/.test(end));
}
