import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { policyFor } from '../../../contract/index.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { sentAtOnce } from '../../explore/at-once.ts';
import { isGone, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { Values } from '../own-api.ts';
import { boundedActions } from './capacity-actions.ts';
import { endedThings } from './capacity-endings.ts';
import { OTHERS, ThingCount } from './counted-things.ts';
import type { CountedThings } from './counted-things.ts';
import { neverSent } from './facts.ts';
import type { OperationFacts } from './facts.ts';
import { fill, isFull, nextCreation } from './freed-capacity.ts';
import { actionsBelow, callsTo } from './lifecycle-ways.ts';
import { callParent, parentOf, plansOfParent } from './parent-thing.ts';
import { reachable } from './reachable.ts';
import { refusal } from './refusal.ts';
import { shownLifecycle } from './shown-lifecycle.ts';
import { thingsOf } from './things.ts';

/**
 * How many things of one caller may exist at once: one more is refused, until one of them is removed or counts no
 * longer. What another caller has makes no difference.
 */
export function boundedThings(facts: OperationFacts<PolicyOf<'capacity'>>): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const bound = policy.things;
  if (bound === undefined) return [];
  const resource = resourcesOf(api.contract).find(({ operations }) => operations.create === operation.id);
  if (resource === undefined)
    return (
      boundedActions(facts, MOST_THINGS) ??
      neverSent(facts, ['things'], `no resource of the sheet is created by ${operation.id}`)
    );
  if (bound.most > MOST_THINGS)
    return neverSent(facts, ['things'], `no more than ${MOST_THINGS} things are created for one rule`);
  const things = thingsOf(api, resource);
  const count = new ThingCount(facts, things, resource.otherCaller !== undefined && !resource.owner);
  const read = things.operation('read');
  const parent = read && things.hasParents ? parentOf(api, read) : undefined;
  const ways = waysOut();
  const tries = bound.most + 1;
  const others = { as: 'secondAccount', isOptional: true, judgesRefusal: true } as const;
  // What is created otherwise may not count.
  const isOnlyMaker = resource.operations.createMany === undefined && resource.upsert !== true;
  // Such a refusal may be about the pace of calls.
  const isTold = policy.bucket !== undefined || ![429, 503].includes(policy.status);
  const idempotency = policyFor(operation, 'idempotency');
  const keys = idempotency && facts.about(idempotency).on(operation);
  const scenarios = facts.scenario(['things'], {
    also: keys?.ids('released') ?? [],
    id: `capacity.${operation.id}.things`,
    title: `${operation.method.toUpperCase()} ${operation.path}: one more than may exist`,
    permissions: ['writes'],
    fillsCapacity: true,
    // What cannot be removed would leave no room for the others.
    isFirst: things.operation('delete') !== undefined || ways.length > 0,
    isUndisturbed: true,
    severalCases: facts.ids('things'),
    requests: {
      ...things.requests(
        {
          create: tries + 8 + 3 * MOST_WAYS + AT_ONCE,
          read: (3 + MOST_WAYS) * tries + 7 + MOST_WAYS + AT_ONCE,
          delete: 6 + MOST_WAYS,
        },
        { judgesRefusal: true },
        3,
      ),
      ...(parent === undefined ? {} : plansOfParent(api, parent, 'delete')),
      ...count.requests({ list: 6 + 2 * MOST_WAYS, [OTHERS]: 1 }),
      ...Object.fromEntries(ways.flat().map((action) => [nameOf(action), api.plan(action, { times: 8 })])),
      'create as another': api.plan(operation, others),
      ...(read === undefined ? {} : { 'read as another': api.plan(read, { ...others, times: MOST_READS }) }),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const before = await count.now(session);
      const { made, last: seen } = await fill(session, things, { within, most: bound.most });
      const isRate = [429, 503].includes(seen.status) && seen.status !== policy.status;
      if (made.length === 0 || isRate)
        throw new NotExercised(
          'an opportunity',
          `the server returned ${seen.status} after ${made.length} creations`,
        );
      if (isSuccess(seen)) {
        const why = await count.whyNot(session, made, within);
        if (why !== undefined) throw new NotExercised('an opportunity', why);
        yield* tooMany(made, made.length);
        return;
      }
      yield* refusal(facts, 'things', seen, policy, 'to one thing too many');
      if (!isFull(facts, seen)) return;
      const full = await count.now(session);
      if (before !== undefined && full !== undefined && isOnlyMaker)
        yield* countedToo(session, { before, full, made, within });
      if (session.knows('secondAccount') && isTold) yield* ofAnother(session, seen, within);
      yield* belowAnother(session, made, within);
      const remove = ({ values }: Freed): Promise<Exchange> => things.call(session, 'delete', values);
      const state = { made, full, seen, within };
      const frees = [
        ...(things.operation('delete') === undefined ? [] : [['removed', remove] as const]),
        ...ways.map((way) => ['in a state that does not count', leave(session, way)] as const),
      ];
      for (const [index, [what, free]] of frees.entries()) {
        // Its key is used again once.
        const refused = index === 0 ? seen : undefined;
        if (!(yield* freed(session, { ...state, refused }, what, free))) return;
      }
      const [first] = frees;
      if (first !== undefined) yield* atOnce(session, state, first[1]);
      yield* removedWithParent(session, made, within);
    },
  });

  return [...scenarios, ...endedThings(facts, { things, count, most: bound.most })];

  function tooMany(seen: readonly Exchange[], exist: number): Iterable<Check> {
    return facts.judge(
      'things',
      seen,
      false,
      `a refusal with ${policy.status} of more than ${bound?.most} things`,
      `${exist} things that exist at once`,
    );
  }

  /** What was there before counts as well, if it is the caller's: no other caller finds it. */
  async function* countedToo(
    session: Session,
    { before, full, made, within }: Known & { readonly before: CountedThings; readonly full: CountedThings },
  ): AsyncGenerator<Check> {
    const own = made.map((one) => String(things.madeId(one))).filter((id) => full.ids.has(id));
    const earlier = [...before.ids].filter((id) => full.ids.has(id));
    const most = bound?.most ?? 0;
    const asked = earlier.slice(0, most + 1 - own.length);
    if (own.length + asked.length <= most || asked.length > MOST_READS || read === undefined) return;
    if (!session.knows('secondAccount')) return;
    for (const id of asked) {
      const values = { ...within, [things.roles.parameter]: id };
      const hidden = await things.call(session, 'read', values, { as: 'read as another' });
      if (hidden.status !== resource?.otherCaller?.status) return;
    }
    yield* tooMany([before.page, ...made, full.page], most + 1);
  }

  async function* ofAnother(session: Session, refused: Exchange, within: Values): AsyncGenerator<Check> {
    const seen = await things.attempt(session, within, { as: 'create as another' });
    const theirs = isFull(facts, seen) ? await count.now(session, OTHERS) : undefined;
    const isWrong = theirs !== undefined && theirs.ids.size < (bound?.most ?? 0);
    if (!isSuccess(seen) && !isWrong) return;
    yield* facts.judge(
      'things',
      [refused, seen, ...(theirs === undefined ? [] : [theirs.page])],
      isSuccess(seen),
      `a creation by another caller that is not refused with ${policy.status}`,
      `a refusal, and ${theirs?.ids.size} things of that caller`,
    );
  }

  /** The things of a caller below all parents together count. */
  async function* belowAnother(
    session: Session,
    made: readonly Exchange[],
    within: Values,
  ): AsyncGenerator<Check> {
    const other = things.hasParents && isTold ? await things.elsewhere(session, within) : undefined;
    if (other === undefined || made.length < (bound?.most ?? 0)) return;
    yield* oneMore(session, made, { within, at: other });
  }

  /** One creation where there is no room. */
  async function* oneMore(
    session: Session,
    made: readonly Exchange[],
    {
      within,
      at = within,
      after = [],
    }: Pick<Known, 'within'> & { readonly at?: Values; readonly after?: readonly Exchange[] },
  ): AsyncGenerator<Check> {
    const seen = await things.attempt(session, at);
    if (!isSuccess(seen) || !(await count.isThere(session, seen, at))) return;
    // Some may have come to their end in the meantime.
    if ((await count.whyNot(session, made, within)) === undefined)
      yield* tooMany([...made, ...after, seen], made.length + 1);
  }

  /**
   * Lets a thing count no longer, after which there is room for another one. Where others were there before, their number may
   * change meanwhile: then it has to be seen twice, and in the list.
   *
   * @returns whether there was room
   */
  async function* freed(
    session: Session,
    {
      made,
      full,
      seen,
      refused,
      within,
    }: Known & {
      readonly seen: Exchange;
      readonly refused: Exchange | undefined;
      readonly full: CountedThings | undefined;
    },
    what: string,
    free: (one: Freed) => Promise<Exchange | undefined>,
  ): AsyncGenerator<Check, boolean> {
    const isAlone = made.length >= (bound?.most ?? 0);
    if (!isAlone && (full === undefined || !isTold)) return false;
    const steps = [seen];
    for (let time = 0; time < (isAlone ? 1 : 2); time += 1) {
      const first = made.shift();
      const done = first && (await free({ values: count.valuesOf(first, within) }));
      if (first === undefined || done === undefined || !isSuccess(done) || done.status === 202) return false;
      const next = yield* nextCreation(session, {
        ...{ things, keys, within },
        refused: time === 0 ? refused : undefined,
      });
      steps.push(done, next);
      if (isSuccess(next)) made.push(next);
      if (next.status === policy.status) continue;
      yield* judgeRoom(steps, true, what);
      if (!isSuccess(next)) return true;
      // What counts no longer cannot make room once more, also if it is then removed.
      const values = count.valuesOf(first, within);
      const again = isAlone ? await free({ values }) : undefined;
      const gone = things.operation('delete') && (await things.call(session, 'delete', values));
      const after = [done, again, gone].flatMap((one) => one ?? []);
      if (isAlone) yield* oneMore(session, made, { within, after });
      else if (full !== undefined && gone !== undefined && isSuccess(gone))
        yield* beyondOthers(session, { made, full, within });
      return true;
    }
    const now = isAlone ? undefined : await count.now(session);
    const own = new Set(made.map((one) => String(things.madeId(one))));
    const isLess = now !== undefined && [...now.ids].every((id) => full?.ids.has(id) === true || own.has(id));
    if (isAlone || (isLess && now.ids.size < (full?.ids.size ?? 0)))
      yield* judgeRoom(now === undefined ? steps : [...steps, now.page], false, what);
    return false;
  }

  /** One creation where there is no room, because of what was there before. */
  async function* beyondOthers(
    session: Session,
    { made, full, within }: Known & { readonly full: CountedThings },
  ): AsyncGenerator<Check> {
    const seen = isOnlyMaker ? await things.attempt(session, within) : undefined;
    if (seen === undefined || !isSuccess(seen)) return;
    made.push(seen);
    const now = await count.now(session);
    if (now !== undefined) yield* countedToo(session, { before: full, full: now, made, within });
  }

  /** There is room for one: of several creations at once, no more than one is made. */
  async function* atOnce(
    session: Session,
    { made, within }: Known,
    free: (one: Freed) => Promise<Exchange | undefined>,
  ): AsyncGenerator<Check> {
    const first = made.length < (bound?.most ?? 0) ? undefined : made.shift();
    const done = first && (await free({ values: count.valuesOf(first, within) }));
    if (done === undefined || !isSuccess(done) || done.status === 202) return;
    const calls = Array.from({ length: AT_ONCE }, () => (own: Session) => things.attempt(own, within));
    // A call without an answer says nothing of the others.
    const seen = (await sentAtOnce(session, calls)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    const taken: Exchange[] = [];
    for (const one of seen.filter(isSuccess)) if (await count.isThere(session, one, within)) taken.push(one);
    if (taken.length === 0) return;
    yield* facts.judge(
      'things',
      [done, ...seen],
      taken.length === 1,
      `one creation of ${AT_ONCE} at once, where there is room for one of ${bound?.most} things`,
      `${taken.length} creations`,
    );
  }

  /** What was removed with the thing that it is below counts no longer. */
  async function* removedWithParent(
    session: Session,
    made: readonly Exchange[],
    within: Values,
  ): AsyncGenerator<Check> {
    const [last] = made.slice(-1);
    if (parent?.things.operation('delete') === undefined || last === undefined || !isTold) return;
    const elsewhere = await things.elsewhere(session, within);
    if (elsewhere === undefined) return;
    const full = await things.attempt(session, elsewhere);
    if (!isFull(facts, full)) return;
    const gone = await callParent(session, parent, 'delete', within);
    const seen = await things.call(session, 'read', count.valuesOf(last, within));
    if (!isSuccess(gone) || gone.status === 202 || !isGone(seen)) return;
    const next = await things.attempt(session, elsewhere);
    if (isSuccess(next) || isFull(facts, next))
      yield* judgeRoom([full, gone, seen, next], isSuccess(next), 'removed with what it was below');
  }

  function judgeRoom(steps: readonly Exchange[], holds: boolean, what: string): Iterable<Check> {
    const expected = `a creation that is not refused with ${policy.status}, after one of ${bound?.most} things was ${what}`;
    return facts.judge('things', steps, holds, expected);
  }

  /** The calls that lead a new thing to states in which it never counts again: the shortest ways. */
  function waysOut(): readonly (readonly Operation[])[] {
    const lifecycle = shownLifecycle(api, read);
    const { states } = bound ?? {};
    if (lifecycle === undefined || states === undefined || read === undefined) return [];
    const all = callsTo(lifecycle, actionsBelow({ api, policy: lifecycle }, read));
    const isOut = (state: string): boolean =>
      [...reachable(lifecycle, state)].every((one) => !states.includes(one));
    const out = [...all].filter(([state]) => isOut(state)).map(([, way]) => way);
    return out.filter(({ length }) => length === out[0]?.length).slice(0, MOST_WAYS);
  }

  /** @returns the read of the thing in its new state; `undefined` if it still counts */
  function leave(session: Session, way: readonly Operation[]): (one: Freed) => Promise<Exchange | undefined> {
    return async ({ values }) => {
      for (const action of way)
        if (!isSuccess(await session.send(nameOf(action), inputFor(api, action, session, values))))
          return undefined;
      const now = await things.call(session, 'read', values);
      return count.counts(things.shownIn(now)) === false ? now : undefined;
    };
  }
}

// --- internal ---

interface Freed {
  readonly values: Values;
}

interface Known {
  readonly made: Exchange[];
  readonly within: Values;
}

function nameOf(action: Operation): string {
  return `call ${action.id}`;
}

const MOST_WAYS = 3;

/** How many creations are sent at once. */
const AT_ONCE = 3;

/** More creations would be a load test. */
const MOST_THINGS = 50;

/** How many things another caller is asked for. */
const MOST_READS = 5;
