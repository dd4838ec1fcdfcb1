import type { PolicyOf } from '../../../contract/index.ts';
import type { Oracle } from '../../oracle.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { at, isGone, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { BrokenFixture, NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { idOfCreated } from '../document/ids.ts';
import { inputFor } from '../document/input.ts';
import { occasionNeed, sendOnOccasion } from '../document/occasions.ts';
import { MadeResources } from '../document/made.ts';
import { resourceAt } from '../document/sheet-resources.ts';
import { thingParameter, thingPlace } from '../document/thing-places.ts';
import type { Values } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import { callsOn } from '../../target/occasions.ts';
import type { OccasionCall } from '../../target/occasions.ts';
import type { Operation } from '../../../contract/model.ts';
import type { Facts, Probes } from './facts.ts';
import { callScenarios, LATE_MS } from './lifecycle-calls.ts';
import { actionsBelow, waysOf } from './lifecycle-ways.ts';
import { changedStateScenarios } from './lifecycle-changes.ts';
import { patchScenarios } from './lifecycle-patches.ts';
import { reachable } from './reachable.ts';
import { refusal } from './refusal.ts';
import { showsSchema } from './shown-lifecycle.ts';
import { lateChanges } from './lifecycle-late.ts';
import { keptScenarios } from './lifecycle-kept.ts';
import { memberOracles } from './lifecycle-members.ts';
import { unreadScenarios } from './lifecycle-unread.ts';
import { thingReader } from './lifecycle-things.ts';
import type { ThingReader } from './lifecycle-things.ts';
import { resourcesIn } from './resources.ts';

/** The states of a resource, in every answer that shows one. */
export function lifecycleProbes(facts: Facts<PolicyOf<'lifecycle'>>): Probes {
  const { api } = facts;
  const makers = new Map(
    api.operations.flatMap((maker) => {
      const reader = maker.method === 'post' ? readerOf(facts, maker) : undefined;
      return reader === undefined ? [] : [[maker.id, reader] as const];
    }),
  );
  const shown = thingReader(api, [...makers.values()]);
  return {
    scenarios: [...makers].flatMap(([id, reader]) => {
      const maker = api.operation(id) as Operation;
      return [
        ...lifeOf(facts, maker, reader),
        ...(['slow', 'ending'] as const).flatMap((name) => lifeOf(facts, maker, reader, name)),
        ...callScenarios(facts, maker, reader),
        ...callScenarios(facts, maker, reader, 'slow'),
        ...keptScenarios(facts, maker, reader),
        ...patchScenarios(facts, maker),
        ...changedStateScenarios(facts, maker, reader),
        ...lateChanges(facts, maker),
        ...unreadScenarios(facts, maker, reader),
      ];
    }),
    oracles: [...stateOracles(facts, makers, shown), ...memberOracles(facts, makers, shown)],
  };
}

// --- internal ---

const MOST_READS = 20;
const PAUSE_MS = 250;
/** Where an end is known to come, reads after so many have a longer pause. */
const SOON = 10;
const LONG_PAUSE_MS = 2000;
/** The longest time that is waited for an end, and for several, in milliseconds. */
const LONGEST_MS = 60_000;
const LONGEST_LIFE_MS = 300_000;
const MOST_ENDS = 3;
const MOST_OCCASIONS = 2;

/** Each state that an answer shows is a declared one, and follows from the state that the answer before it has shown. */
function stateOracles(
  facts: Facts<PolicyOf<'lifecycle'>>,
  makers: ReadonlyMap<string, Operation>,
  shown: ThingReader,
): readonly Oracle[] {
  const { api, policy } = facts;
  return facts.oracle(['states', 'initial', 'transitions'], {
    follow: () => {
      const last = new Map<string, { readonly state: string; readonly exchange: Exchange }>();
      return function* (exchange) {
        yield* unlessUnreadable(exchange, facts.ids('states', 'initial', 'transitions'), judge(exchange));
        function* judge(seen: Exchange): ReturnType<Facts['judge']> {
          for (const { value, isWhole, isInEvent } of resourcesIn(api, seen, policy.schema)) {
            // The template of streams judges their order.
            if (isInEvent) continue;
            const state = at(value, policy.property);
            // The document judges whether it may be left out, as in a short answer.
            if (state === undefined) continue;
            const isKnown = typeof state === 'string' && policy.states.includes(state);
            yield* facts.judge('states', seen, isKnown, `one of ${policy.states.join(', ')}`, String(state));
            const thing = isKnown ? shown(seen, { value, isWhole }) : undefined;
            if (!isKnown || thing === undefined) continue;
            if (isWhole && makers.has(seen.operation ?? '') && (seen.status === 201 || seen.status === 202))
              yield* facts.judge('initial', seen, state === policy.initial, policy.initial, state);
            const { key } = thing;
            if (key === undefined) continue;
            const before = last.get(key);
            if (before !== undefined)
              yield* facts.judge(
                'transitions',
                [before.exchange, seen],
                reachable(policy, before.state).has(state),
                `a state that ${before.state} leads to`,
                `${before.state}, then ${state}`,
              );
            last.set(key, { state, exchange: seen });
          }
        }
      };
    },
  });
}

/**
 * Creates a resource, and reads it until it reaches a terminal state.
 *
 * @param occasion what the fixtures say of the call that creates it; if left out, it is any valid call
 */
function lifeOf(
  facts: Facts<PolicyOf<'lifecycle'>>,
  maker: Operation,
  reader: Operation,
  occasion?: 'slow' | 'ending',
): readonly Scenario[] {
  const { api, policy } = facts;
  const made = new MadeResources(api, maker);
  const parameter = thingParameter(api, reader);
  const actions = actionsBelow(facts, reader).filter((one) => waysOf(policy, one).length > 0);
  const calls = actions.map((one) => [`end ${one.id}`, api.plan(one)] as const);
  const times = occasion === undefined ? 1 : MOST_OCCASIONS;
  return facts.scenario(['states', 'initial', 'transitions', 'members', 'times', 'frozen', 'refused'], {
    id: ['lifecycle', policy.schema, maker.id, ...(occasion ?? [])].join('.'),
    title: `the states of what ${maker.method.toUpperCase()} ${maker.path} makes${occasion === undefined ? '' : `, on the occasion ${occasion}`}`,
    permissions: ['writes'],
    needs: occasion === undefined ? [] : [occasionNeed(maker, occasion)],
    ...(occasion === undefined ? {} : { budgetMs: LONGEST_LIFE_MS }),
    severalCases: facts.ids('refused'),
    requests: {
      ...made.requests(),
      ...Object.fromEntries(calls.map(([name, plan]) => [name, { ...plan, times }])),
      call: api.plan(maker, { times: 2 * times }),
      read: api.plan(reader, { times: times * (MOST_READS + 7 + MOST_ENDS) }),
    },
    // The oracles judge what comes back.
    async *run(session: Session) {
      const known = await made.values(session);
      if (occasion === undefined) {
        yield* live(session, await session.send('call', inputFor(api, maker, session, known)), known);
        return;
      }
      for (const call of callsOn(occasion, maker.id, session.fixtures).slice(0, MOST_OCCASIONS)) {
        const first = await sendOnOccasion(api, session, 'call', [maker, occasion, call], known);
        yield* live(session, first, known, call);
      }
    },
  });

  /** A resource that could be read is only met with errors of the server now, and another one can be read. */
  async function* judgeUnreadable(
    session: Session,
    seen: Exchange,
    { known, look }: { readonly known: Values; readonly look: () => Promise<Exchange> },
  ): AsyncGenerator<Check, void> {
    for (let count = 0; count < 2; count += 1) {
      if (seen.status < 500) return;
      await session.clock.sleep(LATE_MS);
      seen = await look();
    }
    const other = await session.send('call', inputFor(api, maker, session, known));
    const id = isSuccess(other) ? idOfCreated(api, other, parameter) : undefined;
    if (seen.status < 500 || id === undefined) return;
    const control = await session.send('read', inputFor(api, reader, session, { ...known, [parameter]: id }));
    if (isSuccess(control))
      yield* facts.judge(
        'states',
        [control, seen],
        false,
        'a resource that can be read in each of its states',
      );
  }

  /** @param given what the fixtures say of it: the state in which it ends, and how long it takes at least */
  async function* live(
    session: Session,
    first: Exchange,
    known: Values,
    { ends, minMs = 0 }: Pick<OccasionCall, 'ends' | 'minMs'> = {},
  ): AsyncGenerator<Check, void> {
    const id = isSuccess(first) ? idOfCreated(api, first, parameter) : undefined;
    if (id === undefined)
      throw new NotExercised(`bodies.${maker.id}`, `nothing was made: ${sketchAnswer(first)}`);
    const values = { ...known, [parameter]: id };
    const look = async (): Promise<Exchange> => session.send('read', inputFor(api, reader, session, values));
    let looksAtEnd = 0;
    let end = '';
    // Half of the reads are for the time that it takes at least.
    const pauseMs = Math.max(PAUSE_MS, (2 * Math.min(minMs, LONGEST_MS)) / MOST_READS);
    for (let count = 0; count < MOST_READS && looksAtEnd < 2; count += 1) {
      if (count > 1) {
        const isLater = ends !== undefined && count > SOON;
        await session.clock.sleep(isLater ? Math.max(pauseMs, LONG_PAUSE_MS) : pauseMs);
      }
      const seen = await look();
      const [shown] = resourcesIn(api, seen, policy.schema);
      if (shown === undefined) {
        if (count > 0) yield* judgeUnreadable(session, seen, { known, look });
        return;
      }
      // Once more after the end, which must be permanent. A state without outgoing transitions is terminal
      // too.
      end = String(at(shown.value, policy.property));
      if (policy.terminal.includes(end) || reachable(policy, end).size === 1) looksAtEnd += 1;
    }
    if (looksAtEnd === 0 && ends !== undefined)
      throw new NotExercised('an opportunity', `it is still ${end}, and its end should be ${ends}`);
    if (looksAtEnd === 0 || end === policy.initial) return;
    // No call changes a resource in a terminal state.
    for (const pause of [LATE_MS, PAUSE_MS, 2 * PAUSE_MS]) {
      await session.clock.sleep(pause);
      await look();
    }
    for (const action of actions.slice(0, MOST_ENDS)) {
      if (waysOf(policy, action).some(({ from }) => from === end)) continue;
      const seen = await session.send(`end ${action.id}`, inputFor(api, action, session, values));
      const now = await look();
      // What has ended may be gone by now.
      if (policy.refusal !== undefined && !(isGone(seen) && isGone(now)))
        yield* refusal(facts, 'refused', seen, policy.refusal, `in the state ${end}`);
    }
    if (ends !== undefined && end !== ends)
      throw new BrokenFixture(
        `occasions.${maker.id}.${occasion ?? ''}`,
        `expected the end ${ends}, and it was ${end}`,
        [first.id],
      );
  }
}

/** The read of the resource that an operation creates, if both show it. */
function readerOf({ api, policy }: Facts<PolicyOf<'lifecycle'>>, maker: Operation): Operation | undefined {
  return api.operations.find((one) => {
    const parameter = pathParameters(one).at(-1)?.name ?? '';
    const isBelow = one.path === `${maker.path}/{${parameter}}`;
    const { create, read } = thingPlace(api, one)?.resource.operations ?? {};
    const isNamed =
      (read === one.id && create === maker.id) || resourceAt(api, one.path)?.operations.create === maker.id;
    return (
      one.method === 'get' &&
      (isBelow || isNamed) &&
      [one, maker].every((each) => showsSchema(each, policy.schema))
    );
  });
}
