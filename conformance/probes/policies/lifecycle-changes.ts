import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { inputFor } from '../document/input.ts';
import type { Facts } from './facts.ts';
import { actionsBelow, waysOf } from './lifecycle-ways.ts';
import { reachable } from './reachable.ts';
import { thingsOf } from './things.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/** A change of other members, made after a call has brought about another state: the state stays. */
export function changedStateScenarios(
  facts: Facts<Lifecycle>,
  maker: Operation,
  reader: Operation,
): readonly Scenario[] {
  const { api, policy } = facts;
  const resource = resourcesOf(api.contract).find(
    ({ operations }) => operations.create === maker.id && operations.read === reader.id,
  );
  const things = resource && thingsOf(api, resource);
  const role = (['patch', 'replace'] as const).find((one) => things?.operation(one) !== undefined);
  const ways = actionsBelow(facts, reader).flatMap((action) =>
    waysOf(policy, action)
      .filter(({ from }) => from === policy.initial)
      .map(({ to }) => ({ action, to })),
  );
  // A resource in a terminal state may refuse changes.
  const way = ways.find(({ to }) => !policy.terminal.includes(to)) ?? ways[0];
  if (things === undefined || role === undefined || way === undefined) return [];
  const call = `call ${way.action.id}`;
  const stateIn = (seen: Exchange): unknown => at(things.shownIn(seen), policy.property);
  return facts.scenario(['transitions'], {
    id: `lifecycle.${policy.schema}.${maker.id}.changed`,
    title: `${role} of ${reader.path}, after ${way.action.id}`,
    permissions: ['writes'],
    requests: {
      ...things.requests({ create: 2, read: 3, [role]: 1 }),
      [call]: api.plan(way.action),
    },
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session));
      const done = await session.send(call, inputFor(api, way.action, session, thing.values));
      const before = await things.call(session, 'read', thing.values);
      if (!isSuccess(done) || stateIn(before) === policy.initial)
        throw new NotExercised('an opportunity', `${way.action.id} changed nothing: ${sketchAnswer(done)}`);
      const body = things.bodies.change(session, role, thing.sent);
      const seen = await things.call(session, role, thing.values, { body });
      if (!isSuccess(seen))
        throw new NotExercised('an opportunity', `the change was refused: ${sketchAnswer(seen)}`);
      const now = await things.call(session, 'read', thing.values);
      const [from, to] = [String(stateIn(before)), String(stateIn(now))];
      yield* facts.judge(
        'transitions',
        [before, seen, now],
        reachable(policy, from).has(to),
        `${from} or what it leads to, after a change of other members`,
        to,
      );
    },
  });
}
