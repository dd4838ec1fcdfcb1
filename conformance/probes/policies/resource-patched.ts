import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { isObject, isSuccess, member } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { defaultsOf } from './declared-defaults.ts';
import { aged, judgeCreation } from './kept-members.ts';
import { nullableMembers, optionalMembers, shownSchema } from './differing-members.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';
import { MOST_ALONE, changedAlone } from './changed-alone.ts';
import { RENAMED, changed, refusedBy, renamed } from './changed-thing.ts';
import { emptiedInner, merged, relisted } from './merge-patches.ts';

type Resource = PolicyOf<'resource'>;

/** Changes of some members, and of members to null. */
export function patched(
  facts: OperationFacts<Resource>,
  things: Things,
  reader: Operation,
): readonly Scenario[] {
  return facts.scenario(['patched'], {
    id: `resource.${facts.policy.collection}.patched`,
    title: `${facts.operation.method.toUpperCase()} ${facts.operation.path}: some members, and null`,
    permissions: ['writes'],
    severalCases: facts.ids('patched'),
    requests: {
      ...things.requests({ create: 2, read: 37 + 2 * MOST_ALONE, patch: 18 + MOST_ALONE }),
      [RENAMED]: facts.api.plan(facts.operation, { isInvalid: true }),
    },
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session), { isVaried: true });
      const { sent } = thing;
      const patch = things.bodies.change(session, 'patch', sent);
      if (!isObject(patch) || !isObject(sent))
        throw new NotExercised(`bodies.${facts.operation.id}`, 'no patch is known that changes a member');
      const back = things.bodies.patchBack(patch as Json, sent as Json);
      await aged(session, things, thing);
      for (const body of [patch, ...(back === undefined ? [] : [back, patch])] as Json[]) {
        const { seen, now } = await changed(session, things, 'patch', thing, body);
        if (!isSuccess(seen)) throw refusedBy(facts.operation, seen);
        for (const shown of things.shownIn(seen) === undefined || seen.status === 202 ? [now] : [now, seen])
          yield* judgeShown(facts, 'patched', things, shown, {
            id: thing.id,
            sent: { ...sent, ...(body as object) } as Json,
          });
        yield* judgeCreation(facts, 'patched', things, [thing.made, now]);
      }
      if (things.bodies.takes('patch', {})) {
        const { seen, now } = await changed(session, things, 'patch', thing, {});
        // A server may refuse to change nothing.
        if (isSuccess(seen))
          yield* judgeShown(facts, 'patched', things, now, {
            id: thing.id,
            sent: { ...sent, ...(patch as object) } as Json,
          });
      }
      const known = { ...sent, ...(patch as object) } as Json;
      yield* changedAlone(facts, 'patched', things, session, { thing, known });
      yield* emptied(facts, things, session, { thing, patch: patch as Record<string, Json>, reader });
      yield* relisted(facts, things, session, { thing, reader });
      yield* merged(facts, things, session, { thing, reader });
      yield* emptiedInner(facts, things, session, { thing, patch: known as Readonly<Record<string, Json>> });
      yield* renamed(facts, 'patched', things, session, { thing, body: patch as Json });
    },
  });
}

// --- internal ---

const MOST_EMPTIED = 3;

/** Sets optional members to null, those first that the previous patch did not change. */
async function* emptied(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { thing, patch, reader }: { thing: Thing; patch: Readonly<Record<string, Json>>; reader: Operation },
): AsyncGenerator<Check> {
  const before = await things.call(session, 'read', thing.values);
  const schema = shownSchema(facts.api, reader, before, things.roles.item);
  const create = things.operation('create');
  const filledIn = create === undefined ? [] : defaultsOf(facts.api, create, {}).map(([name]) => name);
  const emptiable = new Set([...optionalMembers(facts.api, schema), ...nullableMembers(facts.api, schema)]);
  const able = [...emptiable].filter(
    (name) =>
      !filledIn.includes(name) &&
      (Object.hasOwn(patch, name) || member(thing.sent, name) !== undefined) &&
      things.bodies.takesPatch(name, null) &&
      member(things.shownIn(before), name) !== undefined,
  );
  const others = able.filter((name) => !Object.hasOwn(patch, name));
  for (const optional of [...others, ...able.filter((name) => !others.includes(name))].slice(
    0,
    MOST_EMPTIED,
  )) {
    const { seen, now } = await changed(session, things, 'patch', thing, { [optional]: null });
    // A server may require a value although the document does not.
    if (!isSuccess(seen)) continue;
    const left = member(things.shownIn(now), optional);
    yield* facts.judge(
      'patched',
      [seen, now],
      left === undefined || left === null,
      `no ${optional} after a patch with null`,
      `${optional} is still there`,
    );
  }
}
