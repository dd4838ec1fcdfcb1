import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { actionsBelow, callsTo, waysOf } from '../policies/lifecycle-ways.ts';
import { lifecyclesShown } from '../policies/shown-lifecycle.ts';
import type { OwnApi } from '../own-api.ts';

/** A call of a lifecycle, and the fewest calls that bring a new thing into a state in which the sheet allows it. */
export interface CallInState {
  readonly resource: PolicyOf<'resource'>;
  readonly before: readonly Operation[];
}

/** `undefined` if the operation is no transition of a resource, or if no calls lead to a state of one. */
export function callInState(api: OwnApi, operation: Operation): CallInState | undefined {
  for (const resource of resourcesOf(api.contract)) {
    const reader = api.operation(resource.operations.read ?? '');
    if (reader === undefined) continue;
    for (const policy of lifecyclesShown(api, reader)) {
      const actions = actionsBelow({ api, policy }, reader);
      if (!actions.some(({ id }) => id === operation.id)) continue;
      const ways = callsTo(policy, actions);
      const [before] = waysOf(policy, operation)
        .flatMap(({ from }) => {
          const way = ways.get(from);
          return way === undefined ? [] : [way];
        })
        .toSorted((one, other) => one.length - other.length);
      if (before !== undefined) return { resource, before };
    }
  }
  return undefined;
}
