import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { policyFor } from '../../../contract/index.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { sentAtOnce } from '../../explore/at-once.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { Values } from '../own-api.ts';
import { OTHERS, ThingCount } from './counted-things.ts';
import type { CountedThings } from './counted-things.ts';
import { neverSent } from './facts.ts';
import type { OperationFacts } from './facts.ts';
import { isFull, nextCreation } from './freed-capacity.ts';
import { actionsBelow, callsTo } from './lifecycle-calls.ts';
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
    return neverSent(facts, ['things'], `no resource of the sheet is created by ${operation.id}`);
  if (bound.most > MOST_THINGS)
    return neverSent(facts, ['things'], `no more than ${MOST_THINGS} things are created for one rule`);
  const things = thingsOf(api, resource);
  const count = new ThingCount(facts, things, resource.otherCaller !== undefined && !resource.owner);
  const read = things.operation('read');
  const way = wayOut();
  const tries = bound.most + 1;
  const others = { as: 'secondAccount', isOptional: true, judgesRefusal: true } as const;
  // What is created otherwise may not count.
  const isOnlyMaker = resource.operations.createMany === undefined && resource.upsert !== true;
  // Such a refusal may be about the pace of calls.
  const isTold = policy.bucket !== undefined || ![429, 503].includes(policy.status);
  const idempotency = policyFor(operation, 'idempotency');
  const keys = idempotency && facts.about(idempotency).on(operation);
  const scenarios = facts.scenario(['things'], {
    id: `capacity.${operation.id}.things`,
    title: `${operation.method.toUpperCase()} ${operation.path}: one more than may exist`,
    permissions: ['writes'],
    fillsCapacity: true,
    // What cannot be removed would leave no room for the others.
    isFirst: things.operation('delete') !== undefined || way.length > 0,
    isUndisturbed: true,
    severalCases: facts.ids('things'),
    requests: {
      ...things.requests(
        { create: tries + 5 + AT_ONCE, read: tries + 4 + AT_ONCE, delete: 3 },
        { judgesRefusal: true },
      ),
      ...count.requests({ list: 6, [OTHERS]: 1 }),
      ...Object.fromEntries(way.map((action) => [nameOf(action), api.plan(action, { times: 3 })])),
      'create as another': api.plan(operation, others),
      ...(read === undefined ? {} : { 'read as another': api.plan(read, { ...others, times: MOST_READS }) }),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const before = await count.now(session);
      const made: Exchange[] = [];
      let seen = await things.attempt(session, within);
      while (isSuccess(seen) && made.push(seen) < tries) seen = await things.attempt(session, within);
      const isRate = [429, 503].includes(seen.status) && seen.status !== policy.status;
      if (made.length === 0 || isRate)
        throw new NotExercised(
          'an opportunity',
          `the server returned ${seen.status} after ${made.length} creations`,
        );
      if (isSuccess(seen)) {
        const why = await whyNotCounted(session, made, within);
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
      const remove = ({ values }: Freed): Promise<Exchange> => things.call(session, 'delete', values);
      const state = { made, full, seen, within };
      const frees = [
        ...(things.operation('delete') === undefined ? [] : [['removed', remove] as const]),
        ...(way.length === 0 ? [] : [['in a state that does not count', leave(session)] as const]),
      ];
      for (const [what, free] of frees) if (!(yield* freed(session, state, what, free))) return;
      const [first] = frees;
      if (first !== undefined) yield* atOnce(session, state, first[1]);
    },
  });

  return scenarios.map((one) => ({ ...one, judges: [...one.judges, ...(keys?.ids('released') ?? [])] }));

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
    const own = made.map((one) => String(idOf(one))).filter((id) => full.ids.has(id));
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
      within,
    }: Known & { readonly seen: Exchange; readonly full: CountedThings | undefined },
    what: string,
    free: (one: Freed) => Promise<Exchange | undefined>,
  ): AsyncGenerator<Check, boolean> {
    const isAlone = made.length >= (bound?.most ?? 0);
    if (!isAlone && (full === undefined || !isTold)) return false;
    const steps = [seen];
    for (let time = 0; time < (isAlone ? 1 : 2); time += 1) {
      const first = made.shift();
      const done = first && (await free({ values: valuesOf(first, within) }));
      if (done === undefined || !isSuccess(done) || done.status === 202) return false;
      const next = yield* nextCreation(session, {
        ...{ things, keys, within },
        refused: steps.length === 1 ? seen : undefined,
      });
      steps.push(done, next);
      if (isSuccess(next)) made.push(next);
      if (next.status === policy.status) continue;
      yield* judgeRoom(steps, true, what);
      return true;
    }
    const now = isAlone ? undefined : await count.now(session);
    const own = new Set(made.map((one) => String(idOf(one))));
    const isLess = now !== undefined && [...now.ids].every((id) => full?.ids.has(id) === true || own.has(id));
    if (isAlone || (isLess && now.ids.size < (full?.ids.size ?? 0)))
      yield* judgeRoom(now === undefined ? steps : [...steps, now.page], false, what);
    return false;
  }

  /** There is room for one: of several creations at once, no more than one is made. */
  async function* atOnce(
    session: Session,
    { made, within }: Known,
    free: (one: Freed) => Promise<Exchange | undefined>,
  ): AsyncGenerator<Check> {
    const first = made.length < (bound?.most ?? 0) ? undefined : made.shift();
    const done = first && (await free({ values: valuesOf(first, within) }));
    if (done === undefined || !isSuccess(done) || done.status === 202) return;
    const calls = Array.from({ length: AT_ONCE }, () => (own: Session) => things.attempt(own, within));
    // A call without an answer says nothing of the others.
    const seen = (await sentAtOnce(session, calls)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    const taken: Exchange[] = [];
    for (const one of seen.filter(isSuccess)) if (await isThere(session, one, within)) taken.push(one);
    if (taken.length === 0) return;
    yield* facts.judge(
      'things',
      [done, ...seen],
      taken.length === 1,
      `one creation of ${AT_ONCE} at once, where there is room for one of ${bound?.most} things`,
      `${taken.length} creations`,
    );
  }

  /** Whether a creation has made something that counts: an answer before the work is done does not say so. */
  async function isThere(session: Session, made: Exchange, within: Values): Promise<boolean> {
    if (made.status !== 202) return true;
    if (read === undefined) return false;
    const now = await things.call(session, 'read', valuesOf(made, within));
    return isSuccess(now) && count.counts(things.shownIn(now)) === true;
  }

  function judgeRoom(steps: readonly Exchange[], holds: boolean, what: string): Iterable<Check> {
    const expected = `a creation that is not refused with ${policy.status}, after one of ${bound?.most} things was ${what}`;
    return facts.judge('things', steps, holds, expected);
  }

  /** The calls that lead a new thing to a state in which it never counts again. */
  function wayOut(): readonly Operation[] {
    const lifecycle = shownLifecycle(api, read);
    const { states } = bound ?? {};
    if (lifecycle === undefined || states === undefined || read === undefined) return [];
    const ways = callsTo(lifecycle, actionsBelow({ api, policy: lifecycle }, read));
    const isOut = (state: string): boolean =>
      [...reachable(lifecycle, state)].every((one) => !states.includes(one));
    return [...ways].find(([state]) => isOut(state))?.[1] ?? [];
  }

  /** @returns the read of the thing in its new state; `undefined` if it still counts */
  function leave(session: Session): (one: Freed) => Promise<Exchange | undefined> {
    return async ({ values }) => {
      for (const action of way)
        if (!isSuccess(await session.send(nameOf(action), inputFor(api, action, session, values))))
          return undefined;
      const now = await things.call(session, 'read', values);
      return count.counts(things.shownIn(now)) === false ? now : undefined;
    };
  }

  function idOf(made: Exchange): Values[string] {
    return things.madeId(made) as Values[string];
  }

  function valuesOf(made: Exchange, within: Values): Values {
    return { ...within, [things.roles.parameter]: idOf(made) };
  }

  /** Why these things may not count; `undefined` if all do. */
  async function whyNotCounted(
    session: Session,
    made: readonly Exchange[],
    within: Values,
  ): Promise<string | undefined> {
    if (made.some(({ status }) => status === 202)) return 'things are created later: 202';
    if (read === undefined) return 'no operation reads the things, so they may not exist any more';
    for (const one of made) {
      const seen = await things.call(session, 'read', valuesOf(one, within));
      if (!isSuccess(seen)) return `a thing that was created does not exist any more: ${seen.status}`;
      const shown = things.shownIn(seen);
      if (count.counts(shown) !== true)
        return `a thing is in the state ${String(count.stateOf(shown))}, which does not count`;
    }
    return undefined;
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

/** How many creations are sent at once. */
const AT_ONCE = 3;

/** More creations would be a load test. */
const MOST_THINGS = 50;

/** How many things another caller is asked for. */
const MOST_READS = 5;
