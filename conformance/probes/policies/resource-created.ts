import type { PolicyOf } from '../../../contract/index.ts';
import { at, isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { plainName } from '../../../contract/text/plain-name.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { occasionNeed, occasionValues, onOccasion } from '../document/occasions.ts';
import { pathParameters } from '../own-api.ts';
import { addressOf, judgeAddress } from './created-address.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { defaultsOf } from './declared-defaults.ts';
import { judgeCreation, judgeDefaults } from './kept-members.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** Created things exist, as they were sent, under ids of their own. */
export function created(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const isRead = things.operation('read') !== undefined;
  return [...(isRead ? [existing(facts, things)] : [answered(facts, things)]), rich(facts, things)].flat();
}

// --- internal ---

function existing(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  return facts.scenario(['created'], {
    id: `resource.${facts.policy.collection}.created`,
    title: `${facts.operation.method.toUpperCase()} ${facts.operation.path}: the created resource exists`,
    permissions: ['writes'],
    severalCases: facts.ids('created'),
    requests: { ...things.requests({ create: 12, read: 6 }), ...addressOf(facts, things) },
    async *run(session: Session) {
      const within = await things.within(session);
      const first = await things.make(session, within);
      const second = await things.make(session, within, { isVaried: true });
      yield* judgeIds(facts, first, second);
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
      for (const options of [{ isSmall: true }, { lacksDefaults: true }]) {
        const thing = await things.make(session, within, options);
        if (thing.made.status === 202) return;
        yield* judgeDefaults(
          facts,
          'created',
          things,
          thing,
          await things.call(session, 'read', thing.values),
        );
      }
    },
  });
}

/** The same for things that only the answer to their creation shows. */
function answered(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  return facts.scenario(['created'], {
    id: `resource.${policy.collection}.created`,
    title: `${operation.method.toUpperCase()} ${operation.path}: the answer shows what was created`,
    alsoTakes: [occasionNeed(operation, 'other')],
    permissions: ['writes'],
    severalCases: facts.ids('created'),
    requests: things.requests({ create: 5 }),
    async *run(session: Session) {
      const within = await things.within(session);
      const { item } = policy;
      if (item !== undefined) {
        const seen = await things.attempt(session, within);
        const isAnswered = isSuccess(seen) && seen.status !== 202 && isObject(seen.json);
        if (isAnswered && things.shownIn(seen) === undefined) {
          yield* facts.judge('created', seen, false, `the created resource at ${item} of the answer`);
          return;
        }
      }
      const first = await things.make(session, within);
      const second = await things.make(session, within, { isVaried: true });
      yield* judgeIds(facts, first, second);
      for (const thing of [first, second])
        if (!isReceipt(things, thing)) yield* judgeShown(facts, 'created', things, thing.made, thing);
      const [other] = callsOn('other', operation.id, session.fixtures);
      if (other === undefined) return;
      const place = { ...within, ...occasionValues(operation, other) };
      const own = onOccasion(session, operation, 'other', other);
      yield* judgePlaces(facts, things, [first, await things.make(own, place)]);
    },
  });
}

/** Values that are easily spoilt on their way: texts of other scripts, in chunks, and long lists. */
function rich(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  return facts.scenario(['created'], {
    id: `resource.${policy.collection}.rich`,
    title: `${operation.method.toUpperCase()} ${operation.path}: texts of other scripts, and long lists`,
    permissions: ['writes'],
    severalCases: facts.ids('created'),
    requests: things.requests({ create: 4, read: 1 }),
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session), { isRich: true });
      const isRead = things.operation('read') !== undefined;
      const seen = isRead ? await things.call(session, 'read', thing.values) : thing.made;
      if (isRead || !isReceipt(things, thing)) yield* judgeShown(facts, 'created', things, seen, thing);
    },
  });
}

/** Whether the answer to a creation names the thing, and shows nothing of what was sent: the document allows members to be left out. */
function isReceipt(things: Things, { made, sent }: Thing): boolean {
  const shown = things.shownIn(made);
  const { item } = things.roles;
  const inner = item === undefined ? undefined : at(sent, item);
  const names = Object.keys(isObject(inner) ? inner : isObject(sent) ? sent : {});
  return shown !== undefined && names.length > 0 && names.every((name) => !Object.hasOwn(shown, name));
}

function judgeIds(facts: OperationFacts<Resource>, first: Thing, second: Thing): Generator<Check> {
  return facts.judge(
    'created',
    [first.made, second.made],
    String(first.id) !== String(second.id),
    'two resources with two ids',
    `${String(first.id)} twice`,
  );
}

/**
 * Of two things below two parents, no member with the name of a parameter of the path shows one parent for both. Which of its
 * names a parent is shown with is the server's affair.
 */
function* judgePlaces(
  facts: OperationFacts<Resource>,
  things: Things,
  made: readonly [Thing, Thing],
): Generator<Check> {
  for (const { name } of pathParameters(facts.operation)) {
    const [one, other] = made.map(({ within }) => within[name]);
    if (one === undefined || other === undefined || String(one) === String(other)) continue;
    const [before, after] = made.map((thing) => shownAs(things.shownIn(thing.made), name));
    if (before === undefined || after === undefined) continue;
    yield* facts.judge(
      'created',
      made.map((thing) => thing.made),
      before !== after,
      `two resources of ${String(one)} and of ${String(other)}, each with its own ${name}`,
      `${before} for both`,
    );
  }
}

/** The member whose name is that of a parameter, in any spelling. */
function shownAs(shown: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const [, value] = Object.entries(shown ?? {}).find(([own]) => plainName(own) === plainName(name)) ?? [];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
