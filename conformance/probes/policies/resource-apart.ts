import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { isSecured } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A change of one thing, and refused changes, must not affect another thing. */
export function apart(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const changes = (['patch', 'replace', 'delete'] as const).filter(
    (role) => things.operation(role) !== undefined,
  );
  const bare = Object.fromEntries(
    changes.flatMap((role) => {
      const operation = things.operation(role) as Operation;
      return isSecured(operation)
        ? [[`bare ${role}`, facts.api.plan(operation, { as: 'none', isInvalid: true })]]
        : [];
    }),
  );
  return facts.scenario(['apart'], {
    id: `resource.${facts.policy.collection}.apart`,
    title: `${facts.operation.path}: the parts that a change must not affect`,
    permissions: ['writes', 'negatives'],
    severalCases: facts.ids('apart'),
    requests: { ...things.requests({ create: 4, read: 16, patch: 1, replace: 1, delete: 1 }), ...bare },
    async *run(session: Session) {
      const within = await things.within(session);
      const [thing, other] = [await things.make(session, within), await things.make(session, within)];
      const isAsBefore = async function* (
        seen: Exchange,
        { values, id, sent }: Thing,
        what: string,
      ): AsyncGenerator<Check> {
        const now = await things.call(session, 'read', values);
        for (const check of judgeShown(facts, 'apart', things, now, { id, sent }))
          yield {
            ...check,
            exchanges: [...check.exchanges, seen.id],
            expected: `${check.expected}, after ${what}`,
          };
      };
      for (const role of changes) {
        if (!Object.hasOwn(bare, `bare ${role}`)) continue;
        const ifMatch = (await things.tag(session, thing.values)) ?? null;
        const seen = await things.call(session, role, thing.values, {
          body: things.bodies.change(session, role, thing.sent),
          as: `bare ${role}`,
          ifMatch,
        });
        if (!isSuccess(seen)) yield* isAsBefore(seen, thing, `${role} without a credential`);
      }
      for (const role of changes) {
        const seen = await things.call(session, role, thing.values, {
          body: things.bodies.change(session, role, thing.sent),
        });
        if (isSuccess(seen)) yield* isAsBefore(seen, other, `${role} of ${String(thing.id)}`);
      }
    },
  });
}
