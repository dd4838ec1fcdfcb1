import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { ENDING, hasVerb } from '../../writes/names.ts';
import type { OwnApi } from '../own-api.ts';
import { effectOf } from './effects.ts';
import { actionsBelow, waysOf } from '../policies/lifecycle-ways.ts';
import { resourcesIn } from '../policies/resources.ts';
import { shownLifecycle } from '../policies/shown-lifecycle.ts';

/** A call that ends things which no call deletes: after it, nothing is left to take back. */
export interface Ending {
  readonly operation: Operation;
  /** The path of the things. */
  readonly path: string;
  readonly member: string;
  readonly lifecycle: PolicyOf<'lifecycle'>;
}

/**
 * For each collection whose things no call deletes, the call that leads a new thing to a terminal state, by a name that says
 * that it does nothing else: an order is not paid to be rid of it.
 */
export function endingsOf(api: OwnApi): readonly Ending[] {
  return resourcesOf(api.contract).flatMap(({ operations, id }): readonly Ending[] => {
    const read = api.operation(operations.read ?? '');
    const lifecycle = shownLifecycle(api, read);
    if (operations.delete !== undefined || read === undefined || lifecycle === undefined) return [];
    if (api.at('delete', read.path) !== undefined) return [];
    const operation = actionsBelow({ api, policy: lifecycle }, read).find(
      (one) =>
        hasVerb(one, ENDING) &&
        effectOf(api, one).kind === 'changes' &&
        waysOf(lifecycle, one).some(
          ({ from, to }) => from === lifecycle.initial && lifecycle.terminal.includes(to),
        ),
    );
    return operation === undefined ? [] : [{ operation, path: read.path, member: id.member, lifecycle }];
  });
}

/** The call that takes back what a read shows: a deletion, or one that ends it. */
export function removalOf(api: OwnApi, reader: Operation): Operation | undefined {
  return api.at('delete', reader.path) ?? endingsOf(api).find(({ path }) => path === reader.path)?.operation;
}

/** Whether an answer shows that the thing with this id has ended. */
export function showsEnd(api: OwnApi, endings: readonly Ending[], exchange: Exchange, id: string): boolean {
  if (endings.length === 0 || !isSuccess(exchange)) return false;
  return endings.some(({ member, lifecycle: { schema, property, terminal } }) =>
    resourcesIn(api, exchange, schema).some(
      ({ value }) => String(at(value, member)) === id && terminal.includes(String(at(value, property))),
    ),
  );
}
