import type { PolicyOf } from '../../../contract/index.ts';
import { unlessUnreadable } from '../../check.ts';
import { isSuccess } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import type { Scenario, Session } from '../../scenario.ts';
import { sketchAnswer } from '../../sketch.ts';
import { idOf, idOfCreated } from '../document/ids.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { at } from './error-codes.ts';
import type { Facts, Probes } from './facts.ts';
import { callScenarios } from './lifecycle-calls.ts';
import { patchScenarios } from './lifecycle-patches.ts';
import { reachable } from './reachable.ts';
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
  // What identifies a resource has the name of the parameter in its path, or a usual one.
  const names = [...makers.values()].flatMap((reader) => pathParameters(reader).at(-1)?.name ?? []);
  const isReplay = replayReader(api);
  return {
    scenarios: [...makers].flatMap(([id, reader]) => {
      const maker = api.operation(id) as Operation;
      return [
        ...lifeOf(facts, maker, reader),
        ...callScenarios(facts, maker, reader),
        ...patchScenarios(facts, maker),
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
              // A replay repeats what an earlier answer said.
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

/** Whether an answer shows another resource than the one that was asked for: an example of the document says nothing of a course. */
function isOfAnother(api: OwnApi, { operation, request }: Exchange, id: Json): boolean {
  const asked = pathParameters(api.operation(operation ?? '') ?? { parameters: [] });
  const segments = (request.target.split('?')[0] ?? '').split(/[/:]/);
  return (
    asked.length > 0 && ![String(id), encodeURIComponent(String(id))].some((one) => segments.includes(one))
  );
}

/** Makes a resource, and looks at it until it has come to its end. */
function lifeOf(
  facts: Facts<PolicyOf<'lifecycle'>>,
  maker: Operation,
  reader: Operation,
): readonly Scenario[] {
  const { api, policy } = facts;
  const made = new MadeResources(api, maker);
  const parameter = pathParameters(reader).at(-1)?.name ?? '';
  return facts.scenario(['states', 'initial', 'transitions'], {
    id: `lifecycle.${policy.schema}.${maker.id}`,
    title: `the states of what ${maker.method.toUpperCase()} ${maker.path} makes`,
    permissions: ['writes'],
    requests: { ...made.requests(), call: api.plan(maker), read: api.plan(reader, { times: MOST_READS }) },
    // The oracle judges what comes back.
    async *run(session: Session) {
      const known = await made.values(session);
      const first = await session.send('call', inputFor(api, maker, session, known));
      const id = isSuccess(first) ? idOfCreated(first, parameter) : undefined;
      if (id === undefined)
        throw new NotExercised(`bodies.${maker.id}`, `nothing was made: ${sketchAnswer(first)}`);
      let ends = 0;
      for (let look = 0; look < MOST_READS && ends < 2; look += 1) {
        if (look > 1) await session.clock.sleep(PAUSE_MS);
        const seen = await session.send(
          'read',
          inputFor(api, reader, session, { ...known, [parameter]: id }),
        );
        const [shown] = resourcesIn(api, seen, policy.schema);
        if (shown === undefined) return;
        // Once more after the end: it has to stay. What no transition leads out of has come to its end as well.
        const state = String(at(shown.value, policy.property));
        if (policy.terminal.includes(state) || reachable(policy, state).size === 1) ends += 1;
      }
    },
  });
}

/** The read of what an operation makes, where both show the resource. */
function readerOf({ api, policy }: Facts<PolicyOf<'lifecycle'>>, maker: Operation): Operation | undefined {
  return api.operations.find((one) => {
    const parameter = pathParameters(one).at(-1)?.name ?? '';
    return one.method === 'get' && one.path === `${maker.path}/{${parameter}}` && shows(one) && shows(maker);
  });
  function shows({ responses }: Operation): boolean {
    return responses.some(
      ({ status, content }) =>
        /^2/.test(status) && JSON.stringify(content).includes(`#/components/schemas/${policy.schema}"`),
    );
  }
}
