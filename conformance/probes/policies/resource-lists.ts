import type { PolicyOf } from '../../../contract/index.ts';
import { isJson } from '../../../contract/judge/body-format.ts';
import type { Json, Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import { isItem } from './resource-parents.ts';
import { differingMembers } from './differing-members.ts';
import { judgeCreationIn } from './kept-members.ts';
import { listThings } from './listed-things.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A list contains the things that were created in its parent, as they were sent. */
export function listed(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  if (things.operation('create') === undefined) return [];
  return facts.scenario(['listed'], {
    id: `resource.${facts.policy.collection}.listed`,
    title: `GET ${facts.operation.path}: the list has what was created`,
    permissions: ['writes'],
    severalCases: facts.ids('listed'),
    requests: things.requests({ create: 4, list: 80, read: 1, patch: 1, replace: 1 }, {}, 2),
    async *run(session: Session) {
      const within = await things.within(session);
      // Read the list before as well: this detects servers that answer the second read from a stale cache.
      await listThings(things, session, within);
      const made = [await things.make(session, within), await things.make(session, within)];
      const { ids, items, pages, isAll } = await listThings(things, session, within);
      const lost = made.filter(({ id }) => !ids.has(String(id)));
      if (lost.length > 0 && !isAll)
        throw new NotExercised('an opportunity', `the list did not end within ${pages.length} pages`);
      const filter = filterOf(facts.operation);
      if (lost.length > 0 && filter !== undefined)
        throw new NotExercised(`parameters.${filter}`, `the list can be limited by its parameter ${filter}`);
      yield* facts.judge(
        'listed',
        [...made.map((thing) => thing.made), ...pages.slice(-1)],
        lost.length === 0,
        `a list with ${made.map(({ id }) => String(id)).join(' and ')}`,
        `${ids.size} things without ${lost.map(({ id }) => String(id)).join(' and ')}`,
      );
      for (const thing of made) yield* judgeItem(facts, things, thing, { items, pages });
      for (const thing of made.slice(0, 1)) yield* judgeChanged(facts, things, session, { thing, within });
      const other = await things.elsewhere(session, within);
      if (other === undefined) return;
      const beside = await listThings(things, session, other);
      const shared = made.filter((thing) => beside.items.some((item) => isItem(things, thing, item)));
      yield* facts.judge(
        'listed',
        [...made.map((thing) => thing.made), ...beside.pages.slice(-1)],
        shared.length === 0,
        `a list of another parent without ${made.map(({ id }) => String(id)).join(' and ')}`,
        `a list with ${shared.map(({ id }) => String(id)).join(' and ')}`,
      );
    },
  });
}

/** The schema of an item of a list. */
export function itemSchema({ api, operation }: OperationFacts<Resource>, things: Things): Schema | undefined {
  const content = operation.responses
    .filter(({ status }) => /^2/.test(status))
    .flatMap((response) => response.content)
    .find(({ mediaType }) => isJson(mediaType));
  const { items } = things.roles;
  const list = items === undefined ? content?.schema : propertyAt(content?.schema, items, api.root)[0];
  const described = followed(api.root, list);
  return isObject(described) ? (described['items'] as Schema | undefined) : undefined;
}

// --- internal ---

interface Listed {
  readonly items: readonly unknown[];
  readonly pages: readonly Exchange[];
}

/** A list shows a changed thing as it is now, although it has shown it before. */
async function* judgeChanged(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { thing, within }: { readonly thing: Thing; readonly within: Thing['within'] },
): AsyncGenerator<Check> {
  const role = (['patch', 'replace'] as const).find((one) => things.operation(one) !== undefined);
  const body = role && things.bodies.change(session, role, thing.sent);
  if (role === undefined || !isObject(body) || !isObject(thing.sent)) return;
  const seen = await things.call(session, role, thing.values, { body: body as Json });
  if (!isSuccess(seen) || seen.status === 202) return;
  const sent = (role === 'patch' ? { ...thing.sent, ...body } : body) as Json;
  yield* judgeItem(facts, things, { ...thing, sent }, await listThings(things, session, within));
}

/** The members that an item of a list shows have the values that were sent. */
function* judgeItem(
  facts: OperationFacts<Resource>,
  things: Things,
  thing: Thing,
  { items, pages }: Listed,
): Generator<Check> {
  const own = items.filter((item) => isObject(item) && String(things.idIn(item)) === String(thing.id));
  const [item] = own;
  if (item === undefined) return;
  const schema = itemSchema(facts, things);
  const shown = Object.keys(isObject(item) ? item : {});
  const wrong = differingMembers(facts.api, schema, thing.sent, item).filter(
    (name) => shown.includes(name) && name !== facts.policy.id.member,
  );
  yield* facts.judge(
    'listed',
    [thing.made, ...pages.slice(-1)],
    wrong.length === 0,
    `a list with ${String(thing.id)} as it was sent`,
    `other ${wrong.join(', ')}`,
  );
  yield* judgeCreationIn(facts, 'listed', [thing.made, ...pages.slice(-1)], things.shownIn(thing.made), item);
}

/** A required query parameter, which may filter the list. Parameters of pagination are never required. */
function filterOf({ parameters }: Operation): string | undefined {
  return parameters.find(({ in: place, required }) => place === 'query' && required)?.name;
}
