import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import type { OccasionCall } from '../../target/occasions.ts';
import { idOfCreated } from '../document/ids.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { occasionNeed, sendOnOccasion } from '../document/occasions.ts';
import { thingParameter } from '../document/thing-places.ts';
import type { Values } from '../own-api.ts';
import { WHOLE_PAGES } from './changed-filters.ts';
import type { Facts } from './facts.ts';
import { actionsBelow, reachedByItself, waysOf } from './lifecycle-ways.ts';
import { listThings } from './listed-things.ts';
import { resourcesIn } from './resources.ts';
import { stateFilterOf } from './state-filter.ts';
import type { StateFilter } from './state-filter.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/**
 * What time has brought about, met by another call than a read: a list with a filter by the state, and a call that is possible
 * only before. A server that settles the state only when it is read still has the earlier one. Things of the same kind show that
 * the time is over: one is read until its end, and another one after twice the time that this took.
 */
export function unreadScenarios(
  facts: Facts<Lifecycle>,
  maker: Operation,
  reader: Operation,
): readonly Scenario[] {
  const { api, policy } = facts;
  const made = new MadeResources(api, maker);
  const parameter = thingParameter(api, reader);
  const itself = reachedByItself(facts, reader, policy.initial);
  const action = actionsBelow(facts, reader).find((one) =>
    waysOf(policy, one).some(({ from }) => from === policy.initial),
  );
  const filter = stateFilterOf(facts, maker);
  if (action === undefined && filter === undefined) return [];
  return facts.scenario(['refused'], {
    id: `lifecycle.${policy.schema}.${maker.id}.unread`,
    title: `what ${maker.method.toUpperCase()} ${maker.path} makes, after an end that no call has seen`,
    permissions: ['writes'],
    needs: [occasionNeed(maker, 'ending')],
    also: filter?.facts.ids('filtered') ?? [],
    budgetMs: 4 * LONGEST_MS,
    severalCases: [...facts.ids('refused'), ...(filter?.facts.ids('filtered') ?? [])],
    requests: {
      ...made.requests(),
      ...(filter === undefined ? {} : { list: api.plan(filter.list, { times: 2 * WHOLE_PAGES }) }),
      ...(action === undefined ? {} : { action: api.plan(action, { isSpare: true }) }),
      ending: api.plan(maker, { times: WITNESSES + UNREAD }),
      read: api.plan(reader, { times: MOST_LOOKS + WITNESSES + UNREAD }),
    },
    async *run(session: Session) {
      const within = await made.values(session);
      const [call] = callsOn('ending', maker.id, session.fixtures).filter(
        ({ ends }) => ends !== undefined && ends !== policy.initial && itself.has(ends),
      );
      if (call === undefined)
        throw new NotExercised(`occasions.${maker.id}.ending`, 'needs one that ends without a call');
      const make = (): Promise<Values> => ending(session, within, call);
      const [acted, listed] = [await make(), await make()];
      const [witness, second] = [await make(), await make()];
      await session.clock.sleep(PAUSE_MS + (await timeToEnd(session, witness, call.ends)));
      const over = await look(session, second);
      if (stateIn(over) !== call.ends)
        throw new NotExercised(
          'an opportunity',
          `not all of them end after the same time: ${sketchAnswer(over)}`,
        );
      // A list may settle all of them.
      if (action !== undefined) yield* judgeAction(session, action, { over, values: acted, ends: call.ends });
      if (filter !== undefined) yield* judgeList(session, filter, { over, values: listed, ends: call.ends });
    },
  });

  async function ending(session: Session, within: Values, call: OccasionCall): Promise<Values> {
    const seen = await sendOnOccasion(api, session, 'ending', [maker, 'ending', call], within);
    const id = isSuccess(seen) ? idOfCreated(api, seen, parameter) : undefined;
    if (id !== undefined) return { ...within, [parameter]: id };
    throw new NotExercised(`bodies.${maker.id}`, `nothing was made: ${sketchAnswer(seen)}`);
  }

  function look(session: Session, values: Values): Promise<Exchange> {
    return session.send('read', inputFor(api, reader, session, values));
  }

  function stateIn(seen: Exchange): unknown {
    const [shown] = resourcesIn(api, seen, policy.schema).filter(({ isWhole }) => isWhole);
    return at(shown?.value, policy.property);
  }

  /** In milliseconds. @throws {NotExercised} if it has not ended after a while */
  async function timeToEnd(session: Session, values: Values, ends: unknown): Promise<number> {
    const startedAt = session.clock.now();
    for (let count = 0; count < MOST_LOOKS; count += 1) {
      if (stateIn(await look(session, values)) === ends) return session.clock.now() - startedAt;
      await session.clock.sleep(PAUSE_MS);
    }
    throw new NotExercised('an opportunity', `it is not ${String(ends)} after ${LONGEST_MS / 1000} s`);
  }

  async function* judgeList(
    session: Session,
    { facts: own, list, query, things }: StateFilter,
    { over, values, ends }: Over,
  ): AsyncGenerator<Check> {
    const id = String(values[parameter]);
    const { ids, pages } = await listThings(things, session, values, {
      query: { [query]: policy.initial },
      mostPages: WHOLE_PAGES,
    });
    const now = await look(session, values);
    if (stateIn(now) !== ends || !pages.every(isSuccess)) return;
    yield* own.judge(
      'filtered',
      [over, ...pages.slice(-1), now],
      !ids.has(id),
      `no ${id} in ${list.path} with ${query}=${policy.initial}, because it is ${String(ends)}, although no call has read it since`,
      `a list with ${id}`,
    );
  }

  async function* judgeAction(
    session: Session,
    action: Operation,
    { over, values, ends }: Over,
  ): AsyncGenerator<Check> {
    if (waysOf(policy, action).some(({ from }) => from === ends)) return;
    const seen = await session.send('action', inputFor(api, action, session, values));
    const now = await look(session, values);
    yield* facts.judge(
      'refused',
      [over, seen, now],
      !isSuccess(seen),
      `a refusal of ${action.id}, because it is ${String(ends)}, although no call has read it since`,
      sketchAnswer(seen),
    );
  }
}

// --- internal ---

/** A thing whose time is over, and another one that shows it. */
interface Over {
  readonly over: Exchange;
  readonly values: Values;
  readonly ends: unknown;
}

const WITNESSES = 2;
const UNREAD = 2;
const PAUSE_MS = 1000;
const LONGEST_MS = 60_000;
const MOST_LOOKS = LONGEST_MS / PAUSE_MS;
