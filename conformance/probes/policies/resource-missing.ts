import type { PolicyOf } from '../../../contract/index.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { callBelow, callsBelow, requestsBelow } from './below.ts';
import type { OperationFacts } from './facts.ts';
import { isDeclared, isDoneAgain, isRefusedBefore } from './missing-thing.ts';
import { refusal } from './refusal.ts';
import type { Role } from './thing.ts';
import type { Things } from './things.ts';
import { MOST_IDS, valuesOfNothing } from './unknown-ids.ts';

type Resource = PolicyOf<'resource'>;

/** An id that does not exist, for each operation with an id. */
export function missing(facts: OperationFacts<Resource>, things: Things, first: Role): readonly Scenario[] {
  if (things.operation('create') === undefined) return [];
  const { missing: stated = { status: 404 } } = facts.policy;
  const below = callsBelow(facts.api, facts.operation, stated.status);
  return facts.scenario(['missing'], {
    id: `resource.${facts.policy.collection}.missing`,
    title: `${facts.operation.method.toUpperCase()} ${facts.operation.path}: an id that does not exist`,
    permissions: ['writes'],
    severalCases: facts.ids('missing'),
    requests: {
      ...things.requests({ create: 2, [first]: 2 + MOST_IDS, patch: 1, replace: 1, delete: 1 }),
      ...requestsBelow(facts.api, below),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const thing = await things.make(session, within, { isLater: true });
      const values = await valuesOfNothing(facts, things, thing, session);
      const roles: readonly Role[] = ['read', 'patch', 'replace', 'delete'];
      for (const role of roles) {
        const operation = things.operation(role);
        if (operation === undefined || (role === 'replace' && facts.policy.upsert === true)) continue;
        if (role === 'delete' && facts.policy.idempotentDelete === true) continue;
        // If the document declares no such refusal, the sheet alone does not require one.
        if (!isDeclared(facts, operation, stated.status)) continue;
        const seen = await things.call(session, role, values, {
          body: things.bodies.withId(things.bodies.change(session, role, thing.sent), values),
          ifMatch: null,
        });
        if (isRefusedBefore(operation, seen) || isDoneAgain(operation, role, seen, stated.status)) continue;
        yield* refusal(facts, 'missing', seen, stated, 'for an id that does not exist');
      }
      for (const operation of below) {
        const seen = await callBelow(facts.api, session, operation, values);
        if (!isRefusedBefore(operation, seen))
          yield* refusal(facts, 'missing', seen, stated, `to ${operation.id} of an id that does not exist`);
      }
    },
  });
}
