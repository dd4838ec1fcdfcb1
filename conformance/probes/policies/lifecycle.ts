import type { PolicyOf } from '../../../contract/index.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { idOf, idOfCreated } from '../document/ids.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { resourceAt } from '../document/sheet-resources.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import type { Facts, Probes } from './facts.ts';
import { actionsBelow, callScenarios, LATE_MS, waysOf } from './lifecycle-calls.ts';
import { changedStateScenarios } from './lifecycle-changes.ts';
import { patchScenarios } from './lifecycle-patches.ts';
import { reachable } from './reachable.ts';
import { refusal } from './refusal.ts';
import { replayReader } from './replay.ts';
import { resourcesIn } from './resources.ts';

/** The states of a resource, in every answer that shows one. */
export function lifecycleProbes(facts: Facts<PolicyOf<'lifecycle'>>): Probes {
  const { api, policy } = facts;
  const makers = new Map(
    api.operations.flatMap((maker) => {
      const reader = maker.method === 'post' ? readerOf(facts, maker) : undefined;
      return reader === undefined ? [] : [[maker.id, reader] as const];
    }),
  );
  // The id of a resource has the name of the parameter in its path, or a usual one.
  const names = [...makers.values()].flatMap((reader) => pathParameters(reader).at(-1)?.name ?? []);
  const isReplay = replayReader(api);
  return {
    scenarios: [...makers].flatMap(([id, reader]) => {
      const maker = api.operation(id) as Operation;
      return [
        ...lifeOf(facts, maker, reader),
        ...callScenarios(facts, maker, reader),
        ...patchScenarios(facts, maker),
        ...changedStateScenarios(facts, maker, reader),
      ];
    }),
    oracles: facts.oracle(['states', 'initial', 'transitions'], {
      follow: () => {
        /** By scenario and id. */
        const last = new Map<string, { readonly state: string; readonly exchange: Exchange }>();
        return function* (exchange) {
          yield* unlessUnreadable(exchange, facts.ids('states', 'initial', 'transitions'), judge(exchange));
          function* judge(seen: Exchange): ReturnType<Facts['judge']> {
            for (const { value, isWhole } of resourcesIn(api, seen, policy.schema)) {
              const state = at(value, policy.property);
              const isKnown = typeof state === 'string' && policy.states.includes(state);
              yield* facts.judge(
                'states',
                seen,
                isKnown,
                `one of ${policy.states.join(', ')}`,
                String(state),
              );
              // A replay repeats an earlier answer.
              if (!isKnown || isReplay(seen)) continue;
              if (isWhole && makers.has(seen.operation ?? '') && (seen.status === 201 || seen.status === 202))
                yield* facts.judge('initial', seen, state === policy.initial, policy.initial, state);
              const id = idOf(value, names[0] ?? 'id');
              if (id === undefined || (isWhole && isOfAnother(api, seen, id))) continue;
              const key = `${seen.course ?? seen.scenario} ${id}`;
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
    }),
  };
}

// --- internal ---

const MOST_READS = 20;
const PAUSE_MS = 250;
const MOST_ENDS = 3;

/**
 * Whether an answer shows another resource than the requested one: an example of the document shows nothing
 * about the course.
 */
function isOfAnother(api: OwnApi, { operation, request }: Exchange, id: Json): boolean {
  const asked = pathParameters(api.operation(operation ?? '') ?? { parameters: [] });
  const segments = (request.target.split('?')[0] ?? '').split(/[/:]/);
  return (
    asked.length > 0 && ![String(id), encodeURIComponent(String(id))].some((one) => segments.includes(one))
  );
}

/** Creates a resource, and reads it until it reaches a terminal state. */
function lifeOf(
  facts: Facts<PolicyOf<'lifecycle'>>,
  maker: Operation,
  reader: Operation,
): readonly Scenario[] {
  const { api, policy } = facts;
  const made = new MadeResources(api, maker);
  const parameter = pathParameters(reader).at(-1)?.name ?? '';
  const actions = actionsBelow(facts, reader).filter((one) => waysOf(policy, one).length > 0);
  const calls = actions.map((one) => [`end ${one.id}`, api.plan(one)] as const);
  return facts.scenario(['states', 'initial', 'transitions', 'refused'], {
    id: `lifecycle.${policy.schema}.${maker.id}`,
    title: `the states of what ${maker.method.toUpperCase()} ${maker.path} makes`,
    permissions: ['writes'],
    severalCases: facts.ids('refused'),
    requests: {
      ...made.requests(),
      ...Object.fromEntries(calls),
      call: api.plan(maker),
      read: api.plan(reader, { times: MOST_READS + 4 + MOST_ENDS }),
    },
    // The oracle judges what comes back.
    async *run(session: Session) {
      const known = await made.values(session);
      const first = await session.send('call', inputFor(api, maker, session, known));
      const id = isSuccess(first) ? idOfCreated(api, first, parameter) : undefined;
      if (id === undefined)
        throw new NotExercised(`bodies.${maker.id}`, `nothing was made: ${sketchAnswer(first)}`);
      let ends = 0;
      let end = '';
      for (let look = 0; look < MOST_READS && ends < 2; look += 1) {
        if (look > 1) await session.clock.sleep(PAUSE_MS);
        const seen = await session.send(
          'read',
          inputFor(api, reader, session, { ...known, [parameter]: id }),
        );
        const [shown] = resourcesIn(api, seen, policy.schema);
        if (shown === undefined) return;
        // Once more after the end, which must be permanent. A state without outgoing transitions is terminal
        // too.
        const state = String(at(shown.value, policy.property));
        end = state;
        if (policy.terminal.includes(state) || reachable(policy, state).size === 1) ends += 1;
      }
      if (ends === 0 || end === policy.initial) return;
      // No call changes a resource in a terminal state.
      const look = async (): Promise<Exchange> =>
        session.send('read', inputFor(api, reader, session, { ...known, [parameter]: id }));
      for (const pause of [LATE_MS, PAUSE_MS, 2 * PAUSE_MS]) {
        await session.clock.sleep(pause);
        await look();
      }
      for (const action of actions.slice(0, MOST_ENDS)) {
        if (waysOf(policy, action).some(({ from }) => from === end)) continue;
        const input = inputFor(api, action, session, { ...known, [parameter]: id });
        const seen = await session.send(`end ${action.id}`, input);
        if (policy.refusal !== undefined)
          yield* refusal(facts, 'refused', seen, policy.refusal, `in the state ${end}`);
        await look();
      }
    },
  });
}

/** The read of the resource that an operation creates, if both show it. */
function readerOf({ api, policy }: Facts<PolicyOf<'lifecycle'>>, maker: Operation): Operation | undefined {
  return api.operations.find((one) => {
    const parameter = pathParameters(one).at(-1)?.name ?? '';
    const isBelow = one.path === `${maker.path}/{${parameter}}`;
    const isNamed = resourceAt(api, one.path)?.operations.create === maker.id;
    return one.method === 'get' && (isBelow || isNamed) && shows(one) && shows(maker);
  });
  function shows({ responses }: Operation): boolean {
    return responses.some(
      ({ status, content }) =>
        /^2/.test(status) && JSON.stringify(content).includes(`#/components/schemas/${policy.schema}"`),
    );
  }
}
