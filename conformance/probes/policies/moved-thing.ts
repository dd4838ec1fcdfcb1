import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import type { OperationFacts } from './facts.ts';
import { actionsBelow, waysOf } from './lifecycle-ways.ts';
import type { Things } from './things.ts';

/** A call that leads a new thing to another state, in which it stays. */
export interface Move {
  readonly action: Operation;
  /** The member with the state. */
  readonly member: string;
}

/** A move to another state that a filter of a list selects; `undefined` if the sheet states none. */
export function filteredMove(
  { api, policy: { filters = {} } }: OperationFacts<PolicyOf<'resource'>>,
  things: Things,
): Move | undefined {
  const reader = things.operation('read');
  if (reader === undefined) return undefined;
  for (const policy of api.contract.sheet?.policies ?? []) {
    if (policy.kind !== 'lifecycle' || !Object.values(filters).includes(policy.property)) continue;
    const actions = actionsBelow({ api, policy }, reader);
    const called = new Set(actions.flatMap((one) => waysOf(policy, one)));
    const stays = (state: string): boolean =>
      policy.transitions.every((way) => way.from !== state || called.has(way));
    const action = actions.find((one) =>
      waysOf(policy, one).some(({ from, to }) => from === policy.initial && stays(to)),
    );
    if (action !== undefined && stays(policy.initial)) return { action, member: policy.property };
  }
  return undefined;
}
