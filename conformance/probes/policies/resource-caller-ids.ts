import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { responseFor } from '../own-api.ts';
import { addressOf, judgeAddress } from './created-address.ts';
import { shownSchema } from './differing-members.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { defaultsOf } from './declared-defaults.ts';
import { judgeDefaults } from './kept-members.ts';
import { leftMembers } from './left-members.ts';
import { refusal } from './refusal.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** The id of a thing that exists cannot be used for a second one. */
export function taken(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { policy, operation } = facts;
  if (policy.id.form !== 'caller' || policy.operations.create === undefined) return [];
  return facts.scenario(['taken'], {
    id: `resource.${policy.collection}.taken`,
    title: `${operation.method.toUpperCase()} ${operation.path}: one id twice`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: things.requests({ create: 4, read: 2 }),
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session));
      for (let time = 0; time < 2; time += 1)
        yield* refusal(
          facts,
          'taken',
          await things.makeAgain(session, thing),
          policy.taken ?? { status: 409 },
          'for an id that is already in use',
        );
    },
  });
}

/** A replacement creates the thing that does not exist. */
export function upsert(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { policy, operation } = facts;
  if (policy.upsert !== true || things.operation('read') === undefined) return [];
  const asCreator = things.replacing();
  return facts.scenario(['upsert'], {
    id: `resource.${policy.collection}.upsert`,
    title: `${operation.method.toUpperCase()} ${operation.path}: creates a resource that does not exist`,
    permissions: ['writes'],
    severalCases: facts.ids('upsert'),
    requests: { ...asCreator.requests({ create: 5, read: 3 }), ...addressOf(facts, asCreator) },
    async *run(session: Session) {
      const within = await asCreator.within(session);
      const thing = await asCreator.make(session, within);
      const seen = await asCreator.call(session, 'read', thing.values);
      yield* judgeShown(facts, 'upsert', asCreator, seen, thing);
      // RFC 9110, section 9.3.4; a server whose document does not declare 201 is left alone.
      const declares = (status: number): boolean => responseFor(operation, status) !== undefined;
      const isCreated = operation.responses.some(({ status }) => status === '201');
      if (isCreated && declares(200))
        yield* facts.judge(
          'upsert',
          thing.made,
          thing.made.status === 201,
          '201 for a resource that did not exist',
        );
      const again = isCreated ? await asCreator.makeAgain(session, thing) : undefined;
      if (again !== undefined && isSuccess(again) && (declares(200) || declares(204)))
        yield* facts.judge(
          'upsert',
          [thing.made, again],
          again.status !== 201,
          '200 or 204 for a resource that exists',
        );
      yield* judgeAddress(facts, 'upsert', session, { things: asCreator, thing });
      const small = await asCreator.make(session, within, { isSmall: true });
      if (defaultsOf(facts.api, operation, small.sent).length === 0) return;
      yield* judgeDefaults(
        facts,
        'upsert',
        asCreator,
        small,
        await asCreator.call(session, 'read', small.values),
      );
    },
  });
}

/** A thing with the id of a deleted one has nothing of it. */
export function revived(facts: OperationFacts<Resource>, given: Things): readonly Scenario[] {
  const { operations, upsert } = facts.policy;
  const isMadeByPut = operations.create === undefined || upsert === true;
  return [
    ...(operations.create === undefined ? [] : revivedBy(facts, given)),
    ...(isMadeByPut && operations.replace !== undefined ? revivedBy(facts, given.replacing()) : []),
  ];
}

// --- internal ---

function revivedBy(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { policy, api } = facts;
  const create = things.operation('create');
  if (policy.id.form !== 'caller' || create === undefined || things.operation('read') === undefined)
    return [];
  return facts.scenario(['deleted'], {
    id: `resource.${policy.collection}.revived.${create.id}`,
    title: `${create.method.toUpperCase()} ${create.path}: the id of a deleted resource`,
    permissions: ['writes'],
    severalCases: facts.ids('deleted'),
    requests: things.requests({ create: 5, delete: 1, read: 4 }),
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session), { isVaried: true });
      const small = things.bodies.small('create', thing.sent);
      const gone = await things.call(session, 'delete', thing.values);
      if (small === undefined || !isSuccess(gone))
        throw new NotExercised('an opportunity', 'no resource with optional members could be deleted');
      const again = await things.makeAgain(session, { ...thing, sent: small });
      // A server may reserve the ids of deleted things.
      if (!isSuccess(again)) return;
      const seen = await things.call(session, 'read', thing.values);
      const reader = api.operation(seen.operation ?? '');
      const schema = reader && shownSchema(api, reader, seen, things.roles.item);
      const left = leftMembers(api, undefined, {
        full: thing.sent ?? null,
        small,
        shown: things.shownIn(seen),
        schema,
      });
      yield* facts.judge(
        'deleted',
        [thing.made, gone, again, seen],
        left.length === 0,
        'nothing of the deleted resource with the same id',
        `${left.join(', ')} as before`,
      );
    },
  });
}
