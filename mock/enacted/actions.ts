import { idPlace } from '../../contract/index.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { waysCausedBy, type LifecyclePolicy, type Transition } from '../../contract/policies/lifecycle.ts';
import { isActionPath } from '../../contract/sheet/action-path.ts';
import type { Collection } from './collection.ts';
import type { Lifecycles } from './lifecycles.ts';

/** A call below a thing that brings about a transition of its state, such as `POST /payments/{id}/capture`. */
export interface Action {
  readonly operation: Operation;
  readonly collection: Collection;
  readonly policy: LifecyclePolicy;
  readonly ways: readonly Transition[];
}

/** The actions of a contract, by the id of their operation. */
export function actionsOf(
  contract: Contract,
  collections: readonly Collection[],
  lifecycles: Pick<Lifecycles, 'of'>,
): ReadonlyMap<string, Action> {
  const actions = contract.operations.flatMap((operation) => {
    if (operation.method === 'get') return [];
    const above = collections.filter((collection) => isBelow(operation, collection));
    const found = above.flatMap((collection): readonly Action[] => {
      const policy = lifecycles.of(collection);
      return policy === undefined
        ? []
        : [{ operation, collection, policy, ways: waysCausedBy(policy, operation) }];
    });
    return found.filter(({ ways }) => ways.length > 0).slice(0, 1);
  });
  return new Map(actions.map((action) => [action.operation.id, action]));
}

// --- internal ---

/** Whether an operation is an action on the things of a collection, by its path, or because each call names one elsewhere. */
function isBelow(operation: Operation, { operations: { read }, policy, root }: Collection): boolean {
  const { member, parameter = member } = policy.id;
  const place = idPlace(operation, { member, parameter }, root);
  return read !== undefined && (isActionPath(operation.path, read.path) || (place?.in ?? 'path') !== 'path');
}
