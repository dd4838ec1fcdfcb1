import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation, Rule } from '../../../contract/model.ts';
import { exploration } from '../../explore/exploration.ts';
import type { ContractModel } from '../../explore/model.ts';
import type { RequestPlan, RequestPlans, Scenario, Session } from '../../scenarios/scenario.ts';
import type { Reads } from '../document/reads.ts';
import type { OwnApi } from '../own-api.ts';
import { effectOf } from '../document/effects.ts';
import { actName } from './calls.ts';
import { coursesOfChanges, coursesOfLife } from './first-courses.ts';
import type { CourseState } from './state.ts';
import { stepsOf } from './steps.ts';
import { CollectionModel } from './collection-model.ts';

/**
 * Searches through the collections of a sheet: its policies say what each call may do and answer. They look for more violations
 * of the rules that the templates judge.
 *
 * @param parts.rules those of the sheet and the usual ones that apply to servers
 */
export function courseExplorations(parts: {
  readonly api: OwnApi;
  readonly reads: Reads;
  readonly rules: readonly Rule[];
}): readonly Scenario[] {
  return (parts.api.contract.sheet?.policies ?? [])
    .filter((policy) => policy.kind === 'resource')
    .flatMap((policy) => CollectionModel.of(parts, policy) ?? [])
    .flatMap((world) => searchesOf(world));
}

// --- internal ---

type Model = ContractModel<CourseState, string>;

function searchesOf(world: CollectionModel): readonly Scenario[] {
  const { api, facts, cases } = world;
  const { collection } = facts.policy as PolicyOf<'resource'>;
  const judges = world.ids;
  if (judges.length === 0 || cases.ids.length === 0) return [];
  return [
    exploration<CourseState, RequestPlans>({
      id: `resource.${collection}.courses`,
      api: api.name,
      title: `courses of calls of ${collection}: every state, and random ones`,
      permissions: ['writes'],
      needs: [],
      judges,
      requests: requestsOf(world),
      oracles: [],
      model: (session) =>
        modelOf(world, session, (steps) => ({
          operations: steps,
          first: [...coursesOfLife(world), ...coursesOfChanges()],
        })),
    }),
  ];
}

/** `undefined` if the search has nothing to do: the user leaves out what it needs. */
async function modelOf(
  world: CollectionModel,
  session: Session,
  parts: (steps: Model['operations']) => Pick<Model, 'operations' | 'first'>,
): Promise<Model | undefined> {
  const within = await world.within(session);
  const callable = callsOf(world).filter(([, { id }]) => !session.leavesOut(id));
  const names = callable.map(([name]) => name);
  if (!names.includes('create') || !names.includes('read')) return undefined;
  const steps = Object.fromEntries(Object.entries(stepsOf(world)).filter(([name]) => names.includes(name)));
  return {
    start: () => ({ world, within, things: [] }),
    opening: [{ operation: 'create', choices: {} }],
    ...parts(steps),
  };
}

/** The calls of a collection by the names of their requests. */
function callsOf(world: CollectionModel): readonly (readonly [string, Operation])[] {
  const { api, things, list, actions } = world;
  const roles = (['create', 'read', 'patch', 'replace', 'delete', 'restore'] as const).flatMap((role) => {
    const operation = things.operation(role);
    const isKnown = role === 'create' || role === 'read';
    return operation === undefined || (!isKnown && effectOf(api, operation).kind !== 'changes')
      ? []
      : [[role, operation] as const];
  });
  return [
    ...roles,
    ...(list === undefined ? [] : [['list', list] as const]),
    ...actions.map((action) => [actName(action), action] as const),
  ];
}

/** Shares of the requests of a search. What is left is divided among all other calls. */
const SHARES: Readonly<Record<string, number>> = { create: 0.2, read: 0.4, list: 0.1 };
const OTHERS = 0.3;

function requestsOf(world: CollectionModel): RequestPlans {
  const calls = callsOf(world);
  const others = calls.filter(([name]) => SHARES[name] === undefined).length;
  return {
    ...world.things.requests({}),
    ...Object.fromEntries(
      calls.map(([name, operation]): [string, RequestPlan] => [
        name,
        world.api.plan(operation, {
          perExplore: SHARES[name] ?? OTHERS / others,
          ...(name === 'create' || name === 'read' ? {} : { isSpare: true }),
        }),
      ]),
    ),
  };
}
