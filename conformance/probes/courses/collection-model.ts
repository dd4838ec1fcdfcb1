import { isRecord, policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation, Rule } from '../../../contract/model.ts';
import { effectOf } from '../document/effects.ts';
import type { Reads } from '../document/reads.ts';
import type { OwnApi } from '../own-api.ts';
import { Facts } from '../policies/facts.ts';
import { actionsBelow, waysOf } from '../policies/lifecycle-ways.ts';
import { reachable } from '../policies/reachable.ts';
import { lifecyclesShown } from '../policies/shown-lifecycle.ts';
import type { Thing } from '../policies/thing.ts';
import { type Things, thingsOf } from '../policies/things.ts';
import { thingIn } from './changes.ts';
import { KnownThing } from './known-thing.ts';
import { lifeOf, ownWays } from './life.ts';
import type { LifeOfThings } from './life.ts';
import { memberOf } from './members.ts';
import { membershipOf } from './membership.ts';
import { presenceOf } from './presence.ts';
import { ResourceCases } from './resource-facts.ts';
import type { ThingSide } from './thing-call.ts';
import { type GuardFacts, versionOf } from './version.ts';

type Resource = PolicyOf<'resource'>;

/** What a sheet says of one collection: its things, and the sides of a thing that it has rules for. */
export class CollectionModel {
  readonly api: OwnApi;
  readonly facts: Facts<Resource>;
  readonly things: Things;
  readonly cases: ResourceCases;
  readonly create: Operation;
  readonly read: Operation;
  /** Absent if the list needs a parameter, which may limit it. */
  readonly list: Operation | undefined;
  readonly lives: readonly LifeOfThings[];
  /** Calls of all lifecycles. */
  readonly actions: readonly Operation[];
  readonly guards: readonly GuardFacts[];
  /** Members that changes leave alone. */
  readonly kept: ReadonlySet<string>;

  private constructor(facts: Facts<Resource>, things: Things, create: Operation, read: Operation) {
    const { api, policy } = facts;
    const policies = api.contract.sheet?.policies ?? [];
    this.api = api;
    this.facts = facts;
    this.things = things;
    this.create = create;
    this.read = read;
    this.cases = new ResourceCases(facts, things);
    const list = things.operation('list');
    this.list =
      list?.parameters.some(({ in: place, required }) => place === 'query' && required) === true
        ? undefined
        : list;
    this.lives = lifecyclesShown(api, read).map((life) => {
      const about = facts.about(life);
      const actions = actionsBelow(about, read).filter(
        (one) => waysOf(life, one).length > 0 && effectOf(api, one).kind === 'changes',
      );
      return { facts: about, actions };
    });
    this.actions = [...new Set(this.lives.flatMap(({ actions }) => actions))];
    this.guards = (['patch', 'replace', 'delete'] as const).flatMap((role) => {
      const operation = things.operation(role);
      if (operation === undefined) return [];
      const guard = policyFor(operation, 'conditional-write');
      return guard === undefined ? [] : [facts.about(guard).on(operation)];
    });
    this.kept = new Set([
      policy.id.member,
      things.roles.parameter,
      ...this.lives.map((life) => life.facts.policy.property),
      ...policies.flatMap((one) => (one.kind === 'uniqueness' ? [one.member.split('.')[0] ?? ''] : [])),
    ]);
  }

  /** `undefined` if the things cannot be made and read at once, or cannot be told apart. */
  static of(
    parts: { readonly api: OwnApi; readonly reads: Reads; readonly rules: readonly Rule[] },
    policy: Resource,
  ): CollectionModel | undefined {
    const things = thingsOf(parts.api, policy);
    const [create, read] = [things.operation('create'), things.operation('read')];
    if (create === undefined || read === undefined) return undefined;
    // What is made later may also change later.
    if (create.responses.some(({ status }) => status === '202')) return undefined;
    return new CollectionModel(new Facts(parts, policy), things, create, read);
  }

  guardOf({ id }: Operation): GuardFacts | undefined {
    return this.guards.find(({ operation }) => operation.id === id);
  }

  /** A thing of which nothing is known but its creation. */
  known(thing: Pick<Thing, 'id' | 'values' | 'sent'>): KnownThing {
    const id = String(thing.id);
    const sent = thingIn(thing.sent, this.facts.policy.item);
    const members = Object.entries(isRecord(sent) ? sent : {}).filter(([name]) => !this.kept.has(name));
    const mayEnd = this.lives.some(({ facts: { policy } }) => policy.terminal.length > 0);
    const endsAlone = this.lives.some(endsWithoutCalls);
    const mayMove = endsAlone || this.lives.some((life) => ownWays(life).transitions.length > 0);
    const isUpsert = this.facts.policy.upsert === true;
    const sides = [
      presenceOf(this.cases, { id, mayEnd, endsAlone, isUpsert }),
      ...(this.list === undefined ? [] : [membershipOf(this.cases, { id, isUpsert, mayMove })]),
      ...members
        .slice(0, MOST_MEMBERS)
        .map(([name, value]) => memberOf(this.api, this.cases, name, value as Json)),
      ...this.lives.map((life) => lifeOf(life)),
      ...(this.guards.length === 0 ? [] : [versionOf(this.guards)]),
    ];
    return new KnownThing(thing, sides as readonly ThingSide[]);
  }

  /** All rules that a course of these things can break. */
  get ids(): readonly string[] {
    return [
      ...new Set([
        ...this.cases.ids,
        ...this.lives.flatMap(({ facts }) => facts.ids('transitions', 'refused')),
        ...this.guards.flatMap((facts) => facts.ids('mismatch')),
      ]),
    ];
  }

  /** The thing in a body of a change. */
  bodyOf(body: Json | undefined): Json | undefined {
    return thingIn(body, this.facts.policy.item);
  }
}

// --- internal ---

const MOST_MEMBERS = 12;

/** Whether a thing of this lifecycle can expire, or come to its end, without a call. */
function endsWithoutCalls(life: LifeOfThings): boolean {
  const { initial, terminal, times } = life.facts.policy;
  const reached = reachable(ownWays(life), initial);
  return times?.expiry !== undefined || terminal.some((state) => reached.has(state));
}
