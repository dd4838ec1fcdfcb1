import { canonical } from '../../../contract/canonical-json.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { isObject, isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { leftMembers } from './left-members.ts';
import { aged, judgeCreation, judgeDefaults } from './kept-members.ts';
import { shownSchema } from './differing-members.ts';
import type { Things } from './things.ts';
import { MOST_ALONE, changedAlone } from './changed-alone.ts';
import { RENAMED, changed, refusedBy, renamed } from './changed-thing.ts';

type Resource = PolicyOf<'resource'>;

/** Another body in the place of the first one. */
export function replaced(
  facts: OperationFacts<Resource>,
  things: Things,
  reader: Operation,
): readonly Scenario[] {
  return facts.scenario(['replaced'], {
    id: `resource.${facts.policy.collection}.replaced`,
    title: `${facts.operation.method.toUpperCase()} ${facts.operation.path}: another body in the place of the first`,
    permissions: ['writes'],
    severalCases: facts.ids('replaced'),
    requests: {
      ...things.requests({ create: 8, read: 17 + 2 * MOST_ALONE, replace: 6 + MOST_ALONE }),
      [RENAMED]: facts.api.plan(facts.operation, { isInvalid: true }),
    },
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session), { isVaried: true });
      const full = things.bodies.change(session, 'replace', thing.sent);
      const small = things.bodies.small('replace', full);
      if (full === undefined)
        throw new NotExercised(`bodies.${facts.operation.id}`, `needs a body for ${facts.operation.id}`);
      await aged(session, things, thing);
      const shorter = shorterLists(things, full);
      const bodies = [full, ...(shorter === undefined ? [] : [shorter])];
      for (const body of small === undefined ? bodies : [...bodies, full, small, full]) {
        const { seen, now } = await changed(session, things, 'replace', thing, body);
        if (!isSuccess(seen)) throw refusedBy(facts.operation, seen);
        for (const shown of things.shownIn(seen) === undefined || seen.status === 202 ? [now] : [now, seen])
          yield* judgeShown(facts, 'replaced', things, shown, { id: thing.id, sent: body });
        yield* judgeCreation(facts, 'replaced', things, [thing.made, now]);
        if (body !== small) continue;
        const schema = shownSchema(facts.api, reader, now, things.roles.item);
        yield* judgeDefaults(facts, 'replaced', things, { sent: small, made: seen }, now);
        const left = leftMembers(facts.api, facts.operation, {
          full,
          small,
          shown: things.shownIn(now),
          schema,
        });
        yield* facts.judge(
          'replaced',
          [seen, now],
          left.length === 0,
          'no member that was left out',
          `${left.join(', ')} as before`,
        );
      }
      yield* changedAlone(facts, 'replaced', things, session, { thing, known: full });
      yield* renamed(facts, 'replaced', things, session, { thing, body: full });
    },
  });
}

// --- internal ---

/** The body with one item in each of its lists; `undefined` if they have no more. */
function shorterLists(things: Things, full: Json): Json | undefined {
  if (!isObject(full)) return undefined;
  const shorter = Object.fromEntries(
    Object.entries(full).map(([name, value]) => [
      name,
      Array.isArray(value) ? (value as Json[]).slice(0, 1) : value,
    ]),
  ) as Json;
  return canonical(shorter) !== canonical(full) && things.bodies.takes('replace', shorter)
    ? shorter
    : undefined;
}
