import { policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isGone, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlans, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { idOf, idOfCreated, idOfNobody } from '../document/ids.ts';
import { removalOf } from '../document/endings.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { occasionNeed, sendOnOccasion } from '../document/occasions.ts';
import { thingParameter } from '../document/thing-places.ts';
import { bodyFor } from '../document/values.ts';
import { otherBody } from '../document/variants.ts';
import type { Values } from '../own-api.ts';
import { callsOn } from '../../target/occasions.ts';
import type { Facts } from './facts.ts';
import { instantOf, isSameStored } from './lifecycle-members.ts';
import { coursesOf, coursesOnTheWay } from './lifecycle-courses.ts';
import { actionsBelow, isNamedBy, waysOf, withoutCalls } from './lifecycle-ways.ts';
import { reachable } from './reachable.ts';
import { refusal } from './refusal.ts';
import { resourcesIn } from './resources.ts';
import { LISTS_OF_STATES, judgeStates, stateFilterOf } from './state-filter.ts';
import { thingsBy } from './things.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/**
 * Calls below a resource, such as POST /payments/{id}/capture: each one on a new resource, and each ordered
 * pair of them. The oracle of the states judges the results. A call with the name of a transition that
 * succeeds in the transition's initial state has to cause the transition.
 *
 * @param occasion `slow` for calls that are possible only in states that the resource comes into without a call
 */
export function callScenarios(
  facts: Facts<Lifecycle>,
  maker: Operation,
  reader: Operation,
  occasion?: 'slow',
): readonly Scenario[] {
  const { api, policy } = facts;
  const parameter = thingParameter(api, reader);
  const actions = actionsBelow(facts, reader);
  if (!actions.some((one) => isNamedBy(policy, one))) return [];
  // The transitions that can happen without a call.
  const ownWays = withoutCalls(policy, actions);
  const courses =
    occasion === undefined ? coursesOf(policy, actions) : coursesOnTheWay(ownWays, policy, actions);
  if (courses.length === 0) return [];
  const made = new MadeResources(api, maker);
  const isBounded = policyFor(maker, 'capacity')?.things !== undefined;
  const removal = isBounded ? removalOf(api, reader) : undefined;
  const list = thingsBy(api, 'create', maker)?.operation('list');
  const filter = occasion === undefined ? stateFilterOf(facts, maker) : undefined;
  const filtered = filter?.facts.ids('filtered') ?? [];
  const called = courses.flatMap(({ calls }) => calls);
  const plans: RequestPlans = Object.fromEntries([
    ...actions.map((one) => {
      const times = 2 * called.filter((call) => call === one).length + 1;
      return [`call ${one.id}`, api.plan(one, { times })] as const;
    }),
    [
      'create',
      api.plan(maker, { times: 2 * courses.length + 2, ...(isBounded ? { judgesRefusal: true } : {}) }),
    ],
    ...(list === undefined ? [] : [['list', api.plan(list)] as const]),
    ...(filter === undefined ? [] : [[FILTERED, api.plan(filter.list, { times: LISTS_OF_STATES })] as const]),
    ...(removal === undefined ? [] : [[ROOM, api.plan(removal, { times: courses.length + 1 })] as const]),
    [
      'read',
      api.plan(reader, {
        times:
          called.length * (3 + MOST_LOOKS) +
          courses.length * (6 + (occasion === undefined ? 0 : MOST_WAITS)) +
          2,
      }),
    ],
  ]);
  return facts.scenario(['transitions', 'refused'], {
    id: `lifecycle.${policy.schema}.${maker.id}.${occasion === undefined ? 'calls' : 'calls.slow'}`,
    title: `the states that calls below ${reader.path} lead to`,
    permissions: ['writes'],
    needs: occasion === undefined ? [] : [occasionNeed(maker, occasion)],
    ...(occasion === undefined ? {} : { budgetMs: LONGEST_ON_THE_WAY_MS }),
    also: filtered,
    severalCases: [...facts.ids('transitions', 'refused'), ...filtered],
    requests: { ...made.requests(), ...plans },
    async *run(session: Session) {
      const known = await made.values(session);
      const [{ minMs = 0 } = {}] =
        occasion === undefined ? [] : callsOn(occasion, maker.id, session.fixtures);
      let taken = 0;
      const earlier: { readonly values: Values; readonly seen: Exchange }[] = [];
      const uncalled = await bystander(session, known);
      for (const { calls, from } of courses) {
        session.startCourse();
        let first = await create(session, known);
        // As many may be there as there may be; some of them may not count.
        while (!isSuccess(first) && removal !== undefined && earlier.length > 0) {
          const { values } = earlier.shift() as (typeof earlier)[number];
          await session.send(ROOM, inputFor(api, removal, session, values));
          first = await create(session, known);
        }
        const id = isSuccess(first) ? idOfCreated(api, first, parameter) : undefined;
        if (id === undefined)
          throw new NotExercised(`bodies.${maker.id}`, `nothing was made: ${sketchAnswer(first)}`);
        const values = { ...known, [parameter]: id };
        for (const [index, action] of calls.entries()) {
          let before = await look(session, values);
          for (let count = 0; occasion !== undefined && index === 0 && count < MOST_WAITS; count += 1) {
            if (stateIn(before, values) === from) break;
            const pauseMs = Math.min(minMs, LONGEST_WAIT_MS) / MOST_WAITS;
            await session.clock.sleep(Math.max(PAUSE_MS, pauseMs));
            before = await look(session, values);
          }
          // A time that a call moves has to differ from what it was.
          if (index > 0) await session.clock.sleep(APART_MS);
          const isAgain = calls.indexOf(action) < index;
          const seen = await act(session, action, values, isAgain);
          if (isSuccess(seen)) taken += 1;
          yield* judge(session, { action, before, seen, values });
        }
        const before = earlier.at(-1);
        if (before !== undefined) yield* judgeEarlier(session, before);
        if (uncalled !== undefined) yield* judgeEarlier(session, uncalled, ownWays);
        earlier.push({ values, seen: await look(session, values) });
      }
      // The document judges the answer to a call of what does not exist.
      const declared = reader.parameters.find(({ name }) => name === parameter);
      const nobody = declared && idOfNobody(api, declared, session.freshKey);
      const [action] = actions;
      if (action !== undefined && nobody !== undefined && occasion === undefined)
        await session.send(
          `call ${action.id}`,
          inputFor(api, action, session, { ...known, [parameter]: nobody }),
        );
      // What was worked on may be done only after the time that it takes.
      await session.clock.sleep(LATE_MS + Math.min(minMs, LONGEST_WAIT_MS));
      // The oracles judge what a list shows of things in these states.
      if (list !== undefined) await session.send('list', inputFor(api, list, session, known));
      for (const one of earlier) yield* judgeEarlier(session, one);
      if (filter !== undefined)
        yield* judgeStates(filter, {
          ...{ session, within: known, made: earlier.map(({ values }) => values), states: policy.states },
          ...{ as: FILTERED, look: (values) => look(session, values), stateIn },
        });
      if (taken === 0) throw new NotExercised('an opportunity', 'no call below the resource succeeded');
    },
  });

  /**
   * What a refused call sends must not be stored, which is seen if it differs from what was sent before. A server may refuse
   * another body for what it is.
   */
  async function act(
    session: Session,
    action: Operation,
    values: Values,
    isAgain: boolean,
  ): Promise<Exchange> {
    const { fixtures } = session;
    const usual = (own: Session): Promise<Exchange> =>
      session.send(`call ${action.id}`, inputFor(api, action, own, values));
    const body = isAgain ? bodyFor(api, action, fixtures)?.value : undefined;
    const other = body && otherBody(api, action, body, () => true);
    if (other === undefined) return usual(session);
    const bodies = { ...fixtures.bodies, [action.id]: other };
    const seen = await usual({ ...session, fixtures: { ...fixtures, bodies } });
    return isSuccess(seen) || seen.status === policy.refusal?.status ? seen : usual(session);
  }

  async function create(session: Session, known: Values): Promise<Exchange> {
    if (occasion === undefined) return session.send('create', inputFor(api, maker, session, known));
    const [call = {}] = callsOn(occasion, maker.id, session.fixtures);
    return sendOnOccasion(api, session, 'create', [maker, occasion, call], known);
  }

  /** A resource that no call of the suite changes. */
  async function bystander(
    session: Session,
    known: Values,
  ): Promise<{ readonly values: Values; readonly seen: Exchange } | undefined> {
    session.startCourse();
    const first = await session.send('create', inputFor(api, maker, session, known));
    const id = isSuccess(first) ? idOfCreated(api, first, parameter) : undefined;
    if (id === undefined) return undefined;
    const values = { ...known, [parameter]: id };
    return { values, seen: await look(session, values) };
  }

  /** Calls of one resource do not change the state of another, except for automatic transitions. */
  async function* judgeEarlier(
    session: Session,
    { values, seen }: { readonly values: Values; readonly seen: Exchange },
    ways: Pick<Lifecycle, 'transitions'> = policy,
  ): AsyncGenerator<Check> {
    const now = await look(session, values);
    const [from, to] = [stateIn(seen, values), stateIn(now, values)];
    if (from !== undefined && to !== undefined)
      yield* facts.judge(
        'transitions',
        [seen, now],
        reachable(ways, from).has(to),
        `${from} or what it leads to, after calls of another resource`,
        to,
      );
  }

  async function look(session: Session, values: Values): Promise<Exchange> {
    return session.send('read', inputFor(api, reader, session, values));
  }

  /** The state in an answer about this resource; an example of another one shows nothing. */
  function stateIn(seen: Exchange, values: Values): string | undefined {
    const [shown] = resourcesIn(api, seen, policy.schema).filter(({ isWhole }) => isWhole);
    const isOwn = shown !== undefined && String(idOf(shown.value, parameter)) === String(values[parameter]);
    const state = isOwn ? at(shown.value, policy.property) : undefined;
    return typeof state === 'string' ? state : undefined;
  }

  async function* judgeRefused(
    session: Session,
    { before, seen, now }: { readonly before: Exchange; readonly seen: Exchange; readonly now: Exchange },
    values: Values,
    stated: NonNullable<Lifecycle['refusal']>,
  ): AsyncGenerator<Check> {
    const [from = '', to] = [stateIn(before, values), stateIn(now, values)];
    // The server may have left the state on its own between the read and the call.
    if (to !== from && reachable(policy, from).has(to ?? '') && isSuccess(seen)) return;
    // What has ended may be gone by now.
    if (isGone(seen) && isGone(now)) return;
    yield* refusal(facts, 'refused', seen, stated, `in the state ${from}`);
    if (isSuccess(seen) || to === undefined) return;
    yield* facts.judge(
      'refused',
      [before, seen, now],
      reachable(ownWays, from).has(to),
      `still ${from} after a refused call`,
      to,
    );
    const name = movedTime(before, now);
    if (name === undefined) return;
    const again = await look(session, values);
    // A time that differs with each read is not moved by the call.
    const isKept = timeIn(now, name) === timeIn(again, name);
    if (isKept)
      yield* facts.judge(
        'refused',
        [before, seen, now],
        false,
        `${name} ${String(timeIn(before, name))}, as before the refused call`,
        String(timeIn(now, name)),
      );
  }

  /** The first time of a thing that is another one in a later read. */
  function movedTime(before: Exchange, now: Exchange): string | undefined {
    return (policy.times?.order ?? []).find((name) => {
      const [was, is] = [timeIn(before, name), timeIn(now, name)];
      return [was, is].every((one) => instantOf(one) !== undefined) && !isSameStored(was, is);
    });
  }

  function timeIn(seen: Exchange, name: string): unknown {
    const [shown] = resourcesIn(api, seen, policy.schema).filter(({ isWhole }) => isWhole);
    return at(shown?.value, name);
  }

  async function* judge(
    session: Session,
    {
      action,
      before,
      seen,
      values,
    }: {
      readonly action: Operation;
      readonly before: Exchange;
      readonly seen: Exchange;
      readonly values: Values;
    },
  ): AsyncGenerator<Check> {
    const from = stateIn(before, values);
    const ways = waysOf(policy, action);
    const way = ways.find((one) => one.from === from);
    // The server may have gone on by itself between the read and the call.
    const begun = reachable(ownWays, from ?? '');
    const mayHaveBegun = (to: string): boolean =>
      ways.some((one) => begun.has(one.from) && reachable(policy, one.to).has(to));
    let now = await look(session, values);
    const shown = stateIn(seen, values);
    const { refusal: stated } = policy;
    if (way === undefined && ways.length > 0 && from !== undefined && stated !== undefined)
      yield* judgeRefused(session, { before, seen, now }, values, stated);
    if (way === undefined && ways.length > 0 && from !== undefined && shown !== undefined)
      yield* facts.judge(
        'transitions',
        [before, seen],
        shown === from || mayHaveBegun(shown) || !ways.some(({ to }) => to === shown),
        `still ${from}: ${action.id} begins in ${ways.map((one) => one.from).join(' or ')}`,
        shown,
      );
    if (way === undefined || !isSuccess(seen) || seen.status === 202) return;
    // Only an answer that contains the resource itself shows that the call is complete.
    if (shown === undefined) return;
    // The server may have gone on by itself, but the resource is not back where only another call leads.
    const back = reachable(ownWays, way.to).has(way.from) ? undefined : way.from;
    const ends = new Set([...reachable(policy, way.to)].filter((state) => state !== back));
    let isUnmoved = false;
    for (let time = 0; time < MOST_LOOKS && !ends.has(stateIn(now, values) ?? way.to); time += 1) {
      isUnmoved ||= time >= FEWEST_LOOKS && stateIn(now, values) === from;
      await session.clock.sleep(Math.min(PAUSE_MS * 2 ** time, LONGEST_PAUSE_MS));
      now = await look(session, values);
    }
    // What has ended may no longer be shown.
    const isLost = isGone(now) && !policy.terminal.includes(way.to);
    const state = isLost ? `${now.status}` : stateIn(now, values);
    if (state === undefined) return;
    if (!isUnmoved && state !== from && !ends.has(state) && reachable(ownWays, way.from).has(state)) {
      yield* facts.open('transitions', [before, seen, now], `it became ${state} before ${action.id}`);
      return;
    }
    yield* facts.judge(
      'transitions',
      [before, seen, now],
      ends.has(state),
      `${way.to} after ${action.id}, which is ${way.on}`,
      state,
    );
  }
}

/** The wait for servers that change the state some time after their answer, in milliseconds. */
export const LATE_MS = 1000;

// --- internal ---

const APART_MS = 20;

/** The name of the planned request for things in one state. */
const FILTERED = 'list of a state';

/** The name of the planned request that makes room for another thing. */
const ROOM = 'make room';
/** How often a resource is looked at until a call has its effect: a server may do the work some seconds after its answer. */
const MOST_LOOKS = 5;
const LONGEST_PAUSE_MS = 2000;
/** What goes on by itself after so many looks has not begun before the call. */
const FEWEST_LOOKS = 3;
/** How often a resource is looked at until a call is possible. */
const MOST_WAITS = 20;
const LONGEST_ON_THE_WAY_MS = 240_000;
/** In milliseconds. */
const LONGEST_WAIT_MS = 30_000;
const PAUSE_MS = 250;
