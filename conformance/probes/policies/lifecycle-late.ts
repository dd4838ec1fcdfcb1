import { idPlace } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import { makerByName } from '../document/thing-places.ts';
import { bodyFor } from '../document/values.ts';
import { otherBody } from '../document/variants.ts';
import { sentContent } from '../own-api.ts';
import type { Facts } from './facts.ts';
import { actionsBelow, callsTo } from './lifecycle-ways.ts';
import { callParent, parentOf, plansOfParent } from './parent-thing.ts';
import { type Things, thingsBy } from './things.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/** Changes of what stays after the end, and of what it is below, at the end. Accepted or refused: the oracle of the members compares the reads around them. */
export function lateChanges(facts: Facts<Lifecycle>, maker: Operation): readonly Scenario[] {
  const { api, policy } = facts;
  const things = thingsBy(api, 'create', maker);
  const reader = things?.operation('read');
  if (things === undefined || reader === undefined) return [];
  const { member = '', parameter } = things.roles;
  const ways = callsTo(policy, actionsBelow(facts, reader));
  const end = policy.terminal.map((state) => ways.get(state) ?? []).find(({ length }) => length > 0);
  const changers = changersOf(facts, things, maker);
  const isFrozen = (name: string): boolean => policy.frozen?.includes(name) === true;
  const parent = parentOf(api, reader);
  const patch = parent?.things.operation('patch');
  if (end === undefined || (changers.length === 0 && patch === undefined)) return [];
  return facts.scenario(['frozen'], {
    id: `lifecycle.${policy.schema}.${maker.id}.late`,
    title: `a change of what ${maker.method.toUpperCase()} ${maker.path} makes, after its end`,
    permissions: ['writes'],
    severalCases: facts.ids('frozen'),
    requests: {
      ...things.requests({ create: 1, read: 3 + 2 * changers.length * (1 + MOST_MEMBERS) }),
      ...(parent === undefined ? {} : plansOfParent(api, parent, 'patch')),
      ...Object.fromEntries(end.map((one) => [nameOf(one), api.plan(one)])),
      ...Object.fromEntries(changers.map((one) => [nameOf(one), api.plan(one, { times: 1 + MOST_MEMBERS })])),
    },
    async *run(session: Session) {
      const { values, sent: made } = await things.make(session, await things.within(session));
      for (const action of end) await session.send(nameOf(action), inputFor(api, action, session, values));
      const over = await things.call(session, 'read', values);
      const state = at(things.shownIn(over), policy.property);
      if (!isSuccess(over) || !policy.terminal.includes(String(state)))
        throw new NotExercised('an opportunity', `the thing did not reach its end: ${String(state)}`);
      const changed = async (changer: Operation, body: Json): Promise<void> => {
        const tag = (await things.tag(session, values)) ?? null;
        await things.send(session, nameOf(changer), changer, values, { body, ifMatch: tag });
        await things.call(session, 'read', values);
      };
      // One by one: a server may refuse a body for another one of its members.
      for (const role of ['patch', 'replace'] as const) {
        const changer = things.operation(role);
        const others = things.bodies.otherMembers(role, made).filter(({ name }) => isFrozen(name));
        for (const { bodies } of others.slice(0, MOST_MEMBERS))
          if (changer !== undefined && bodies[0] !== undefined) await changed(changer, bodies[0]);
      }
      for (const changer of changers) {
        const body = bodyFor(api, changer, session.fixtures)?.value;
        const other = body && otherBody(api, changer, body, isFrozen);
        if (other === undefined) continue;
        const place = idPlace(changer, { member, parameter }, api.root);
        const id = values[parameter] as Json;
        const sent = place?.in === 'body' ? { ...other, [place.name]: id } : other;
        await changed(changer, sent);
      }
      const body = patch && bodyFor(api, patch, session.fixtures)?.value;
      if (parent === undefined || body === undefined) return;
      await callParent(session, parent, 'patch', values, body);
      await things.call(session, 'read', values);
      yield* [];
    },
  });
}

// --- internal ---

const MOST_CHANGERS = 3;
const MOST_MEMBERS = 5;

/** Operations that take a member that stays: those with a role, and those whose body needs the id that only such things have. */
function changersOf(
  { api, policy }: Facts<Lifecycle>,
  things: Things,
  maker: Operation,
): readonly Operation[] {
  const { frozen = [] } = policy;
  const roles = [things.operation('patch'), things.operation('replace')];
  const { member = '', parameter } = things.roles;
  return api.operations
    .filter((one) => {
      const place = idPlace(one, { member, parameter }, api.root);
      const isNamed = place?.in === 'body' && makerByName(api, parameter) === maker;
      const members = propertiesOf(sentContent(one)?.schema, api.root).map(([name]) => name);
      return (
        one !== maker && (roles.includes(one) || isNamed) && members.some((name) => frozen.includes(name))
      );
    })
    .slice(0, MOST_CHANGERS);
}

function nameOf({ id }: Operation): string {
  return `late ${id}`;
}
