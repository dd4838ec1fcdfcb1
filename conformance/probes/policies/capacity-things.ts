import type { PolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { idOfCreated } from '../document/ids.ts';
import type { Values } from '../own-api.ts';
import { neverSent } from './facts.ts';
import type { OperationFacts } from './facts.ts';
import { refusal } from './refusal.ts';
import { shownLifecycle } from './shown-lifecycle.ts';
import { thingsOf } from './things.ts';

/** How many things of one caller may exist at once: one more is refused, until one of them is removed. */
export function boundedThings(facts: OperationFacts<PolicyOf<'capacity'>>): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const bound = policy.things;
  if (bound === undefined) return [];
  const resource = (api.contract.sheet?.policies ?? []).find(
    (one): one is PolicyOf<'resource'> => one.kind === 'resource' && one.operations.create === operation.id,
  );
  if (resource === undefined)
    return neverSent(facts, ['things'], `no resource of the sheet is created by ${operation.id}`);
  if (bound.most > MOST_THINGS)
    return neverSent(facts, ['things'], `no more than ${MOST_THINGS} things are created for one rule`);
  const things = thingsOf(api, resource);
  const read = things.operation('read');
  const property = shownLifecycle(api, read)?.property;
  const tries = bound.most + 1;
  return facts.scenario(['things'], {
    id: `capacity.${operation.id}.things`,
    title: `${operation.method.toUpperCase()} ${operation.path}: one more than may exist`,
    permissions: ['writes'],
    fillsCapacity: true,
    isUndisturbed: true,
    severalCases: facts.ids('things'),
    requests: things.requests({ create: tries + 1, read: tries + 1, delete: 1 }, { judgesRefusal: true }),
    async *run(session: Session) {
      const within = await things.within(session);
      const made: Exchange[] = [];
      let seen = await things.attempt(session, within);
      while (isSuccess(seen) && made.push(seen) < tries) seen = await things.attempt(session, within);
      const isRate = [429, 503].includes(seen.status) && seen.status !== policy.status;
      if (made.length === 0 || isRate)
        throw new NotExercised(
          'an opportunity',
          `the server returned ${seen.status} after ${made.length} creations`,
        );
      if (isSuccess(seen)) {
        const why = await whyNotCounted(session, made, within);
        if (why !== undefined) throw new NotExercised('an opportunity', why);
        yield* facts.judge(
          'things',
          made,
          false,
          `a refusal with ${policy.status} of more than ${bound.most} things`,
          `${made.length} things that exist at once`,
        );
        return;
      }
      yield* refusal(facts, 'things', seen, policy, 'to one thing too many');
      // Where others were there before, their number may change meanwhile.
      const [first] = made;
      if (first === undefined || made.length < bound.most || things.operation('delete') === undefined) return;
      const removed = await things.call(session, 'delete', valuesOf(first, within));
      if (!isSuccess(removed) || removed.status === 202) return;
      const next = await things.attempt(session, within);
      yield* facts.judge(
        'things',
        [seen, removed, next],
        next.status !== policy.status,
        `a creation that is not refused with ${policy.status}, after one of ${bound.most} things was removed`,
      );
    },
  });

  function valuesOf(made: Exchange, within: Values): Values {
    const { parameter } = things.roles;
    const id = things.idIn(things.shownIn(made)) ?? idOfCreated(api, made, parameter);
    return { ...within, [parameter]: id as Values[string] };
  }

  /** Why these things may not count; `undefined` if all do. */
  async function whyNotCounted(
    session: Session,
    made: readonly Exchange[],
    within: Values,
  ): Promise<string | undefined> {
    if (made.some(({ status }) => status === 202)) return 'things are created later: 202';
    if (read === undefined) return 'no operation reads the things, so they may not exist any more';
    for (const one of made) {
      const seen = await things.call(session, 'read', valuesOf(one, within));
      if (!isSuccess(seen)) return `a thing that was created does not exist any more: ${seen.status}`;
      if (bound?.states === undefined) continue;
      const state = property === undefined ? undefined : at(things.shownIn(seen), property);
      if (typeof state !== 'string' || !bound.states.includes(state))
        return `a thing is in the state ${String(state)}, which does not count`;
    }
    return undefined;
  }
}

// --- internal ---

/** More creations would be a load test. */
const MOST_THINGS = 50;
