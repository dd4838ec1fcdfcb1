import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { misfitsOf } from '../document/misfits.ts';
import type { Values } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { differingMembers } from './differing-members.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { listThings } from './listed-things.ts';
import { manyThings, resultsIn, wrapped } from './many-things.ts';
import { pathOfResult } from './resource-many.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** The places of the invalid thing among three: a server may stop at it, or look only at the first. */
const PLACES = [1, 2, 0];
const COUNT = 3;

/** An invalid thing in a list: none is created, or only the others are. */
export function refusedAmongMany(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  const single = things.operation('create');
  if (things.operation('read') === undefined || single === undefined) return [];
  return facts.scenario(['many-refused'], {
    id: `resource.${policy.collection}.many-refused`,
    title: `${operation.method.toUpperCase()} ${operation.path}: an invalid thing among others`,
    permissions: ['writes', 'negatives'],
    // What is new in the list has to be of this scenario.
    isUndisturbed: true,
    severalCases: facts.ids('many-refused'),
    requests: {
      ...things.requests({ read: 2 * PLACES.length, list: 20 * (PLACES.length + 1) }),
      wrong: facts.api.plan(operation, { times: PLACES.length, isInvalid: true }),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      let before = await listed(things, session, within);
      const known = new Set<string>();
      for (const [index, place] of PLACES.entries()) {
        const { body, things: valid } = manyThings(things, session, policy.many ?? {}, COUNT);
        const wrong = wrongThing(things, single, valid[place] as Json, index, (list) =>
          things.bodies.takes('createMany', wrapped(policy.many ?? {}, body, list)),
        );
        const sent = valid.map((one, at) => (at === place ? wrong : one));
        const seen = await things.send(session, 'wrong', operation, within, {
          body: wrapped(policy.many ?? {}, body, sent),
        });
        const isApart = policy.many?.status !== undefined;
        const made = isApart ? yield* judgeApart(facts, things, session, { within, seen, sent, place }) : [];
        if (!isApart)
          yield* facts.judge(
            'many-refused',
            seen,
            seen.status >= 400 && seen.status < 500,
            'a refusal (4xx) of the whole list',
            sketchAnswer(seen),
          );
        for (const id of made) known.add(id);
        const after = await listed(things, session, within);
        if (before === undefined || after === undefined) continue;
        const strangers = after.items.filter((item) => {
          const id = String(things.idIn(item));
          return !known.has(id) && before?.ids.has(id) !== true && isOneOf(facts, things, sent, item);
        });
        yield* facts.judge(
          'many-refused',
          [seen, ...after.pages.slice(-1)],
          strangers.length === 0,
          isApart ? 'a list without the refused thing' : 'a list without any of the things',
          `${strangers.length} of them, such as ${String(things.idIn(strangers[0]))}`,
        );
        before = after;
      }
    },
  });
}

// --- internal ---

/** @returns the ids of the things that were created */
async function* judgeApart(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  {
    within,
    seen,
    sent,
    place,
  }: {
    readonly within: Values;
    readonly seen: Exchange;
    readonly sent: readonly Json[];
    readonly place: number;
  },
): AsyncGenerator<Check, readonly string[]> {
  const results = resultsIn(things, facts.policy.many ?? {}, seen) ?? [];
  const statuses = results.map(({ status = NaN }) => status);
  const isRight =
    statuses.length === sent.length &&
    statuses.every((status, index) =>
      index === place ? status >= 400 && status < 500 : status >= 200 && status < 300,
    );
  yield* facts.judge(
    'many-refused',
    seen,
    isSuccess(seen) && isRight,
    `a success of the list, in which thing ${place} alone is refused (4xx)`,
    isSuccess(seen) && results.length > 0 ? statuses.join(', ') : sketchAnswer(seen),
  );
  const ids: string[] = [];
  for (const [index, { id, status = NaN }] of results.entries()) {
    if (id === undefined || id === null || index === place || status >= 300) continue;
    ids.push(String(id));
    const read = await things.call(session, 'read', pathOfResult(things, within, id));
    yield* judgeShown(facts, 'many-refused', things, read, { id, sent: sent[index] });
  }
  return ids;
}

/** The whole list as it is now; `undefined` if it cannot be known. */
async function listed(
  things: Things,
  session: Session,
  within: Values,
): Promise<Awaited<ReturnType<typeof listThings>> | undefined> {
  if (things.operation('list') === undefined) return undefined;
  const found = await listThings(things, session, within);
  return found.isAll ? found : undefined;
}

/** Whether an item of a list shows one of the things. */
function isOneOf(
  { api }: OperationFacts<Resource>,
  things: Things,
  sent: readonly Json[],
  item: unknown,
): boolean {
  const single = things.operation('create') as Operation;
  const schema = sentContent(single)?.schema;
  return sent.some((thing) => differingMembers(api, schema, thing, item).length === 0);
}

/**
 * An invalid thing, another one each time.
 *
 * @throws {NotExercised} if none is known
 */
function wrongThing(
  { api }: Things,
  single: Operation,
  valid: Json,
  time: number,
  takes: (list: readonly Json[]) => boolean,
): Json {
  const content = sentContent(single);
  const misfits = content === undefined ? [] : misfitsOf(api, content, valid, () => true);
  const wrong = misfits.map(({ body }) => body as Json).filter((one) => !takes([valid, one, valid]));
  const one = wrong[time % Math.max(1, wrong.length)];
  if (one === undefined)
    throw new NotExercised('an opportunity', `no invalid thing for ${single.id} is known`);
  return one;
}
