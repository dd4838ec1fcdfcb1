import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import type { Check, RequestPlan, RequestPlans, Scenario, Session } from '../../scenario.ts';
import { sketchAnswer } from '../../sketch.ts';
import { textOfSameForm } from '../document/variants.ts';
import { pathParameters, responseFor } from '../own-api.ts';
import type { Values } from '../own-api.ts';
import type { Facts, OperationFacts, Probes } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { defaultsOf, judgeCreation, judgeDefaults } from './kept-members.ts';
import { refusal } from './refusal.ts';
import { changeScenarios } from './resource-changes.ts';
import { listed } from './resource-lists.ts';
import { filtered } from './resource-filters.ts';
import { owned } from './resource-owners.ts';
import { elsewhere } from './resource-parents.ts';
import { callBelow, callsBelow, requestsBelow } from './below.ts';
import { type Role, type Thing, type Things, thingsOf } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** Judges resources that requests create, list, read, change and delete. */
export function resourceProbes(facts: Facts<Resource>): Probes {
  const things = thingsOf(facts.api, facts.policy);
  if (things.operation('create') === undefined) return {};
  const on = (
    role: Role,
    make: (facts: OperationFacts<Resource>) => readonly Scenario[],
  ): readonly Scenario[] => {
    const operation = things.operation(role);
    return operation === undefined ? [] : make(facts.on(operation));
  };
  return {
    scenarios: [
      ...on('create', (own) => created(own, things)),
      ...on('list', (own) => [...listed(own, things), ...filtered(own, things)]),
      ...named(things).flatMap((role) =>
        on(role, (own) => [...missing(own, things, role), ...elsewhere(own, things), ...owned(own, things)]),
      ),
      ...on('delete', (own) => deleted(own, things)),
      ...on('create', (own) => taken(own, things)),
      ...on('replace', (own) => upsert(own, things)),
      ...changeScenarios(facts, things),
    ],
  };
}

// --- internal ---

const MOST_LOOKS = 8;
const PAUSE_MS = 250;

/** Generated ids are never longer. */
const LONG_ID = 12;
const MOST_IDS = 3;

/** The usual rule about unknown ids covers the first of these operations that exists. */
function named(things: Things): readonly Role[] {
  return (['read', 'replace', 'patch', 'delete'] as const)
    .filter((role) => things.operation(role) !== undefined)
    .slice(0, 1);
}

function title({ method, path }: Operation, what: string): string {
  return `${method.toUpperCase()} ${path}: ${what}`;
}

function created(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  if (things.operation('read') === undefined) return [];
  return facts.scenario(['created'], {
    id: `resource.${facts.policy.collection}.created`,
    title: title(facts.operation, 'the created resource exists'),
    permissions: ['writes'],
    severalCases: facts.ids('created'),
    requests: { ...things.requests({ create: 8, read: 5 + 2 * MOST_LOOKS }), ...addressOf(facts, things) },
    async *run(session: Session) {
      const within = await things.within(session);
      const first = await things.make(session, within, { isLater: true });
      const second = await things.make(session, within, { isLater: true, isVaried: true });
      for (const thing of [first, second]) await isThere(session, things, thing);
      yield* facts.judge(
        'created',
        [first.made, second.made],
        String(first.id) !== String(second.id),
        'two resources with two ids',
        `${String(first.id)} twice`,
      );
      const reads: Exchange[] = [];
      for (const thing of [first, second, first]) {
        const seen = await things.call(session, 'read', thing.values);
        yield* judgeShown(facts, 'created', things, seen, thing);
        if (thing === first) reads.push(seen);
      }
      const shows = things.shownIn(first.made) === undefined ? reads : [first.made, ...reads];
      yield* judgeCreation(facts, 'created', things, shows);
      for (const thing of [first, second]) yield* judgeAddress(facts, 'created', session, { things, thing });
      if (things.shownIn(first.made) !== undefined && things.shownIn(second.made) !== undefined)
        for (const thing of [first, second]) yield* judgeShown(facts, 'created', things, thing.made, thing);
      if (defaultsOf(facts.api, facts.operation, {}).length === 0) return;
      const small = await things.make(session, within, { isSmall: true });
      if (small.made.status === 202) return;
      yield* judgeDefaults(facts, 'created', things, small, await things.call(session, 'read', small.values));
    },
  });
}

/** Waits until a thing exists that the server creates after its answer (202). */
async function isThere(session: Session, things: Things, { made, values }: Thing): Promise<void> {
  if (made.status !== 202) return;
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (isSuccess(await things.call(session, 'read', values))) return;
    await session.clock.sleep(PAUSE_MS);
  }
  throw new NotExercised('an opportunity', 'the resource is created later than the suite waits: 202');
}

/** The address in `Location` is requested if it belongs to the server. */
function addressOf({ api }: Facts<Resource>, things: Things): RequestPlans {
  const read = things.operation('read');
  const { operation: _, ...plan } = read === undefined ? {} : api.plan(read, { times: 2 });
  return read === undefined
    ? {}
    : { address: { ...(plan as RequestPlan), target: '{address}', fromOrigin: true } };
}

/** The resource in the `Location` of a creation exists, and is the created one (RFC 9110, sections 10.2.2 and 15.3.2). */
async function* judgeAddress(
  facts: OperationFacts<Resource>,
  name: 'created' | 'upsert',
  session: Session,
  { things, thing: { id, made } }: { readonly things: Things; readonly thing: Thing },
): AsyncGenerator<Check> {
  const location = made.header('location');
  if (location === undefined) return;
  const { target, headers } = made.request;
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? 'localhost';
  const own = new URL(target, `http://${host}`);
  const named = URL.canParse(location, own.href) ? new URL(location, own) : undefined;
  // Behind a gateway a server may use another name for itself.
  if (named === undefined || named.host !== own.host) return;
  const seen = await session.send('address', { fill: { address: `${named.pathname}${named.search}` } });
  yield* facts.judge(
    name,
    [made, seen],
    seen.status !== 404 && seen.status !== 410,
    `a resource at the address ${location}, which Location names`,
    sketchAnswer(seen),
  );
  // The address may also be that of something else, such as the progress of the creation.
  const read = things.operation('read');
  const shown =
    isSuccess(seen) && isPathOf(read, named.pathname) ? things.idIn(things.shownIn(seen)) : undefined;
  if (shown !== undefined)
    yield* facts.judge(
      name,
      [made, seen],
      String(shown) === String(id),
      `${String(id)} at the address ${location}, which Location names`,
      String(shown),
    );
}

/** Whether a path ends like that of an operation; a server can be below a path. */
function isPathOf(operation: Operation | undefined, path: string): boolean {
  if (operation === undefined) return false;
  const wanted = operation.path.split('/').slice(1);
  const segments = path.split('/').slice(-wanted.length);
  return (
    segments.length === wanted.length &&
    wanted.every((part, index) => part === segments[index] || /^\{[^}]*\}$/.test(part))
  );
}

function missing(facts: OperationFacts<Resource>, things: Things, first: Role): readonly Scenario[] {
  if (things.operation('create') === undefined) return [];
  const { missing: stated = { status: 404 } } = facts.policy;
  const below = callsBelow(facts.api, facts.operation, stated.status);
  return facts.scenario(['missing'], {
    id: `resource.${facts.policy.collection}.missing`,
    title: title(facts.operation, 'an id that does not exist'),
    permissions: ['writes'],
    severalCases: facts.ids('missing'),
    requests: {
      ...things.requests({ create: 2, [first]: 2 + MOST_IDS, patch: 1, replace: 1, delete: 1 }),
      ...requestsBelow(facts.api, below),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const thing = await things.make(session, within, { isLater: true });
      const values = await valuesOfNothing(facts, things, thing, session);
      const roles: readonly Role[] = ['read', 'patch', 'replace', 'delete'];
      for (const role of roles) {
        const operation = things.operation(role);
        if (operation === undefined || (role === 'replace' && facts.policy.upsert === true)) continue;
        if (role === 'delete' && facts.policy.idempotentDelete === true) continue;
        // If the document declares no such refusal, the sheet alone does not require one.
        if (!isDeclared(facts, operation, stated.status)) continue;
        const seen = await things.call(session, role, values, {
          body: things.changeBody(session, role, thing.sent),
          ifMatch: null,
        });
        if (isRefusedBefore(operation, seen) || isDoneAgain(operation, role, seen, stated.status)) continue;
        yield* refusal(facts, 'missing', seen, stated, 'for an id that does not exist');
      }
      for (const operation of below) {
        const seen = await callBelow(facts.api, session, operation, values);
        if (!isRefusedBefore(operation, seen))
          yield* refusal(facts, 'missing', seen, stated, `to ${operation.id} of an id that does not exist`);
      }
    },
  });
}

function deleted(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const {
    missing: stated = { status: 404 },
    collection,
    upsert: makes,
    idempotentDelete: isAgain,
  } = facts.policy;
  const { operation } = facts;
  const below = callsBelow(facts.api, operation, stated.status);
  return facts.scenario(['deleted'], {
    id: `resource.${collection}.deleted`,
    title: title(operation, 'the deleted resource is gone'),
    permissions: ['writes'],
    severalCases: facts.ids('deleted'),
    requests: {
      ...things.requests({ create: 4, read: 8, list: 20, delete: 2, patch: 1, replace: 1 }),
      ...requestsBelow(facts.api, below),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const [thing, other] = [await things.make(session, within), await things.make(session, within)];
      const seen = await things.call(session, 'delete', thing.values);
      if (seen.status === 202) throw new NotExercised('an opportunity', 'the resource is deleted later: 202');
      yield* facts.judge(
        'deleted',
        [thing.made, seen],
        isSuccess(seen),
        'a success for an existing resource',
      );
      if (!isSuccess(seen)) return;
      for (const role of ['read', 'delete', 'patch', 'replace', 'read'] as const) {
        const own = things.operation(role);
        if (own === undefined || (role === 'replace' && makes === true)) continue;
        const isJudged = role === 'read' || (role === 'delete' && isAgain === true);
        if (!isJudged && !isDeclared(facts, own, stated.status)) continue;
        const again = await things.call(session, role, thing.values, {
          body: things.changeBody(session, role, thing.sent),
          ifMatch: null,
        });
        if (role !== 'read' && isRefusedBefore(own, again)) continue;
        if (role === 'delete' && isAgain === true) {
          yield* facts.judge('deleted', [seen, again], isSuccess(again), 'a success for a second deletion');
          continue;
        }
        if (isDoneAgain(own, role, again, stated.status)) continue;
        yield* refusal(facts, 'deleted', again, stated, 'for the deleted resource');
      }
      for (const one of below) {
        const again = await callBelow(facts.api, session, one, thing.values);
        if (!isRefusedBefore(one, again))
          yield* refusal(facts, 'deleted', again, stated, `to ${one.id} of the deleted resource`);
      }
      if (things.operation('list') !== undefined) {
        const { ids, pages } = await things.listed(session, within);
        yield* facts.judge(
          'deleted',
          [seen, ...pages.slice(-1)],
          !ids.has(String(thing.id)),
          'a list without it',
          `a list with ${String(thing.id)}`,
        );
      }
      if (things.operation('read') !== undefined) {
        const kept = await things.call(session, 'read', other.values);
        yield* facts.judge(
          'deleted',
          [seen, kept],
          isSuccess(kept),
          `the other resource ${String(other.id)}`,
        );
      }
    },
  });
}

function taken(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { policy, operation } = facts;
  if (policy.id.form !== 'caller' || policy.operations.create === undefined) return [];
  return facts.scenario(['taken'], {
    id: `resource.${policy.collection}.taken`,
    title: title(operation, 'one id twice'),
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: things.requests({ create: 4 }),
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session));
      for (let time = 0; time < 2; time += 1)
        yield* refusal(
          facts,
          'taken',
          await things.makeAgain(session, thing),
          policy.taken ?? { status: 409 },
          'for an id that is already in use',
        );
    },
  });
}

function upsert(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { policy, operation } = facts;
  if (policy.upsert !== true || things.operation('read') === undefined) return [];
  const asCreator = things.replacing();
  return facts.scenario(['upsert'], {
    id: `resource.${policy.collection}.upsert`,
    title: title(operation, 'creates a resource that does not exist'),
    permissions: ['writes'],
    severalCases: facts.ids('upsert'),
    requests: { ...asCreator.requests({ create: 4, read: 2 }), ...addressOf(facts, asCreator) },
    async *run(session: Session) {
      const within = await asCreator.within(session);
      const thing = await asCreator.make(session, within);
      const seen = await asCreator.call(session, 'read', thing.values);
      yield* judgeShown(facts, 'upsert', asCreator, seen, thing);
      // RFC 9110, section 9.3.4; a server whose document does not declare 201 is left alone.
      if (
        responseFor(operation, 200) !== undefined &&
        operation.responses.some(({ status }) => status === '201')
      )
        yield* facts.judge(
          'upsert',
          thing.made,
          thing.made.status === 201,
          '201 for a resource that did not exist',
        );
      yield* judgeAddress(facts, 'upsert', session, { things: asCreator, thing });
      const small = await asCreator.make(session, within, { isSmall: true });
      if (defaultsOf(facts.api, operation, small.sent).length === 0) return;
      yield* judgeDefaults(
        facts,
        'upsert',
        asCreator,
        small,
        await asCreator.call(session, 'read', small.values),
      );
    },
  });
}

function isDeclared({ policy }: Facts<Resource>, operation: Operation, status: number): boolean {
  return policy.missing !== undefined || responseFor(operation, status) !== undefined;
}

/** Whether a deletion succeeds although there is nothing, and the document does not declare that it is refused. */
function isDoneAgain(operation: Operation, role: Role, seen: Exchange, status: number): boolean {
  return role === 'delete' && isSuccess(seen) && responseFor(operation, status) === undefined;
}

/** Whether a precondition or the body was checked first, which no policy forbids. */
function isRefusedBefore(operation: Operation, { status }: Exchange): boolean {
  const guard = operation.policies.find((policy) => policy.kind === 'conditional-write');
  return guard !== undefined && [guard.mismatch.status, guard.required?.status].includes(status);
}

/** Short ids can belong to other things, which a read shows. */
async function valuesOfNothing(
  facts: OperationFacts<Resource>,
  things: Things,
  thing: Thing,
  session: Session,
): Promise<Values> {
  const { parameter } = things.roles;
  let values: Values = {};
  for (let time = 0; time < MOST_IDS; time += 1) {
    values = { ...thing.values, [parameter]: idOfNothing(facts, things, thing, session) };
    const text = String(values[parameter]);
    if (things.operation('read') === undefined || text.length > LONG_ID) return values;
    const seen = await things.call(session, 'read', values);
    if (!isSuccess(seen) || String(things.idIn(things.shownIn(seen))) !== text) return values;
  }
  return values;
}

/** An id in the server's own form that does not exist. */
function idOfNothing(
  { policy, api }: OperationFacts<Resource>,
  things: Things,
  { id }: Thing,
  session: Session,
): Values[string] {
  const far = 1_000_000 + Number.parseInt(session.freshKey().slice(0, 5), 16);
  const declared = ['read', 'replace', 'patch', 'delete']
    .map((role) => things.operation(role as Role))
    .flatMap((operation) => (operation === undefined ? [] : pathParameters(operation)))
    .find(({ name }) => name === things.roles.parameter);
  const text = String(id);
  const kept = policy.id.prefix?.length ?? 0;
  const [, head = '', digits] = /^(.*?)(\d{1,15})$/.exec(text) ?? [];
  const others =
    typeof id === 'number'
      ? [id + far, id + 1000]
      : [
          ...(digits === undefined || digits.length > 9 ? [] : [`${head}${Number(digits) + far}`]),
          // Ids can be counted with letters as well: without zeros in front, it is far from any other.
          textOfSameForm(
            `${text.slice(0, kept)}${text.slice(kept).replaceAll('0', '1')}`,
            session.freshKey,
            kept,
          ),
          textOfSameForm(text, session.freshKey, kept),
        ];
  const found = others.find(
    (other) => other !== id && (declared === undefined || api.misfits(declared, other).length === 0),
  );
  if (found === undefined)
    throw new NotExercised('an opportunity', `no other id in the form of ${text} is known`);
  return found;
}
