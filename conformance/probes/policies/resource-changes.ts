import { canonical } from '../../../contract/canonical-json.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf, propertyAt } from '../../../contract/schema-parts.ts';
import { isObject, isSuccess, member } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import type { Check, Scenario, Session } from '../../scenario.ts';
import { sketchAnswer } from '../../sketch.ts';
import { textOfSameForm } from '../document/variants.ts';
import { isSecured, sentContent } from '../own-api.ts';
import type { Facts, OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { judgeCreation, judgeDefaults } from './kept-members.ts';
import { optionalMembers, shownSchema } from './differing-members.ts';
import type { Role, Thing, Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/**
 * Changes of things: by another body, by a merge patch (RFC 7396), and the parts that they must leave
 * unchanged.
 */
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

const MOST_EMPTIED = 3;

const RENAMED = 'with another id';

/** Added to a number, to get one that no thing has. */
const FAR_AWAY = 1_000_000;

/** The members that are sent in an object whose schema names none. */
const UNNAMED: readonly [readonly [string, unknown], readonly [string, unknown]] = [
  ['first', {}],
  ['second', {}],
];

function replaced(facts: OperationFacts<Resource>, things: Things, reader: Operation): readonly Scenario[] {
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
      const full = things.changeBody(session, 'replace', thing.sent);
      const small = things.smallBody('replace', full);
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

function patched(facts: OperationFacts<Resource>, things: Things, reader: Operation): readonly Scenario[] {
  return facts.scenario(['patched'], {
    id: `resource.${facts.policy.collection}.patched`,
    title: `${facts.operation.method.toUpperCase()} ${facts.operation.path}: some members, and null`,
    permissions: ['writes'],
    severalCases: facts.ids('patched'),
    requests: {
      ...things.requests({ create: 2, read: 32, patch: 16 }),
      [RENAMED]: facts.api.plan(facts.operation, { isInvalid: true }),
    },
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
        yield* judgeCreation(facts, 'patched', things, [thing.made, now]);
      }
      if (things.takes('patch', {})) {
        const { seen, now } = await changed(session, things, 'patch', thing, {});
        // A server may refuse to change nothing.
        if (isSuccess(seen))
          yield* judgeShown(facts, 'patched', things, now, {
            id: thing.id,
            sent: { ...sent, ...(patch as object) } as Json,
          });
      }
      yield* emptied(facts, things, session, { thing, patch: patch as Record<string, Json>, reader });
      yield* relisted(facts, things, session, { thing, reader });
      yield* merged(facts, things, session, { thing, reader });
      yield* renamed(facts, 'patched', things, session, { thing, body: patch as Json });
    },
  });
}

/** A body with another id: a server may refuse or ignore it, but the thing keeps its id and its address. */
async function* renamed(
  facts: OperationFacts<Resource>,
  name: 'patched' | 'replaced',
  things: Things,
  session: Session,
  { thing, body }: { readonly thing: Thing; readonly body: Json },
): AsyncGenerator<Check> {
  const { id, values } = thing;
  const { member: place } = facts.policy.id;
  const role = name === 'patched' ? 'patch' : 'replace';
  const other = typeof id === 'number' ? id + FAR_AWAY : textOfSameForm(String(id), session.freshKey);
  const sent = { ...(body as object), [place]: other } as Json;
  if (place.includes('.') || other === id) return;
  // It may be what the document forbids.
  const seen = await things.call(session, role, values, { body: sent, as: RENAMED });
  if (!isSuccess(seen)) return;
  const now = await things.call(session, 'read', values);
  yield* facts.judge(
    name,
    [seen, now],
    isSuccess(now) && String(things.idIn(things.shownIn(now)) ?? id) === String(id),
    `${String(id)} at its address ${String(values[things.roles.parameter])}, after a body with another ${place}`,
    sketchAnswer(now),
  );
}

/** Sets optional members to null, those first that the previous patch did not change. */
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

/** Patches a list twice: the second list replaces the first one (RFC 7396, section 2). */
async function* relisted(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { thing, reader }: { thing: Thing; reader: Operation },
): AsyncGenerator<Check> {
  const content = sentContent(facts.operation);
  if (content === undefined || !/merge-patch/i.test(content.mediaType)) return;
  const { root } = facts.api;
  const lists = propertiesOf(content.schema, root).flatMap(([name, schema]) => {
    const list = followed(root, schema);
    const [one, other] = isObject(list) ? twoValues(facts, list['items']) : [];
    const isTaken = [one, other].every(
      (item) => item !== undefined && things.takes('patch', { [name]: [item] }),
    );
    return isTaken ? [{ name, one, other }] : [];
  });
  for (const { name, one, other } of lists.slice(0, 1)) {
    const first = await changed(session, things, 'patch', thing, { [name]: [one as Json] });
    const schema = shownSchema(facts.api, reader, first.now, things.roles.item);
    const shown = (seen: Exchange): string => canonical(member(things.shownIn(seen), name)) ?? 'none';
    const isShown = shown(first.now) === canonical([one]);
    if (!isSuccess(first.seen) || !isShown || propertyAt(schema, name, root).length === 0) return;
    const second = await changed(session, things, 'patch', thing, { [name]: [other as Json] });
    if (!isSuccess(second.seen)) return;
    yield* facts.judge(
      'patched',
      [second.seen, second.now],
      shown(second.now) === canonical([other]),
      `${name} as the second patch has it`,
      shown(second.now),
    );
  }
}

/** Two plain values that a schema allows: texts if it has no type, nothing for lists and objects. */
function twoValues({ api }: OperationFacts<Resource>, schema: unknown): readonly (Json | undefined)[] {
  const described = followed(api.root, schema);
  const { enum: values, type = 'string' } = isObject(described) ? described : {};
  if (Array.isArray(values)) return (values as Json[]).slice(0, 2);
  const kind = [type].flat().find((one) => one !== 'null');
  return kind === 'string' ? ['one', 'two'] : kind === 'integer' || kind === 'number' ? [1, 2] : [];
}

/** Patches one of two members of an object: a merge patch keeps the other one (RFC 7396, section 2). */
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
    const inner = propertiesOf(schema, root);
    const [[first, firstSchema], [second, secondSchema]] =
      inner.length < 2 ? UNNAMED : ([inner[0], inner[1]] as typeof UNNAMED);
    const [before, after] = twoValues(facts, firstSchema);
    const [kept] = twoValues(facts, secondSchema);
    const bodies = [{ [first]: before, [second]: kept }, { [first]: after }] as Json[];
    return [before, after, kept].every((value) => value !== undefined) &&
      bodies.every((body) => things.takes('patch', { [name]: body }))
      ? [{ name, first, second, bodies, kept }]
      : [];
  });
  for (const { name, first, second, bodies, kept } of pairs.slice(0, 1)) {
    const [whole, part] = bodies as [Json, Json];
    const both = await changed(session, things, 'patch', thing, { [name]: whole });
    const schema = shownSchema(facts.api, reader, both.now, things.roles.item);
    const shows = (seen: Exchange): boolean => member(member(things.shownIn(seen), name), second) === kept;
    // Nothing is judged if the server refuses these values or does not show them.
    if (!isSuccess(both.seen) || !shows(both.now) || propertyAt(schema, name, root).length === 0) return;
    const one = await changed(session, things, 'patch', thing, { [name]: part });
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

/** A change of one thing, and refused changes, must not affect another thing. */
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
    title: `${facts.operation.path}: the parts that a change must not affect`,
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

function refusedBy({ id }: Operation, seen: Exchange): NotExercised {
  return new NotExercised(`bodies.${id}`, `the change was refused: ${sketchAnswer(seen)}`);
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
