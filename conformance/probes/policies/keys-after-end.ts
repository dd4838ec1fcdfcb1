import type { PolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { endingsOf } from '../document/endings.ts';
import { inputFor } from '../document/input.ts';
import type { OperationFacts } from './facts.ts';
import { keyedCalls } from './keyed.ts';
import { thingsBy } from './things.ts';

/**
 * A key again, after what its call made was deleted or brought to its end: the key stays what it was.
 *
 * @param judge judges the second use
 */
export function keysAfterEnd(
  facts: OperationFacts<PolicyOf<'idempotency'>>,
  name: 'used' | 'replayed',
  judge: (first: Exchange, again: Exchange) => Generator<Check>,
): readonly Scenario[] {
  const { api, operation } = facts;
  const things = thingsBy(api, 'create', operation);
  const deletion = things?.operation('delete');
  const path = things?.operation('read')?.path;
  const ending = endingsOf(api).find((one) => one.path === path)?.operation;
  if (things === undefined || (deletion === undefined && ending === undefined)) return [];
  const calls = keyedCalls(api, operation);
  return facts.scenario([name], {
    id: `idempotency.${operation.id}.ended`,
    title: `${operation.method.toUpperCase()} ${operation.path}: one key again, after what it made is gone`,
    permissions: ['writes'],
    severalCases: facts.ids(name),
    requests: {
      ...calls.requests(2),
      ...(deletion === undefined ? {} : things.requests({ delete: 1, read: 1 })),
      ...(deletion === undefined && ending !== undefined ? { end: api.plan(ending) } : {}),
    },
    async *run(session: Session) {
      const call = await calls.start(session);
      const key = session.freshKey();
      const first = await call.first(key);
      const id: Json | undefined = things.madeId(first);
      if (id === undefined) throw new NotExercised('an opportunity', 'the answer shows no id');
      const values = { ...call.values, [things.roles.parameter]: id };
      const done =
        deletion === undefined && ending !== undefined
          ? await session.send('end', inputFor(api, ending, session, values))
          : await things.call(session, 'delete', values);
      if (!isSuccess(done))
        throw new NotExercised('an opportunity', `what was made is still there: ${sketchAnswer(done)}`);
      yield* judge(first, await call.send(key));
    },
  });
}
