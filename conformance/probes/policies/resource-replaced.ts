import { canonical } from '../../../contract/canonical-json.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schema-parts.ts';
import { isObject, isSuccess, member } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import type { Scenario, Session } from '../../scenario.ts';
import { sentContent } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { judgeCreation, judgeDefaults } from './kept-members.ts';
import { optionalMembers, shownSchema } from './differing-members.ts';
import type { Things } from './things.ts';
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
      ...things.requests({ create: 8, read: 16, replace: 6 }),
      [RENAMED]: facts.api.plan(facts.operation, { isInvalid: true }),
    },
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session), { isVaried: true });
      const full = things.bodies.change(session, 'replace', thing.sent);
      const small = things.bodies.small('replace', full);
      if (full === undefined)
        throw new NotExercised(`bodies.${facts.operation.id}`, `needs a body for ${facts.operation.id}`);
      for (const body of small === undefined ? [full] : [full, small, full]) {
        const { seen, now } = await changed(session, things, 'replace', thing, body);
        if (!isSuccess(seen)) throw refusedBy(facts.operation, seen);
        for (const shown of things.shownIn(seen) === undefined || seen.status === 202 ? [now] : [now, seen])
          yield* judgeShown(facts, 'replaced', things, shown, { id: thing.id, sent: body });
        yield* judgeCreation(facts, 'replaced', things, [thing.made, now]);
        if (body !== small) continue;
        const schema = shownSchema(facts.api, reader, now, things.roles.item);
        yield* judgeDefaults(facts, 'replaced', things, { sent: small, made: seen }, now);
        const mayLack = [
          ...optionalMembers(facts.api, schema),
          ...withDefaults(facts, full),
          ...filledLists(full),
        ];
        const left = [...new Set(mayLack)].filter((name) => keeps(name, full, small, things.shownIn(now)));
        yield* facts.judge(
          'replaced',
          [seen, now],
          left.length === 0,
          'no member that was left out',
          `${left.join(', ')} as before`,
        );
      }
      yield* renamed(facts, 'replaced', things, session, { thing, body: full });
    },
  });
}

// --- internal ---

/** The lists of a body that have items: no server fills in the same ones by itself. */
function filledLists(body: Json): readonly string[] {
  const members = isObject(body) ? Object.entries(body) : [];
  return members.flatMap(([name, value]) => (Array.isArray(value) && value.length > 0 ? [name] : []));
}

/** The members with a default, if the body has another value for them. */
function withDefaults({ api, operation }: OperationFacts<Resource>, full: Json): readonly string[] {
  return propertiesOf(sentContent(operation)?.schema, api.root).flatMap(([name, schema]) => {
    const described = followed(api.root, schema);
    const hasDefault = isObject(described) && Object.hasOwn(described, 'default');
    return hasDefault && canonical(described['default']) !== canonical(member(full, name)) ? [name] : [];
  });
}

/** Whether a thing still shows a member of the earlier body that the latest body lacks. */
function keeps(name: string, full: Json, small: Json | undefined, shown: unknown): boolean {
  const before = member(full, name);
  return (
    before !== undefined &&
    member(small, name) === undefined &&
    JSON.stringify(member(shown, name)) === JSON.stringify(before)
  );
}
