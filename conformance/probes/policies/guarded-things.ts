import { canonical } from '../../../contract/canonical-json.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { isGone, isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { pathParameters, type Values } from '../own-api.ts';
import { chosenId, collectionOf } from '../document/ids.ts';
import { isAlike } from './conditional-changes.ts';
import { strongTagOf } from './conditional-matches.ts';
import type { OperationFacts } from './facts.ts';
import { refusal, type StatedRefusal } from './refusal.ts';
import type { SentThing, Thing } from './thing.ts';
import { Things, thingsOf } from './things.ts';

export type Guarded = PolicyOf<'conditional-write'>;

type ChangeRole = 'replace' | 'patch' | 'delete';

/** The conditions of a change; `null` for a request without `If-Match`. */
type Conditions = Pick<SentThing, 'ifMatch' | 'ifNoneMatch'>;

export interface Version {
  readonly seen: Exchange;
  readonly tag: string;
}

interface RefusedChange {
  readonly thing: Thing;
  /** The version before the change. */
  readonly before: Version;
  readonly stated: StatedRefusal;
  /** The condition, in words. */
  readonly said: string;
}

/**
 * The things that an operation changes: those of the sheet's resource policy, else of the surrounding paths.
 */
export function thingsAround({ api, operation }: OperationFacts<Guarded>): Things | undefined {
  const policy = resourcesOf(api.contract).find((one) =>
    Object.values(one.operations).includes(operation.id),
  );
  if (policy !== undefined) return thingsOf(api, policy);
  const parameter = pathParameters(operation).at(-1)?.name;
  const read = api.at('get', operation.path);
  const create =
    parameter === undefined ? undefined : api.at('post', collectionOf(operation.path, parameter));
  if (parameter === undefined || read === undefined || create === undefined) return undefined;
  const ways = (['put', 'patch', 'delete'] as const).map((method) => api.at(method, operation.path)?.id);
  const [replace, patch, remove] = ways;
  return new Things(api, {
    operations: {
      ...{ create: create.id, read: read.id },
      ...(replace === undefined ? {} : { replace }),
      ...(patch === undefined ? {} : { patch }),
      ...(remove === undefined ? {} : { delete: remove }),
    },
    parameter,
  });
}

/** The role in which an operation changes things. */
export function roleIn(things: Things, id: string): ChangeRole | undefined {
  return (['replace', 'patch', 'delete'] as const).find((role) => things.operation(role)?.id === id);
}

/**
 * The version of a thing.
 *
 * @throws {NotExercised} if a read returns no strong tag
 */
export async function currentVersion(things: Things, session: Session, { values }: Thing): Promise<Version> {
  const seen = await things.call(session, 'read', values);
  const tag = strongTagOf(seen);
  if (tag === undefined)
    throw new NotExercised(
      'an opportunity',
      `a read has no strong ETag to change by: ${seen.header('etag') ?? sketchAnswer(seen)}`,
    );
  return { seen, tag };
}

/** Changes of one thing by one operation, each with another body than the previous one. */
export class GuardedChanges {
  readonly #facts: OperationFacts<Guarded>;
  readonly #things: Things;
  readonly #role: ChangeRole;
  readonly #session: Session;
  /** The thing that has the other one of two bodies. */
  #changed: Thing | undefined;

  constructor(facts: OperationFacts<Guarded>, things: Things, role: ChangeRole, session: Session) {
    this.#facts = facts;
    this.#things = things;
    this.#role = role;
    this.#session = session;
  }

  /** @throws {NotExercised} if a read returns no tag */
  version(thing: Thing): Promise<Version> {
    return currentVersion(this.#things, this.#session, thing);
  }

  change(thing: Thing, conditions: Conditions): Promise<Exchange> {
    return this.#change(this.#role, thing, conditions);
  }

  /** Deletes the thing. Whether it is gone. */
  async remove({ values }: Thing): Promise<boolean> {
    const things = this.#things;
    if (things.operation('delete') === undefined || things.operation('read') === undefined) return false;
    const seen = await things.call(this.#session, 'delete', values);
    return isSuccess(seen) && isGone(await things.call(this.#session, 'read', values));
  }

  /** Whether a change can be undone by the next one. */
  canTurnBack({ sent }: Thing): boolean {
    const other = this.#things.bodies.change(this.#session, this.#role, sent);
    return this.#role !== 'delete' && this.#back(this.#role, sent, other) !== undefined;
  }

  /**
   * The place of a thing that does not exist; `undefined` if the operation creates nothing at a place that the caller
   * chooses, or if no id can be chosen.
   */
  freshPlace({ values }: Pick<Thing, 'values'>): Values | undefined {
    const { api, operation } = this.#facts;
    const { parameter, operations } = this.#things.roles;
    const isCreator = resourcesOf(api.contract).some(
      (one) => one.upsert === true && one.operations.replace === operation.id,
    );
    if (this.#role !== 'replace' || !(isCreator || operations.create === operation.id)) return undefined;
    const id = chosenId(api, operation, parameter, this.#session.freshKey);
    return id === undefined ? undefined : { ...values, [parameter]: id };
  }

  /**
   * Two different changes of a new thing at once, with the same version: the second one that is made would undo the first.
   * `undefined` if no two changes are known. A repetition of the same change may succeed (RFC 9110, section 13.1.1).
   */
  async race(
    thing: Thing,
  ): Promise<
    { readonly before: Version; readonly seen: readonly Exchange[]; readonly now: Version } | undefined
  > {
    const [things, role] = [this.#things, this.#role];
    const first = things.bodies.change(this.#session, role, thing.sent);
    const whole = isObject(first) && isObject(thing.sent) ? ({ ...thing.sent, ...first } as Json) : first;
    // A body of the fixtures is the same each time, and may be what the thing has already.
    const others = role === 'delete' ? [] : things.bodies.otherMembers(role, thing.sent);
    const bodies = [
      first,
      things.bodies.change(this.#session, role, whole),
      ...others.flatMap((one) => one.bodies),
    ];
    const changes = new Map(
      bodies.filter((body) => changesSent(body, thing)).map((body) => [canonical(body), body]),
    );
    const [one, another] = [...changes.values()];
    if (one === undefined || another === undefined) return undefined;
    const before = await this.version(thing);
    const conditions = { bodies: [one, another], ifMatch: before.tag };
    const seen = await things.race(this.#session, role, thing.values, conditions);
    return { before, seen, now: await this.version(thing) };
  }

  /** Two different creations at once of a thing that does not exist; `undefined` if no two are known. */
  async creationRace(thing: Thing): Promise<readonly Exchange[] | undefined> {
    const [other] = this.#things.bodies.otherMembers('replace', thing.sent).flatMap(({ bodies }) => bodies);
    const first = this.#replacementOf(thing);
    const values = this.freshPlace(thing);
    return other === undefined || first === undefined || values === undefined
      ? undefined
      : this.#things.race(this.#session, 'replace', values, {
          ...{ bodies: [first, other], ifNoneMatch: '*' },
        });
  }

  /**
   * A change under a condition that does not hold is refused as stated, and changes nothing. Returns whether the version is
   * still the same.
   */
  async *judgeRefused(
    name: string,
    { thing, before, stated, said }: RefusedChange,
    conditions: Conditions,
  ): AsyncGenerator<Check, boolean> {
    const seen = await this.change(thing, conditions);
    yield* refusal(this.#facts, name, seen, stated, said);
    const now = await this.version(thing);
    const isSame = now.tag === before.tag;
    yield* this.#facts.judge(name, [before.seen, seen, now.seen], isSame, `still ${before.tag}`, now.tag);
    return isSame;
  }

  /** Changes the thing without deleting it, so that an older tag is known. */
  async otherChange(thing: Thing): Promise<boolean> {
    const roles = [this.#role, 'replace', 'patch'] as const;
    const role = roles.find((one) => one !== 'delete' && this.#things.operation(one) !== undefined);
    return role !== undefined && isSuccess(await this.#change(role, thing, {}));
  }

  /** The ETag of a creation is that of the new thing (RFC 9110, section 8.8), as long as a read has the same bytes. */
  *judgeMade({ made }: Thing, { seen, tag }: Version): Generator<Check> {
    const own = strongTagOf(made);
    if (made.status !== 201 || own === undefined) return;
    if (Buffer.compare(made.bytes, seen.bytes) !== 0) return;
    yield* this.#facts.judge(
      'changed',
      [made, seen],
      tag === own,
      `${own} as in the answer to the creation`,
      tag,
    );
  }

  /** A thing that reads show otherwise has another tag, and repeated reads return the same tag. */
  async *judgeTags(
    thing: Thing,
    { seen: old, tag: before }: Version,
    change: Exchange,
  ): AsyncGenerator<Check> {
    const [first, second] = [await this.version(thing), await this.version(thing)];
    if (!isAlike(old, first.seen))
      yield* this.#facts.judge(
        'changed',
        [old, first.seen],
        first.tag !== before,
        'another ETag than before the change',
        first.tag,
      );
    // The next change uses the tag of the answer.
    yield* this.#facts.judge(
      'changed',
      [change, first.seen],
      change.header('etag') !== before || first.tag === before,
      `${first.tag} with the answer to the change, or no ETag`,
      before,
    );
    yield* this.#facts.judge(
      'changed',
      [first.seen, second.seen],
      first.tag === second.tag,
      `still ${first.tag}`,
      second.tag,
    );
  }

  /** A change with If-Match creates nothing, because no version exists that it could name (RFC 9110, section 13.1.1). */
  async *judgeNew(thing: Thing): AsyncGenerator<Check> {
    for (const tags of ['"tallystick-other"', '*']) {
      const values = this.freshPlace(thing);
      if (values === undefined) return;
      const seen = await this.#things.call(this.#session, 'replace', values, {
        body: this.#replacementOf(thing),
        ifMatch: tags,
      });
      yield* this.#facts.judge(
        'mismatch',
        seen,
        !isSuccess(seen),
        `a refusal with If-Match: ${tags}, of a resource that does not exist`,
        sketchAnswer(seen),
      );
    }
  }

  /** A body that creates what the thing is at another place: that of a creation may have more. */
  #replacementOf({ sent }: Thing): Json | undefined {
    const { create, replace } = this.#things.roles.operations;
    return create === replace ? sent : this.#things.bodies.change(this.#session, 'replace', sent);
  }

  async #change(role: ChangeRole, thing: Thing, conditions: Conditions): Promise<Exchange> {
    const { values, sent } = thing;
    const other = this.#things.bodies.change(this.#session, role, sent);
    const isBack = this.#changed === thing;
    const body = isBack ? (this.#back(role, sent, other) ?? other) : other;
    const seen = await this.#things.call(this.#session, role, values, { body, ...conditions });
    if (isSuccess(seen)) this.#changed = isBack ? undefined : thing;
    return seen;
  }

  /** The body that restores a thing. */
  #back(role: ChangeRole, sent: Json | undefined, other: Json | undefined): Json | undefined {
    if (other === undefined) return undefined;
    return role === 'patch' && isObject(other) ? this.#things.bodies.patchBack(other, sent) : sent;
  }
}

/** The conditions that the current version meets, each with the case that says so. */
export const TAGS: readonly (readonly [name: string, (tag: string) => string])[] = [
  ['current', (tag) => tag],
  ['list', (tag) => `"tallystick-other", ${tag}`],
  ['any', () => '*'],
];

// --- internal ---

/** Whether a body of a change has a member with another value than the thing was made with. */
function changesSent(body: Json | undefined, { sent }: Thing): body is Json {
  if (!isObject(body) || !isObject(sent)) return body !== undefined && canonical(body) !== canonical(sent);
  return Object.keys(body).some((name) => canonical(body[name]) !== canonical(sent[name]));
}
