import type { Json, Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Permission, RequestPlan, Scenario, Session } from '../../scenarios/scenario.ts';
import type { Fixtures, MadeId } from '../../target/fixtures.ts';
import type { NamedInBody } from '../../writes/effect.ts';
import { isNamedWrite } from '../../writes/withheld.ts';
import { itemOf } from '../own-api.ts';
import type { OwnApi } from '../own-api.ts';
import { effectOf } from './effects.ts';
import { idForPath } from './ids.ts';
import { inputFor, refusalOf, sendAsNew } from './input.ts';
import { thingPlace } from './thing-places.ts';

/** The scenario, after what the bodies of its calls name has been made: a run orders a product that it made. */
export function withNamedThings(api: OwnApi, scenario: Scenario): Scenario {
  const calls = Object.values<RequestPlan>(scenario.requests).map(({ operation = '' }) => operation);
  const naming = [...new Set(calls)].filter(
    (id) => namesOf(api, id).length > 0 && !isOfOwnThing(api, id, calls),
  );
  if (naming.length === 0) return scenario;
  const makers = naming.flatMap((id) => makersFor(api, id));
  const makes = [...new Set(makers)].map((id): readonly [string, RequestPlan] => {
    const times = 2 * makers.filter((one) => one === id).length;
    return [nameFor(id), api.plan(operationOf(api, id), { times })];
  });
  return {
    ...scenario,
    permissions: [...new Set<Permission>([...scenario.permissions, 'writes'])],
    requests: { ...Object.fromEntries(makes), ...scenario.requests },
    async *run(session: Session) {
      let { fixtures } = session;
      for (const id of naming)
        if (!isNamedWrite(fixtures, id) && !session.leavesOut(id))
          fixtures = await withMade(api, id, { ...session, fixtures });
      yield* scenario.run({ ...session, fixtures });
    },
  };
}

// --- internal ---

function namesOf(api: OwnApi, id: string): readonly NamedInBody[] {
  const operation = api.operation(id);
  const effect = operation && effectOf(api, operation);
  return effect?.kind === 'creates' || effect?.kind === 'changes' ? (effect.names ?? []) : [];
}

/** Whether a scenario makes the things whose ids the bodies of an operation need: it gives them itself. */
function isOfOwnThing(api: OwnApi, id: string, calls: readonly string[]): boolean {
  const operation = api.operation(id);
  const place = operation && thingPlace(api, operation);
  return place?.in === 'body' && calls.includes(place.resource.operations.create ?? '');
}

/** The operations that make what the body of a call names, with what theirs name. */
function makersFor(api: OwnApi, id: string): readonly string[] {
  return namesOf(api, id).flatMap(({ maker }) => [...makersFor(api, maker), maker]);
}

/** Makes what the body of a call names. */
async function withMade(api: OwnApi, id: string, session: Session): Promise<Fixtures> {
  const ids: MadeId[] = [];
  for (const { path, maker } of namesOf(api, id)) {
    const fixtures = await withMade(api, maker, session);
    ids.push({ path, id: await idOfMade(api, operationOf(api, maker), id, { ...session, fixtures }) });
  }
  const { fixtures } = session;
  return ids.length === 0 ? fixtures : { ...fixtures, made: { ...fixtures.made, [id]: ids } };
}

/** @throws {NotExercised} when nothing was made */
async function idOfMade(api: OwnApi, maker: Operation, wanted: string, session: Session): Promise<Json> {
  const seen = await sendAsNew(
    (isTaken) => session.send(nameFor(maker.id), inputFor(api, maker, session, {}, isTaken)),
    maker.requestBody !== undefined,
  );
  const item = itemOf(api, maker);
  const id = item && isSuccess(seen) ? idForPath(api, item.operation, item.parameter, seen) : undefined;
  if (id !== undefined) return id;
  throw new NotExercised(
    `bodies.${wanted}`,
    isSuccess(seen)
      ? `the body of ${wanted} names what ${maker.id} makes, and the answer to that has no id`
      : `the body of ${wanted} names what ${maker.id} makes, and nothing was made: ${refusalOf(seen)}`,
  );
}

function nameFor(maker: string): string {
  return `${maker}, named in a body`;
}

function operationOf(api: OwnApi, id: string): Operation {
  const operation = api.operation(id);
  if (operation === undefined) throw new Error(`${api.name} has no operation ${id}`);
  return operation;
}
