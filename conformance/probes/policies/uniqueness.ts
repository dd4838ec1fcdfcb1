import type { Json } from '../../../contract/model.ts';
import { isJson } from '../../../contract/judge/body-format.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch, sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlans, Scenario, Session } from '../../scenarios/scenario.ts';
import { misfitsOf } from '../document/misfits.ts';
import { occasionNeed } from '../document/occasions.ts';
import { freshAt, put } from '../document/variants.ts';
import { pathParameters, sentContent } from '../own-api.ts';
import { isSameValue } from './differing-members.ts';
import type { Probes } from './facts.ts';
import { MOST_OTHERS, needed, othersOf } from './keyed.ts';
import type { Thing } from './thing.ts';
import { thingsOf } from './things.ts';
import { isTaken, judgeFree, judgeTaken, mayBeTaken, nested, UniqueCalls, lockOf } from './unique-calls.ts';
import type { Unique, UniqueCall } from './unique-calls.ts';
import { atOnce } from './uniqueness-at-once.ts';

/** A unique value: in created resources, and in replacements and changes. */
export function uniquenessProbes(facts: Unique): Probes {
  return {
    scenarios: changeOfOther(facts) ?? [
      ...sameTwice(facts),
      ...valuesAlike(facts),
      ...afterRefusal(facts),
      ...afterRestore(facts),
      ...atOnce(facts),
    ],
  };
}

// --- internal ---

const MOST_WRONG = 2;

/** Two things with the same value, created by two calls with separate keys. */
function sameTwice(facts: Unique): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const calls = new UniqueCalls(facts);
  const apart = pathParameters(operation).filter(({ name }) => policy.within.includes(name));
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}`,
    lock: lockOf(facts),
    title: `${operation.method.toUpperCase()} ${operation.path}: the same ${policy.member} twice`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    alsoTakes: [occasionNeed(operation, 'other')],
    requests: calls.requests(SENT + 2 * MOST_OTHERS, 2),
    async *run(session: Session) {
      const call = await calls.start(session);
      const own = call.fresh();
      const first = needed(operation, await call.send(own));
      yield* judgeTaken(facts, first, await call.send(own));
      // Another value in between shows whether the server remembers more than the last one.
      await call.send(call.fresh());
      yield* judgeTaken(facts, first, await call.send(own));
      // Only the value must be unique, so the rest of the body may differ.
      const others = othersOf(api, operation, own, (name) => name !== policy.member);
      for (const other of others) {
        const seen = await call.send(other);
        if (isSuccess(seen) || mayBeTaken(facts, seen)) yield* judgeTaken(facts, first, seen);
        else {
          // A body can be refused for another member as well.
          const value = at(call.fresh(), policy.member) as Json;
          if (isSuccess(await call.send(put(other, policy.member.split('.'), value))))
            yield* judgeTaken(facts, first, seen);
        }
      }
      yield* judgeOtherForms(facts, call, own, first);
      if (apart.length === 0) return;
      const elsewhere = (await call.elsewhere()) ?? call;
      // The fixtures file may name only one parent.
      if (!apart.some(({ name }) => elsewhere.values[name] !== call.values[name])) return;
      const value = at(own, policy.member) as Json;
      yield* judgeFree(facts, elsewhere, elsewhere.fresh(value), {
        before: [first],
        of: `the ${policy.member} in another ${policy.within.join(', ')}`,
      });
      yield* judgeTaken(facts, first, await call.send(own));
    },
  });
}

/** The same call in another form: in chunks, and with an escaped letter in its path (RFC 3986, section 6.2.2.2). */
async function* judgeOtherForms(
  facts: Unique,
  call: UniqueCall,
  own: Json,
  first: Exchange,
): AsyncGenerator<Check> {
  const seen = [await call.send(own, (sent) => ({ ...sent, isChunked: true }))];
  const name = pathParameters(facts.operation).at(-1)?.name;
  if (name !== undefined)
    seen.push(
      await call.send(own, (sent) => ({
        ...sent,
        fill: { ...sent.fill, [name]: escaped(sent.fill?.[name]) },
      })),
    );
  // A server may refuse the form, and not the value.
  for (const again of seen)
    yield* facts.judge('taken', [first, again], !isSuccess(again), 'no success with a value that is in use');
}

function escaped(segment = ''): string {
  return segment.replace(/(?<!%|%.)[a-z]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

/** Values that begin alike are different ones; each can be had once. */
function valuesAlike(facts: Unique): readonly Scenario[] {
  const { operation, policy } = facts;
  const calls = new UniqueCalls(facts);
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}.alike`,
    lock: lockOf(facts),
    title: `${operation.method.toUpperCase()} ${operation.path}: a ${policy.member} that begins like another`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: calls.requests(2 + 2 * ENDS.length),
    async *run(session: Session) {
      const call = await calls.start(session);
      const start = at(call.fresh(), policy.member);
      const bodies = ENDS.map((end) => call.fresh(`${String(start)}${end}`));
      if (typeof start !== 'string' || !bodies.every((body) => call.takes(body)))
        throw new NotExercised('an opportunity', `no values of ${policy.member} that begin alike are known`);
      // Which of the forms a server takes is its own affair.
      const seen: Exchange[] = [];
      for (const body of bodies) seen.push(await call.send(body));
      for (const [index, first] of seen.entries())
        if (isSuccess(first)) yield* judgeTaken(facts, first, await call.send(bodies[index] as Json));
      const [shorter, longer, control] = seen as [Exchange, Exchange, Exchange];
      if (isSuccess(shorter) && isSuccess(control))
        yield* facts.judge(
          'taken',
          [shorter, control, longer],
          isSuccess(longer) || !mayBeTaken(facts, longer),
          `no refusal of a ${policy.member} that only begins like another`,
        );
    },
  });
}

/** Of the first the second has all letters, and the third, which is as long as the second, has not. */
const ENDS = ['-rc.1', '-rc.10', '-rc.27', '+b.1'] as const;

/** The calls of `sameTwice` beside those with other members. */
const SENT = 10;

/** A refused call does not use up its value: a later valid call may have it. */
function afterRefusal(facts: Unique): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const content = sentContent(operation);
  if (content === undefined || !isJson(content.mediaType)) return [];
  const calls = new UniqueCalls(facts);
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}.refused`,
    lock: lockOf(facts),
    title: `${operation.method.toUpperCase()} ${operation.path}: the ${policy.member} of a refused call`,
    permissions: ['writes', 'negatives'],
    severalCases: facts.ids('taken'),
    requests: {
      ...calls.requests(3),
      wrong: api.plan(operation, { times: MOST_WRONG, isInvalid: true }),
    },
    async *run(session: Session) {
      const call = await calls.start(session);
      const own = call.fresh();
      const wrong = misfitsOf(api, content, own, () => true).filter(
        (one) => at(one.body, policy.member) === at(own, policy.member),
      );
      const refused: Exchange[] = [];
      for (const one of wrong.slice(0, MOST_WRONG)) {
        const seen = await call.send(one.body as Json, (sent) => sent, 'wrong');
        if (isSuccess(seen)) throw new NotExercised('an opportunity', 'the server accepts an invalid body');
        refused.push(seen);
      }
      if (refused.length === 0)
        throw new NotExercised('an opportunity', 'no invalid body with the value is known');
      yield* judgeFree(facts, call, own, {
        before: refused,
        of: `the ${policy.member} that only refused calls have had`,
      });
    },
  });
}

/** What comes back has its value again: no other thing may have it. */
function afterRestore(facts: Unique): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const resource = resourcesOf(api.contract).find(({ operations }) => operations.create === operation.id);
  const things = resource && thingsOf(api, resource);
  if (things?.operation('restore') === undefined || things.operation('delete') === undefined) return [];
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}.restored`,
    lock: lockOf(facts),
    title: `${operation.method.toUpperCase()} ${operation.path}: the ${policy.member} of what was deleted and restored`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: things.requests({ create: 2, read: 2, delete: 1, restore: 1 }),
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session));
      const gone = await things.call(session, 'delete', thing.values);
      const body = things.bodies.valid(session, 'restore');
      const back = await things.call(session, 'restore', thing.values, { body });
      if (!isSuccess(gone) || !isSuccess(back) || back.status === 202)
        throw new NotExercised('an opportunity', `nothing was deleted and restored: ${sketchAnswer(back)}`);
      yield* judgeTaken(facts, back, await things.makeAgain(session, thing));
    },
  });
}

/** Changes a thing to the value of another thing, which is refused, and to its own value, which is not. */
function changeOfOther(facts: Unique): readonly Scenario[] | undefined {
  const { api, operation, policy } = facts;
  const resource = resourcesOf(api.contract).find(({ operations }) =>
    [operations.replace, operations.patch].includes(operation.id),
  );
  if (resource === undefined) return undefined;
  const things = thingsOf(api, resource);
  const role = resource.operations.replace === operation.id ? 'replace' : 'patch';
  if (things.operation('create') === undefined) return undefined;
  const apart = facts.about(resource).on(operation);
  const plans: RequestPlans = things.requests({ create: 5, read: 9, [role]: 7 });
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}`,
    also: apart.ids('apart'),
    lock: lockOf(facts),
    title: `${operation.method.toUpperCase()} ${operation.path}: the ${policy.member} of another resource`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: plans,
    async *run(session: Session): AsyncGenerator<Check> {
      const within = await things.within(session);
      const [one, other] = [await things.make(session, within), await things.make(session, within)];
      const [own, taken] = [at(other.sent, policy.member), at(one.sent, policy.member)];
      if (own === undefined || taken === undefined || own === taken)
        throw new NotExercised(
          `bodies.${operation.id}`,
          `no two resources with a ${policy.member} are known`,
        );
      const change = ({ values }: Thing, sent: Json | undefined): Promise<Exchange> =>
        things.call(session, role, values, {
          body: role === 'replace' ? sent : nested(policy.member, at(sent, policy.member) as Json),
        });
      const same = await change(other, other.sent);
      yield* facts.judge(
        'taken',
        [other.made, same],
        !isTaken(facts, same),
        `no refusal of the ${policy.member} that the resource has itself`,
      );
      needed(operation, same);
      for (let time = 0; time < 2; time += 1) yield* judgeTaken(facts, same, await change(other, one.sent));
      yield* withAnother(session, other, taken as Json);
      // A value that a change has set is in use as well.
      const create = things.operation('create');
      if (create === undefined || one.sent === undefined) return;
      const sent = freshAt(api, create, one.sent, policy.member, session.freshKey);
      const moved = await change(other, sent);
      if (!isSuccess(moved)) return;
      yield* judgeTaken(facts, moved, await change(one, sent));
      if (policy.operations.includes(create.id))
        yield* judgeTaken(facts, moved, await things.makeAgain(session, { ...one, sent }));
    },
  });

  /** A change that is refused for the value stores nothing else either. */
  async function* withAnother(session: Session, thing: Thing, taken: Json): AsyncGenerator<Check> {
    const more = things.bodies.otherMembers(role, thing.sent).find(({ name }) => name !== policy.member);
    const [body] = more?.bodies ?? [];
    if (more === undefined || body === undefined) return;
    const before = await things.call(session, 'read', thing.values);
    const seen = await things.call(session, role, thing.values, {
      body: put(body, policy.member.split('.'), taken),
    });
    const now = await things.call(session, 'read', thing.values);
    if (!isTaken(facts, seen) || !isSuccess(before) || !isSuccess(now)) return;
    const [was, is] = [before, now].map((one) => at(things.shownIn(one), more.name));
    yield* apart.judge(
      'apart',
      [before, seen, now],
      isSameValue(was, is),
      `${more.name} ${sketch(was, 40)}, as before the refused change`,
      sketch(is, 40),
    );
  }
}
