import { policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlans, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { callBelow, callsBelow, requestsBelow } from './below.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { MOST_FILTERS, MOST_PAGES, filterValuesOf, eachFiltered } from './filter-values.ts';
import { reachedByItself } from './lifecycle-ways.ts';
import { LISTS_OF_A_CURSOR, judgeCursor } from './other-cursors.ts';
import { refusal } from './refusal.ts';
import { isItem } from './resource-parents.ts';
import { lifecyclesShown } from './shown-lifecycle.ts';
import { listThings } from './listed-things.ts';
import { isUndeclared } from '../own-api.ts';
import type { Values } from '../own-api.ts';
import type { Role, Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A thing of one caller, asked for, changed and listed by another one. */
export function owned(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { otherCaller: stated, owner, collection, upsert } = facts.policy;
  if (stated === undefined) return [];
  // A replacement that creates may make a thing of the other caller with the same id.
  const roles = (['read', 'patch', 'replace', 'delete'] as const).filter(
    (role) => things.operation(role) !== undefined && !(role === 'replace' && upsert === true),
  );
  // Calls below a thing are made with the values of its path alone. What takes no credential does not know its caller.
  const below =
    owner === undefined
      ? callsBelow(facts.api, facts.operation, stated.status).filter(
          (one) => !isUndeclared(one) || isUndeclared(facts.operation),
        )
      : [];
  const need = owner === undefined ? 'cred.secondAccount' : 'cred.secondOwner';
  return facts.scenario(['owned'], {
    id: `resource.${collection}.owned`,
    title: `${facts.operation.path}: another caller`,
    permissions: ['writes', 'negatives'],
    needs: [need],
    severalCases: facts.ids('owned'),
    requests: {
      ...things.requests({ create: 4, read: 10, delete: 1, list: LISTS_OF_A_CURSOR }),
      ...byOther(things, owner, {
        create: 1,
        list: 20 + MOST_FILTERS * MOST_PAGES + 1,
        read: 1,
        patch: 1,
        replace: 1,
        delete: 1,
        restore: 1,
      }),
      ...requestsBelow(facts.api, below, OTHER),
    },
    run: passedAsWhole(async function* (session: Session) {
      const within = await things.within(session);
      const thing = await things.make(session, within);
      const other: Values = owner === undefined ? {} : { [owner]: session.fixtures.cred?.secondOwner ?? '' };
      // A list below a parent of the other caller cannot be made for both of them.
      if (things.operation('list') !== undefined && !things.hasParents) {
        yield* judgeList(facts, session, things, thing, other);
        const own = [thing, await things.make(session, within)];
        if (owner === undefined)
          yield* judgeCursor(facts, session, things, own, { as: nameOf('list'), values: other });
      }
      const before = things.operation('read') && (await things.call(session, 'read', thing.values));
      for (const role of roles) {
        const seen = await things.call(
          session,
          role,
          { ...thing.values, ...other },
          {
            as: nameOf(role),
            body: things.bodies.change(session, role, thing.sent),
            ifMatch: role === 'read' ? null : ((await things.tag(session, thing.values)) ?? null),
          },
        );
        yield* refusal(
          facts,
          'owned',
          accepted(facts, session, seen),
          stated,
          `for another caller (${role})`,
        );
      }
      for (const operation of below) {
        const seen = await callBelow(facts.api, session, operation, thing.values, OTHER);
        yield* refusal(
          facts,
          'owned',
          accepted(facts, session, seen),
          stated,
          `to ${operation.id} by another caller`,
        );
      }
      // Whether a key belongs to a credential or to an owner is open.
      if (owner === undefined) yield* judgeKey(facts, session, things, thing);
      if (before === undefined) return;
      const now = await things.call(session, 'read', thing.values);
      yield* judgeState(facts, things, before, now);
      for (const check of judgeShown(facts, 'owned', things, now, thing))
        yield { ...check, expected: `${check.expected}, after the calls of another caller` };
      if (owner === undefined) yield* judgeRestore(facts, session, things, thing);
    }),
  });
}

// --- internal ---

const OTHER = { as: 'secondAccount' } as const;

/** Passes only if every call was judged: a list that hides a thing does not show that a read hides it. */
function passedAsWhole(judge: (session: Session) => AsyncIterable<Check>): Scenario['run'] {
  return async function* (session) {
    const passes: Check[] = [];
    for await (const check of judge(session))
      if (check.outcome === 'pass') passes.push(check);
      else yield check;
    yield* passes;
  };
}

/** Shorter ids may be counted for each caller. */
const LONG_ID = 8;

function nameOf(role: Role): string {
  return `${role} as another`;
}

function byOther(
  things: Things,
  owner: string | undefined,
  times: Readonly<Partial<Record<Role, number>>>,
): RequestPlans {
  const plans = Object.entries(things.requests(times, owner === undefined ? OTHER : {}, 0)).filter(([role]) =>
    Object.hasOwn(times, role),
  );
  return Object.fromEntries(plans.map(([role, plan]) => [nameOf(role as Role), plan]));
}

/** A call that is refused to another caller does not lead the thing to another state: only what happens by itself does. */
function* judgeState(
  facts: OperationFacts<Resource>,
  things: Things,
  before: Exchange,
  now: Exchange,
): Generator<Check> {
  const reader = things.operation('read');
  for (const policy of reader === undefined ? [] : lifecyclesShown(facts.api, reader)) {
    const [from, to] = [before, now].map((seen) => at(things.shownIn(seen), policy.property));
    if (reader === undefined || typeof from !== 'string' || typeof to !== 'string') continue;
    yield* facts.judge(
      'owned',
      [before, now],
      reachedByItself({ api: facts.api, policy }, reader, from).has(to),
      `${policy.property} ${from}, also after the calls of another caller`,
      to,
    );
  }
}

async function* judgeList(
  facts: OperationFacts<Resource>,
  session: Session,
  things: Things,
  thing: Thing,
  other: Values,
): AsyncGenerator<Check> {
  const { items, pages } = await listThings(things, session, other, { as: nameOf('list') });
  const [first] = pages;
  // A refusal of the whole list says that the server does not know the other owner.
  const isRefused = first !== undefined && !isSuccess(first) && facts.policy.owner !== undefined;
  if (first?.status === 403 || isRefused) throw notAccepted(facts, session, first as Exchange);
  if (first !== undefined) accepted(facts, session, first);
  const isShown = items.some((item) => isItem(things, thing, item));
  yield* facts.judge(
    'owned',
    [thing.made, ...pages.slice(-1)],
    !isShown,
    `a list of another caller without ${String(thing.id)}`,
    `a list ${isShown ? 'with' : 'without'} ${String(thing.id)}`,
  );
  // A list that looks things up by a filter can forget whose they are.
  const conditions = filterValuesOf(facts, things, things.shownIn(thing.made));
  const judge = (said: string, list: Awaited<ReturnType<typeof listThings>>): Iterable<Check> =>
    facts.judge(
      'owned',
      [thing.made, ...list.pages.slice(-1)],
      !list.items.some((item) => isItem(things, thing, item)),
      `a list of another caller without ${String(thing.id)}, with ${said}`,
      `a list with ${String(thing.id)}`,
    );
  yield* eachFiltered(things, session, other, { conditions, as: nameOf('list') }, judge);
}

/** The key of one caller does not give its recorded answer to another one. */
async function* judgeKey(
  facts: OperationFacts<Resource>,
  session: Session,
  things: Things,
  thing: Thing,
): AsyncGenerator<Check> {
  const create = things.operation('create');
  const policy = create && policyFor(create, 'idempotency');
  if (policy?.mode !== 'replay' || things.hasParents || facts.policy.id.form === 'caller') return;
  const seen = await things.makeAgain(session, thing, { isSameKey: true, as: nameOf('create') });
  const id = String(thing.id);
  const isSame = id.length >= LONG_ID && String(things.idIn(things.shownIn(seen))) === id;
  const { replayHeader: mark } = policy;
  const isMarked = mark !== undefined && seen.header(mark.name) === mark.value;
  yield* facts.judge(
    'owned',
    [thing.made, seen],
    !isSuccess(seen) || !(isSame || isMarked),
    `no recorded answer for another caller with the same key`,
    sketchAnswer(seen),
  );
}

/** What was deleted is no other caller's to bring back; as what it is refused is open. */
async function* judgeRestore(
  facts: OperationFacts<Resource>,
  session: Session,
  things: Things,
  { values }: Thing,
): AsyncGenerator<Check> {
  if (things.operation('restore') === undefined || things.operation('delete') === undefined) return;
  const gone = await things.call(session, 'delete', values);
  if (!isSuccess(gone) || gone.status === 202) return;
  const seen = await things.call(session, 'restore', values, {
    as: nameOf('restore'),
    body: things.bodies.valid(session, 'restore'),
    ifMatch: null,
  });
  yield* facts.judge(
    'owned',
    [gone, seen],
    !isSuccess(seen),
    'a refusal, to a restoration by another caller',
    sketchAnswer(seen),
  );
}

/**
 * A refusal shows something about owners only if the server knows the other caller.
 *
 * @throws {NotExercised} if it does not
 */
function accepted(
  { policy }: Pick<OperationFacts<Resource>, 'policy'>,
  session: Session,
  seen: Exchange,
): Exchange {
  const { owner, otherCaller: stated } = policy;
  const isUnknown = owner !== undefined && seen.status !== stated?.status && UNKNOWN.has(seen.status);
  if (seen.status === 401 || isUnknown) throw notAccepted({ policy }, session, seen);
  return seen;
}

/** Refusals of an owner that the server does not know, or that the credential may not name. */
const UNKNOWN: ReadonlySet<number> = new Set([400, 403, 422]);

function notAccepted(
  { policy }: Pick<OperationFacts<Resource>, 'policy'>,
  { fixtures: { cred } }: Session,
  seen: Exchange,
): NotExercised {
  const isTokenMissing =
    cred?.jwt !== undefined &&
    cred.secondJwt === undefined &&
    seen.request.headers.some(([name]) => name.toLowerCase() === 'authorization');
  const ofCredential = isTokenMissing ? 'cred.secondJwt' : 'cred.secondAccount';
  return new NotExercised(
    policy.owner === undefined ? ofCredential : 'cred.secondOwner',
    `the server does not accept the other caller: ${sketchAnswer(seen)}`,
  );
}
