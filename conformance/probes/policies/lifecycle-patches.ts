import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { Facts } from './facts.ts';
import { LATE_MS } from './lifecycle-calls.ts';
import { reachable } from './reachable.ts';
import { refusal } from './refusal.ts';
import type { Thing } from './thing.ts';
import { type Things, thingsBy } from './things.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/**
 * The state as a member of a patch: a new resource is brought to a state, and then states without a
 * transition are requested. A replacement of the resource keeps its state.
 */
export function patchScenarios(facts: Facts<Lifecycle>, maker: Operation): readonly Scenario[] {
  const { api, policy } = facts;
  const things = thingsBy(api, 'create', maker);
  const takes = (state: string): boolean =>
    things?.bodies.takes('patch', { [policy.property]: state }) === true;
  const isNamed = !policy.property.includes('.') && policy.states.every(takes);
  if (things?.operation('read') === undefined || things.operation('patch') === undefined || !isNamed)
    return [];
  // An unrestricted schema says nothing about states.
  if (things.bodies.takes('patch', { [policy.property]: 'tallystick-no-such-state' })) return [];
  const goals = policy.states.flatMap((state) => {
    const way = wayTo(policy, state);
    return way === undefined ? [] : [{ state, way }];
  });
  const courses = goals.slice(0, MOST_COURSES);
  const steps = courses.length * (MOST_STEPS + MOST_WRONG);
  return facts.scenario(['transitions', 'refused'], {
    id: `lifecycle.${policy.schema}.${maker.id}.patches`,
    title: `${policy.property} in a patch of ${things.operation('patch')?.path ?? ''}`,
    permissions: ['writes'],
    severalCases: facts.ids('transitions', 'refused'),
    requests: things.requests({
      create: courses.length * 2,
      read: steps * 3 + courses.length * 3,
      patch: steps,
      replace: courses.length,
    }),
    async *run(session: Session) {
      const within = await things.within(session);
      let led = 0;
      for (const { state, way } of courses) {
        session.startCourse();
        const thing = await things.make(session, within);
        if (!(await isLed(session, things, thing, { way, policy }))) continue;
        led += way.length;
        yield* judgeOthers(facts, session, things, { thing, state });
        yield* judgeReplaced(facts, session, things, { thing, state });
      }
      if (led === 0) throw new NotExercised('an opportunity', `no patch of ${policy.property} succeeded`);
    },
  });
}

// --- internal ---

const MOST_COURSES = 4;
const MOST_STEPS = 4;
const MOST_WRONG = 3;

/** The states after the first one, on the shortest path to another one. */
function wayTo({ transitions, initial }: Lifecycle, goal: string): readonly string[] | undefined {
  const ways = new Map<string, readonly string[]>([[initial, []]]);
  for (const [state, way] of ways)
    for (const { from, to } of transitions)
      if (from === state && !ways.has(to) && way.length < MOST_STEPS) ways.set(to, [...way, to]);
  return ways.get(goal);
}

function stateIn(things: Things, seen: Exchange, { property }: Lifecycle): unknown {
  return at(things.shownIn(seen), property);
}

/** The oracle of the states judges the reads on the way. */
async function isLed(
  session: Session,
  things: Things,
  { values }: Thing,
  { way, policy }: { readonly way: readonly string[]; readonly policy: Lifecycle },
): Promise<boolean> {
  for (const state of way) {
    await things.call(session, 'patch', values, { body: { [policy.property]: state } });
    if (stateIn(things, await things.call(session, 'read', values), policy) !== state) return false;
  }
  return true;
}

interface Led {
  readonly thing: Thing;
  readonly state: string;
}

/** Requests states that no transition from the current state leads to. */
async function* judgeOthers(
  facts: Facts<Lifecycle>,
  session: Session,
  things: Things,
  { thing: { values, within }, state }: Led,
): AsyncGenerator<Check> {
  const { policy } = facts;
  const allowed = policy.transitions.flatMap(({ from, to }) => (from === state ? [to] : []));
  const others = policy.states.filter((one) => one !== state && !allowed.includes(one));
  for (const other of others.slice(0, MOST_WRONG)) {
    // It may have gone on by itself.
    if (stateIn(things, await things.call(session, 'read', values), policy) !== state) return;
    const seen = await things.call(session, 'patch', values, { body: { [policy.property]: other } });
    const now = await things.call(session, 'read', values);
    const after = stateIn(things, now, policy);
    const isJump = isSuccess(seen) && reachable(policy, state).has(other);
    if (isJump && (await goesOn(session, things, within, policy))) {
      yield* facts.open('transitions', [seen, now], `it may have left ${state} by itself before the patch`);
      return;
    }
    if (policy.refusal !== undefined)
      yield* refusal(facts, 'refused', seen, policy.refusal, `for ${other}, in the state ${state}`);
    yield* facts.judge(
      'transitions',
      [seen, now],
      after !== other,
      `still ${state}: no transition leads from there to ${other}`,
      String(after),
    );
    if (after !== state) return;
  }
}

/** Whether a new thing leaves its state without a call. */
async function goesOn(
  session: Session,
  things: Things,
  within: Thing['within'],
  policy: Lifecycle,
): Promise<boolean> {
  const { values } = await things.make(session, within);
  const before = stateIn(things, await things.call(session, 'read', values), policy);
  await session.clock.sleep(LATE_MS);
  const after = stateIn(things, await things.call(session, 'read', values), policy);
  return before !== policy.initial || after !== before;
}

async function* judgeReplaced(
  facts: Facts<Lifecycle>,
  session: Session,
  things: Things,
  { thing: { values, sent }, state }: Led,
): AsyncGenerator<Check> {
  if (things.operation('replace') === undefined || sent === undefined) return;
  // A body that contains the state itself may lead elsewhere.
  if (at(sent, facts.policy.property) !== undefined || !things.bodies.takes('replace', sent)) return;
  const seen = await things.call(session, 'replace', values, { body: sent });
  if (!isSuccess(seen)) return;
  const now = await things.call(session, 'read', values);
  const after = stateIn(things, now, facts.policy);
  yield* facts.judge(
    'transitions',
    [seen, now],
    typeof after === 'string' && reachable(facts.policy, state).has(after),
    `${state} or what it leads to, after a replacement of the resource`,
    String(after),
  );
}
