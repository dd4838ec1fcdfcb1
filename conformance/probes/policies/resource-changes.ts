import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { propertiesOf, propertyAt } from '../../../contract/schema-parts.ts';
import { isObject, isSuccess, member } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import type { Check, Scenario, Session } from '../../scenario.ts';
import { sketchAnswer } from '../../sketch.ts';
import { isSecured, sentContent } from '../own-api.ts';
import type { Facts, OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { optionalMembers, shownSchema } from './same-values.ts';
import type { Role, Thing, Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** Changes of things: by another body, by a merge patch (RFC 7396), and what they leave alone. */
export function changeScenarios(facts: Facts<Resource>, things: Things): readonly Scenario[] {
  const { read, create } = { read: things.operation('read'), create: things.operation('create') };
  if (read === undefined || create === undefined) return [];
  const [replace, patch, remove] = (['replace', 'patch', 'delete'] as const).map((role) =>
    things.operation(role),
  );
  const changer = replace ?? patch ?? remove;
  return [
    ...(replace === undefined ? [] : replaced(facts.on(replace), things, read)),
    ...(patch === undefined ? [] : patched(facts.on(patch), things, read)),
    ...(changer === undefined ? [] : apart(facts.on(changer), things)),
  ];
}

// --- internal ---

function replaced(facts: OperationFacts<Resource>, things: Things, reader: Operation): readonly Scenario[] {
  return facts.scenario(['replaced'], {
    id: `resource.${facts.policy.collection}.replaced`,
    title: `${facts.operation.method.toUpperCase()} ${facts.operation.path}: another body in the place of the first`,
    permissions: ['writes'],
    severalCases: facts.ids('replaced'),
    requests: things.requests({ create: 2, read: 12, replace: 4 }),
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session));
      const full = things.changeBody(session, 'replace', thing.sent);
      const small = things.smallBody('replace', full);
      if (full === undefined)
        throw new NotExercised(`bodies.${facts.operation.id}`, `needs a body for ${facts.operation.id}`);
      for (const body of small === undefined ? [full] : [full, small, full]) {
        const { seen, now } = await changed(session, things, 'replace', thing, body);
        if (!isSuccess(seen)) throw refusedBy(facts.operation, seen);
        yield* judgeShown(facts, 'replaced', things, now, { id: thing.id, sent: body });
        if (body !== small) continue;
        const schema = shownSchema(facts.api, reader, now, things.roles.item);
        const left = optionalMembers(facts.api, schema).filter((name) =>
          keeps(name, full, small, things.shownIn(now)),
        );
        yield* facts.judge(
          'replaced',
          [seen, now],
          left.length === 0,
          'nothing of what was left out',
          `${left.join(', ')} as before`,
        );
      }
    },
  });
}

function patched(facts: OperationFacts<Resource>, things: Things, reader: Operation): readonly Scenario[] {
  return facts.scenario(['patched'], {
    id: `resource.${facts.policy.collection}.patched`,
    title: `${facts.operation.method.toUpperCase()} ${facts.operation.path}: some members, and null`,
    permissions: ['writes'],
    severalCases: facts.ids('patched'),
    requests: things.requests({ create: 2, read: 16, patch: 6 }),
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session));
      const { sent } = thing;
      const patch = things.changeBody(session, 'patch', sent);
      if (!isObject(patch) || !isObject(sent))
        throw new NotExercised(`bodies.${facts.operation.id}`, 'no patch is known that changes a member');
      const back = Object.fromEntries(Object.keys(patch).map((name) => [name, member(sent, name) as Json]));
      for (const body of [patch, back, patch] as Json[]) {
        const { seen, now } = await changed(session, things, 'patch', thing, body);
        if (!isSuccess(seen)) throw refusedBy(facts.operation, seen);
        yield* judgeShown(facts, 'patched', things, now, {
          id: thing.id,
          sent: { ...sent, ...(body as object) } as Json,
        });
      }
      yield* emptied(facts, things, session, { thing, patch: patch as Record<string, Json>, reader });
      yield* merged(facts, things, session, { thing, reader });
    },
  });
}

/** Sets an optional member to null: one that the patches before left alone, else the one that they changed. */
async function* emptied(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { thing, patch, reader }: { thing: Thing; patch: Readonly<Record<string, Json>>; reader: Operation },
): AsyncGenerator<Check> {
  const before = await things.call(session, 'read', thing.values);
  const schema = shownSchema(facts.api, reader, before, things.roles.item);
  const able = optionalMembers(facts.api, schema).filter(
    (name) =>
      (Object.hasOwn(patch, name) || member(thing.sent, name) !== undefined) &&
      things.takes('patch', { [name]: null }) &&
      member(things.shownIn(before), name) !== undefined,
  );
  const optional = able.find((name) => !Object.hasOwn(patch, name)) ?? able[0];
  if (optional === undefined) return;
  const { seen, now } = await changed(session, things, 'patch', thing, { [optional]: null });
  // A server may want a value there, whatever the document says.
  if (!isSuccess(seen)) return;
  const left = member(things.shownIn(now), optional);
  yield* facts.judge(
    'patched',
    [seen, now],
    left === undefined || left === null,
    `no ${optional} after a patch with null`,
    `${optional} is still there`,
  );
}

/** Patches one of two values inside a member: a merge patch leaves the other one there (RFC 7396, section 2). */
async function* merged(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { thing, reader }: { thing: Thing; reader: Operation },
): AsyncGenerator<Check> {
  const content = sentContent(facts.operation);
  if (content === undefined || !/merge-patch/i.test(content.mediaType)) return;
  const { root } = facts.api;
  const pairs = propertiesOf(content.schema, root).flatMap(([name, schema]) => {
    const known = propertiesOf(schema, root).map(([inner]) => inner);
    const [first = 'first', second = 'second'] = known.length === 1 ? [] : known;
    return things.takes('patch', { [name]: { [first]: 'one', [second]: 'two' } }) &&
      things.takes('patch', { [name]: { [first]: 'three' } })
      ? [{ name, first, second }]
      : [];
  });
  for (const { name, first, second } of pairs.slice(0, 1)) {
    const both = await changed(session, things, 'patch', thing, {
      [name]: { [first]: 'one', [second]: 'two' },
    });
    const schema = shownSchema(facts.api, reader, both.now, things.roles.item);
    const shows = (seen: Exchange): boolean => member(member(things.shownIn(seen), name), second) === 'two';
    // What a server makes of values that it may not know is not judged.
    if (!isSuccess(both.seen) || !shows(both.now) || propertyAt(schema, name, root).length === 0) return;
    const one = await changed(session, things, 'patch', thing, { [name]: { [first]: 'three' } });
    if (!isSuccess(one.seen)) return;
    yield* facts.judge(
      'patched',
      [both.now, one.seen, one.now],
      shows(one.now),
      `${name}.${second} as before, after a patch of ${name}.${first}`,
      `${name}: ${JSON.stringify(member(things.shownIn(one.now), name)) ?? 'none'}`,
    );
  }
}

/** A change of one thing, and refused ones, beside another thing. */
function apart(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const changes = (['patch', 'replace', 'delete'] as const).filter(
    (role) => things.operation(role) !== undefined,
  );
  const bare = Object.fromEntries(
    changes.flatMap((role) => {
      const operation = things.operation(role) as Operation;
      return isSecured(operation)
        ? [[`bare ${role}`, facts.api.plan(operation, { as: 'none', isInvalid: true })]]
        : [];
    }),
  );
  return facts.scenario(['apart'], {
    id: `resource.${facts.policy.collection}.apart`,
    title: `${facts.operation.path}: what a change leaves alone`,
    permissions: ['writes', 'negatives'],
    severalCases: facts.ids('apart'),
    requests: { ...things.requests({ create: 4, read: 16, patch: 1, replace: 1, delete: 1 }), ...bare },
    async *run(session: Session) {
      const within = await things.within(session);
      const [thing, other] = [await things.make(session, within), await things.make(session, within)];
      const isAsBefore = async function* (
        seen: Exchange,
        { values, id, sent }: Thing,
        what: string,
      ): AsyncGenerator<Check> {
        const now = await things.call(session, 'read', values);
        for (const check of judgeShown(facts, 'apart', things, now, { id, sent }))
          yield {
            ...check,
            exchanges: [...check.exchanges, seen.id],
            expected: `${check.expected}, after ${what}`,
          };
      };
      for (const role of changes) {
        if (!Object.hasOwn(bare, `bare ${role}`)) continue;
        const ifMatch = (await things.tag(session, thing.values)) ?? null;
        const seen = await things.call(session, role, thing.values, {
          body: things.changeBody(session, role, thing.sent),
          as: `bare ${role}`,
          ifMatch,
        });
        if (!isSuccess(seen)) yield* isAsBefore(seen, thing, `${role} without a credential`);
      }
      for (const role of changes) {
        const seen = await things.call(session, role, thing.values, {
          body: things.changeBody(session, role, thing.sent),
        });
        if (isSuccess(seen)) yield* isAsBefore(seen, other, `${role} of ${String(thing.id)}`);
      }
    },
  });
}

async function changed(
  session: Session,
  things: Things,
  role: Role,
  { values }: Thing,
  body: Json,
): Promise<{ readonly seen: Exchange; readonly now: Exchange }> {
  const seen = await things.call(session, role, values, { body });
  return { seen, now: await things.call(session, 'read', values) };
}

function refusedBy({ id }: Operation, seen: Exchange): NotExercised {
  return new NotExercised(`bodies.${id}`, `the change was refused: ${sketchAnswer(seen)}`);
}

/** Whether a thing still shows a member that an earlier body had, and the last one has not. */
function keeps(name: string, full: Json, small: Json | undefined, shown: unknown): boolean {
  const before = member(full, name);
  return (
    before !== undefined &&
    member(small, name) === undefined &&
    JSON.stringify(member(shown, name)) === JSON.stringify(before)
  );
}
