import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { refusalOf } from '../document/input.ts';
import type { Values } from '../own-api.ts';
import { differingMembers } from './differing-members.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { listThings } from './listed-things.ts';
import { manyThings, resultSchema, resultsIn, type ManyThings, type ShownResult } from './many-things.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** Several at first: a server may lose one on the way. Then another number, for what is left of the first. */
const COUNTS = [[5, 3], [2]];
const MOST = 7;

/** The things of a list exist, in its order, each under an id of its own. */
export function createdMany(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  if (things.operation('read') === undefined) return [];
  return facts.scenario(['many'], {
    id: `resource.${policy.collection}.many`,
    title: `${operation.method.toUpperCase()} ${operation.path}: every thing of a list is created`,
    permissions: ['writes'],
    severalCases: facts.ids('many'),
    requests: things.requests({ createMany: COUNTS.length, read: MOST, list: 20 }),
    async *run(session: Session) {
      const within = await things.within(session);
      const ids: string[] = [];
      let last: Exchange | undefined;
      for (const counts of COUNTS) {
        const forms = counts.map((count) => manyThings(things, session, policy.many ?? {}, count));
        // The document may bound the length of the list.
        const asked = forms.find(({ body }) => things.bodies.takes('createMany', body)) ?? forms.at(-1);
        if (asked === undefined) continue;
        last = await things.call(session, 'createMany', within, { body: asked.body });
        const results = yield* judgeResults(facts, things, last, asked);
        for (const [index, { id }] of results.entries()) {
          const seen = await things.call(session, 'read', pathOfResult(things, within, id));
          yield* judgeShown(facts, 'many', things, seen, { id: id ?? null, sent: asked.things[index] });
          ids.push(String(id));
        }
      }
      yield* facts.judge(
        'many',
        last ?? [],
        new Set(ids).size === ids.length,
        'a different id for each thing',
        ids.join(', '),
      );
      if (things.operation('list') === undefined || last === undefined) return;
      const { items, pages, isAll } = await listThings(things, session, within);
      const listed = items.map((item) => String(things.idIn(item)));
      const times = (id: string): number => listed.filter((one) => one === id).length;
      const wrong = ids.filter((id) => times(id) > 1 || (isAll && times(id) === 0));
      yield* facts.judge(
        'many',
        [last, ...pages.slice(-1)],
        wrong.length === 0,
        'a list that contains each created thing once',
        `${wrong.join(', ')} not once`,
      );
    },
  });
}

/** The path of a thing that was created beside others. */
export function pathOfResult({ roles }: Things, within: Values, id: ShownResult['id']): Values {
  return { ...within, [roles.parameter]: id ?? null };
}

// --- internal ---

function* judgeResults(
  facts: OperationFacts<Resource>,
  things: Things,
  seen: Exchange,
  asked: ManyThings,
): Generator<Check, readonly ShownResult[]> {
  const { operation, policy } = facts;
  const { many = {} } = policy;
  if (!isSuccess(seen))
    throw new NotExercised(`bodies.${operation.id}`, `nothing was created: ${refusalOf(seen)}`);
  if (seen.status === 202) throw new NotExercised('an opportunity', 'the things are created later: 202');
  const results = resultsIn(things, many, seen) ?? [];
  yield* facts.judge(
    'many',
    seen,
    results.length === asked.things.length,
    `a result for each of ${asked.things.length} things${many.results === undefined ? '' : ` in ${many.results}`}`,
    sketchAnswer(seen),
  );
  const refused = results.filter(({ status = 200 }) => !(status >= 200 && status < 300));
  if (
    refused.length > 0 &&
    (refused.length === results.length || refused.some(({ status }) => status === 409))
  )
    throw new NotExercised(`bodies.${operation.id}`, `nothing was created: ${sketchAnswer(seen)}`);
  yield* facts.judge(
    'many',
    seen,
    refused.length === 0,
    'a success of each thing, because all are alike',
    sketchAnswer(seen),
  );
  const made = results.slice(0, asked.things.length);
  if (made.some(({ id }) => id === undefined || id === null))
    throw new NotExercised('an opportunity', `a result has no id of its thing: ${sketchAnswer(seen)}`);
  const schema = resultSchema(things, operation, many, seen);
  for (const [index, { shown }] of made.entries()) {
    const wrong = differingMembers(facts.api, schema, asked.things[index], shown).filter(
      (name) => name !== policy.id.member && name !== many.status,
    );
    yield* facts.judge(
      'many',
      seen,
      wrong.length === 0,
      `result ${index} for thing ${index}`,
      `other ${wrong.join(', ')}`,
    );
  }
  return refused.length > 0 ? [] : made;
}
