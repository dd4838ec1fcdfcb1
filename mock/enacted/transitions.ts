import { isRecord } from '../../contract/index.ts';
import type { JsonObject } from '../../contract/model.ts';
import type { LifecyclePolicy } from '../../contract/policies/lifecycle.ts';
import type { LooseReply } from '../../engine/handler.ts';
import type { Action } from './actions.ts';
import type { Lifecycles } from './lifecycles.ts';
import type { At, ResourceAccess } from './resource-access.ts';
import { ACTION_STATUSES, shownThing } from './shown-thing.ts';
import { touched } from './thing.ts';

/**
 * An action brings about its transition; members of its body that a thing has as well become those of the thing.
 *
 * @throws {Refusal} as the sheet says, in a state without a transition
 */
export function transitioned(
  { policy, ways }: Action,
  at: At,
  access: ResourceAccess,
  lifecycles: Lifecycles,
): LooseReply | undefined {
  const { collection, operation, table, call } = at;
  const row = access.row(at);
  const from = String(row.item[policy.property]);
  const way = ways.find((one) => one.from === from);
  const isDeclared = operation.responses.some(({ status }) => status === '409');
  if (way === undefined && (policy.refusal !== undefined || isDeclared))
    throw access.refusal(policy.refusal, 409, `${operation.id} is not possible in the state ${from}.`);
  if (way === undefined) return shownThing(at, row, ACTION_STATUSES);
  const { body } = call.input;
  const own = [policy.property, collection.policy.id.member];
  const given = Object.entries(isRecord(body) ? (body as JsonObject) : {}).filter(
    ([name]) => collection.members.includes(name) && !own.includes(name),
  );
  const moved = { ...row.item, [policy.property]: way.to };
  const withGiven = { ...moved, ...Object.fromEntries(given) };
  const told = collection.misfit(withGiven) === undefined ? withGiven : moved;
  const item = touched(
    collection,
    lifecycles.history(collection)?.after(told, way, call.now) ?? told,
    call.now,
    'changed',
  );
  lifecycles.put(table, { ...row, item }, call.now);
  call.note(`${row.id}: ${from} to ${way.to}`);
  return shownThing(at, { ...row, item }, ACTION_STATUSES);
}

/** The members that stay as they are, of a thing whose life has ended. */
export function atEnd(policy: LifecyclePolicy | undefined, item: JsonObject): JsonObject {
  if (policy === undefined || !policy.terminal.includes(String(item[policy.property]))) return {};
  const names = (policy.frozen ?? []).map((path) => path.split('.')[0] ?? path);
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
}

/**
 * A change of the state by a body follows a transition, where the sheet says how another one is refused.
 *
 * @throws {Refusal} as the sheet says
 */
export function requireWay(
  policy: LifecyclePolicy | undefined,
  before: JsonObject,
  after: JsonObject,
  access: ResourceAccess,
): void {
  if (policy?.refusal === undefined) return;
  const [from, to] = [before[policy.property], after[policy.property]];
  if (from === undefined || from === to || !policy.states.includes(String(from))) return;
  if (policy.transitions.some((way) => way.from === from && way.to === to)) return;
  throw access.refusal(policy.refusal, 409, `No transition leads from ${String(from)} to ${String(to)}.`);
}
