import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import type { Values } from '../own-api.ts';
import type { Facts, OperationFacts } from './facts.ts';
import { listThings } from './listed-things.ts';
import type { Listed } from './listed-things.ts';
import { type Things, thingsBy } from './things.ts';

export interface StateFilter {
  readonly facts: OperationFacts<PolicyOf<'resource'>>;
  readonly things: Things;
  readonly list: Operation;
  /** The parameter that selects by the state. */
  readonly query: string;
}

/** How the list of what an operation makes selects by the state. */
export function stateFilterOf(
  facts: Facts<PolicyOf<'lifecycle'>>,
  maker: Operation,
): StateFilter | undefined {
  const resource = resourcesOf(facts.api.contract).find(({ operations }) => operations.create === maker.id);
  const things = thingsBy(facts.api, 'create', maker);
  const list = things?.operation('list');
  const [query] =
    Object.entries(resource?.filters ?? {}).find(([, member]) => member === facts.policy.property) ?? [];
  return resource === undefined || things === undefined || list === undefined || query === undefined
    ? undefined
    : { facts: facts.about(resource).on(list), things, list, query };
}

/** How many lists `judgeStates` requests at most. */
export const LISTS_OF_STATES = 48;

/** A list with a state has the things that are in it now, by any calls, and none that has left it. */
export async function* judgeStates(
  { facts, list: listing, query, things }: StateFilter,
  {
    session,
    within,
    made,
    states,
    as,
    look,
    stateIn,
  }: {
    readonly session: Session;
    readonly within: Values;
    /** The values of the paths of the things. */
    readonly made: readonly Values[];
    readonly states: readonly string[];
    /** The planned request of the list. */
    readonly as: string;
    readonly look: (values: Values) => Promise<Exchange>;
    readonly stateIn: (seen: Exchange, values: Values) => string | undefined;
  },
): AsyncGenerator<Check> {
  const before: Exchange[] = [];
  for (const values of made) before.push(await look(values));
  const lists = new Map<string, Listed>();
  for (const state of states.slice(0, MOST_STATES))
    lists.set(
      state,
      await listThings(things, session, within, {
        ...{ as, query: { [query]: state }, mostPages: LISTS_OF_STATES / MOST_STATES },
      }),
    );
  for (const [index, values] of made.entries()) {
    const seen = before[index];
    const state = seen && stateIn(seen, values);
    const now = await look(values);
    // Something may have happened to it by itself.
    if (seen === undefined || state === undefined || stateIn(now, values) !== state) continue;
    const id = String(values[things.roles.parameter]);
    const wrong = [...lists].find(
      ([other, { ids, isAll, pages }]) =>
        pages.every(isSuccess) && (other === state ? isAll && !ids.has(id) : ids.has(id)),
    );
    yield* facts.judge(
      'filtered',
      [seen, ...(wrong?.[1].pages.slice(-1) ?? []), now],
      wrong === undefined,
      `${id}, which is ${state}, in ${listing.path} with ${query}=${state}, and with no other state`,
      `a list with ${query}=${wrong?.[0] ?? ''} ${wrong?.[0] === state ? 'without' : 'with'} it`,
    );
  }
}

// --- internal ---

const MOST_STATES = 12;
