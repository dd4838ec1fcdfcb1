import type { Operation, Rule } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { exploration } from '../../explore/exploration.ts';
import type { ContractModel } from '../../explore/model.ts';
import type { RequestPlan, RequestPlans, Scenario, Session } from '../../scenarios/scenario.ts';
import type { Reads } from '../document/reads.ts';
import type { OwnApi } from '../own-api.ts';
import { effectOf } from '../document/effects.ts';
import { actName } from './calls.ts';
import { CREATED_TOGETHER, claimIds, coursesOfClaims, createdTogetherStep } from './claims.ts';
import { coursesOfChanges, coursesOfLife } from './first-courses.ts';
import type { CourseState } from './state.ts';
import { stepsOf } from './steps.ts';
import { TOGETHER, coursesTogether, togetherStep } from './together.ts';
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
  return resourcesOf(parts.api.contract)
    .flatMap((policy) => CollectionModel.of(parts, policy) ?? [])
    .flatMap((model) => searchesOf(model));
}

// --- internal ---

type Search = ContractModel<CourseState, string>;

function searchesOf(model: CollectionModel): readonly Scenario[] {
  const { api, facts, cases } = model;
  const { collection } = facts.policy;
  if (cases.ids.length === 0) return [];
  const about = { api: api.name, permissions: ['writes'] as const, needs: [], oracles: [] };
  return [
    exploration<CourseState, RequestPlans>({
      ...about,
      id: `resource.${collection}.courses`,
      title: `courses of calls of ${collection}: every state, and random ones`,
      judges: model.ids,
      requests: requestsOf(model, { create: 0.2, read: 0.4, list: 0.1 }),
      model: (session) =>
        searchOf(model, session, (steps) => ({
          operations: steps,
          first: [...coursesOfLife(model), ...coursesOfChanges()],
        })),
    }),
    exploration<CourseState, RequestPlans>({
      ...about,
      id: `resource.${collection}.together`,
      title: `calls of ${collection} at once: right if some order of them explains every answer`,
      judges: [...new Set([...model.ids, ...claimIds(model)])],
      requests: requestsOf(model, { create: 0.3, read: 0.25, list: 0.1 }),
      model: (session) =>
        searchOf(model, session, (steps) => {
          const names = Object.keys(steps);
          return {
            operations: {
              ...steps,
              [TOGETHER]: togetherStep(model, names),
              [CREATED_TOGETHER]: createdTogetherStep(model, names),
            },
            first: [...coursesOfClaims(model), ...coursesTogether(model)],
          };
        }),
    }),
  ];
}

/** `undefined` if the search has nothing to do: the user leaves out what it needs. */
async function searchOf(
  model: CollectionModel,
  session: Session,
  parts: (steps: Search['operations']) => Pick<Search, 'operations' | 'first'>,
): Promise<Search | undefined> {
  const within = await model.things.within(session);
  const callable = callsOf(model).filter(([, { id }]) => !session.leavesOut(id));
  const names = callable.map(([name]) => name);
  if (!names.includes('create') || !names.includes('read')) return undefined;
  const steps = Object.fromEntries(Object.entries(stepsOf(model)).filter(([name]) => names.includes(name)));
  return {
    start: () => ({ model, within, things: [] }),
    opening: [{ operation: 'create', choices: {} }],
    ...parts(steps),
  };
}

/** The calls of a collection by the names of their requests. */
function callsOf(model: CollectionModel): readonly (readonly [string, Operation])[] {
  const { api, things, list, actions } = model;
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

/**
 * The requests of a search.
 *
 * @param shares of the calls of every collection; what is left is divided among all others
 */
function requestsOf(model: CollectionModel, shares: Readonly<Record<string, number>>): RequestPlans {
  const calls = callsOf(model);
  const others = calls.filter(([name]) => shares[name] === undefined).length;
  const left = 1 - calls.reduce((sum, [name]) => sum + (shares[name] ?? 0), 0);
  return {
    ...model.things.requests({}),
    ...Object.fromEntries(
      calls.map(([name, operation]): [string, RequestPlan] => [
        name,
        model.api.plan(operation, {
          perExplore: shares[name] ?? left / others,
          ...(name === 'create' || name === 'read' ? {} : { isSpare: true }),
        }),
      ]),
    ),
  };
}
