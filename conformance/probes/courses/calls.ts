import type { Json, Operation } from '../../../contract/model.ts';
import { isRecord } from '../../../contract/index.ts';
import type { PlacedCall } from '../../explore/orders.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { Values } from '../own-api.ts';
import { differingMembers, shownSchema } from '../policies/differing-members.ts';
import { listThings } from '../policies/listed-things.ts';
import { itemSchema } from '../policies/resource-lists.ts';
import { changesOf } from './changes.ts';
import type { KnownThing } from './known-thing.ts';
import { strongTag } from './version.ts';
import { writeOutcome, isWrite } from './thing-call.ts';
import type { ThingCall } from './thing-call.ts';
import type { CollectionModel } from './collection-model.ts';

/** The name of the planned request for a call of a lifecycle. */
export function actName({ id }: Operation): string {
  return `act ${id}`;
}

/** The calls of a course, each with what its answer says of a thing. */
export class CallsOfThings {
  readonly #model: CollectionModel;
  readonly #session: Session;

  constructor(model: CollectionModel, session: Session) {
    this.#model = model;
    this.#session = session;
  }

  /** What the answer to a creation shows of the thing; `undefined` if that is nothing. */
  creation({ id }: KnownThing, seen: Exchange): ThingCall | undefined {
    const { create } = this.#model;
    const about = this.#shownIn(create, seen, id);
    return about.shown === undefined
      ? undefined
      : { role: 'read', operation: create, seen, ...about, isOfWrite: true };
  }

  async read({ values, id }: KnownThing): Promise<ThingCall> {
    const { things, read } = this.#model;
    const seen = await things.call(this.#session, 'read', values);
    return { role: 'read', operation: read, seen, ...this.#shownIn(read, seen, id) };
  }

  /** @param body its number among those that are known */
  async change(
    role: 'patch' | 'replace',
    thing: KnownThing,
    { body: number, ifMatch }: { readonly body: number; readonly ifMatch: string | undefined },
  ): Promise<ThingCall> {
    const { things, kept } = this.#model;
    const all = changesOf(things, this.#session, role, { body: thing.body, kept });
    const body = all[number % Math.max(1, all.length)];
    return this.#write(role, things.operation(role) as Operation, thing, { body, ifMatch });
  }

  remove(role: 'delete' | 'restore', thing: KnownThing, ifMatch: string | undefined): Promise<ThingCall> {
    const { things } = this.#model;
    const body = role === 'restore' ? things.bodies.valid(this.#session, 'restore') : undefined;
    return this.#write(role, things.operation(role) as Operation, thing, { body, ifMatch });
  }

  async act(action: Operation, { values, id }: KnownThing): Promise<ThingCall> {
    const { api } = this.#model;
    const seen = await this.#session.send(actName(action), inputFor(api, action, this.#session, values));
    return { role: 'act', operation: action, seen, ...this.#shownIn(action, seen, id) };
  }

  /**
   * What a list says of things. What it lacks is looked for once more: pages can move while they are read.
   *
   * @param parts.isQuiet whether nothing changes meanwhile: else only a list of one page shows what it lacks
   * @returns for each thing the call that has it, or that lacks it
   */
  async list(
    things: readonly KnownThing[],
    within: Values,
    { isQuiet = true }: { readonly isQuiet?: boolean } = {},
  ): Promise<ReadonlyMap<KnownThing, ThingCall>> {
    const { list, things: all, facts } = this.#model;
    if (list === undefined) return new Map();
    const listed = (): ReturnType<typeof listThings> =>
      listThings(all, this.#session, within, { mostPages: MOST_PAGES });
    const first = await listed();
    const isLacking = things.some(({ id, isDeleted }) => !isDeleted && !first.ids.has(id));
    const walks = isLacking && first.isAll ? [first, await listed()] : [first];
    return new Map(
      things.flatMap((thing) => {
        const walk = walks.find(({ ids }) => ids.has(thing.id)) ?? (walks.at(-1) as typeof first);
        const seen = walk.pages.at(-1);
        if (seen === undefined) return [];
        const item = walk.items.find((one) => String(all.idIn(one)) === thing.id);
        const isWhole = walks.every(({ isAll, pages }) => isAll && (isQuiet || pages.length === 1));
        const isNone = !walk.ids.has(thing.id) && isWhole;
        const shown = isRecord(item) ? item : isNone ? null : undefined;
        const schema = itemSchema(facts.on(list), all);
        return [[thing, { role: 'list', operation: list, seen, shown, schema }] as const];
      }),
    );
  }

  async #write(
    role: 'patch' | 'replace' | 'delete' | 'restore',
    operation: Operation,
    thing: KnownThing,
    { body, ifMatch }: { readonly body: Json | undefined; readonly ifMatch: string | undefined },
  ): Promise<ThingCall> {
    const { things } = this.#model;
    const seen = await things.call(this.#session, role, thing.values, { body, ifMatch: ifMatch ?? null });
    const about = role === 'delete' ? {} : this.#shownIn(operation, seen, thing.id);
    return { role, operation, seen, body: this.#model.bodyOf(body), sent: body, ifMatch, ...about };
  }

  #shownIn(
    operation: Operation,
    seen: Exchange,
    id: string,
  ): Pick<ThingCall, 'shown' | 'schema' | 'isOfAnother'> {
    const { api, things } = this.#model;
    const shown = isSuccess(seen) ? things.shownIn(seen) : undefined;
    const own = things.idIn(shown);
    if (own !== undefined && String(own) !== id) return { isOfAnother: true };
    return { shown, schema: shownSchema(api, operation, seen, things.roles.item) };
  }
}

/** The calls of a moment: what the answer to a change shows is a read at some moment after it. */
export function moment(calls: readonly ThingCall[]): readonly PlacedCall<ThingCall>[] {
  const shows = calls.flatMap((call, behind): readonly PlacedCall<ThingCall>[] =>
    isWrite(call) && writeOutcome(call) === 'made' && call.shown !== undefined
      ? [{ call: { ...call, role: 'read', isOfWrite: true }, behind }]
      : [],
  );
  return [...calls.map((call) => ({ call })), ...shows];
}

/**
 * The changes, with whether each of them made another version: one that sends other values than those that the thing had, and
 * after which the tag is another one.
 */
export function withVersions(
  calls: readonly ThingCall[],
  thing: KnownThing,
  now: ThingCall,
  api: CollectionModel['api'],
): readonly ThingCall[] {
  return calls.map((call) => {
    const { ifMatch, body } = call;
    if (ifMatch === undefined) return call;
    const isOther =
      isRecord(body) &&
      thing.shown !== undefined &&
      differingMembers(api, now.schema, body as Json, thing.shown).length > 0;
    const tag = strongTag(now);
    return { ...call, isOtherVersion: isOther && tag !== undefined && tag !== ifMatch };
  });
}

// --- internal ---

/** How many pages of a list are read at most. */
const MOST_PAGES = 3;
