import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import { OF_REQUEST } from '../../scenarios/company.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { Values } from '../own-api.ts';
import { thingsBy } from './things.ts';
import { mayBeTaken, UniqueCalls, lockOf } from './unique-calls.ts';
import type { Unique, UniqueCall } from './unique-calls.ts';

/**
 * Two calls at the same time. With the same value only one succeeds: a server that looks first and stores later makes both.
 * With two values neither is refused because of the other.
 */
export function atOnce(facts: Unique): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const calls = new UniqueCalls(facts);
  const things = thingsBy(api, 'create', operation);
  const reader = things?.operation('read');
  /** Whether a call has made something: an answer before the work is done does not say so. */
  const isMade = async (session: Session, seen: Exchange, within: Values): Promise<boolean> => {
    if (seen.status !== 202) return true;
    const id = things?.madeId(seen);
    if (things === undefined || reader === undefined || id === undefined) return false;
    const values = { ...within, [things.roles.parameter]: id };
    return isSuccess(await things.send(session, 'read of what was made', reader, values, {}));
  };
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}.race`,
    lock: lockOf(facts),
    title: `${operation.method.toUpperCase()} ${operation.path}: the same ${policy.member} twice at once`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: {
      ...calls.requests(2 * RACES + 2 * (1 + MOST_ALONE)),
      ...(reader === undefined ? {} : { 'read of what was made': api.plan(reader, { times: 2 * RACES }) }),
    },
    async *run(session: Session) {
      const call = await calls.start(session);
      let isTried = false;
      for (let time = 0; time < RACES; time += 1) {
        const body = call.fresh();
        const seen = await call.race([body, body]);
        const done: Exchange[] = [];
        for (const one of seen.filter(isSuccess)) if (await isMade(session, one, call.values)) done.push(one);
        // A server may have no room for two.
        if (done.length === 0 || seen.some((one) => !isSuccess(one) && !mayBeTaken(facts, one))) continue;
        isTried = true;
        yield* facts.judge(
          'taken',
          seen,
          done.length === 1,
          `a refusal of one of two calls with the same ${policy.member}`,
          'both succeeded',
        );
      }
      yield* judgeBeside(facts, call);
      if (!isTried)
        throw new NotExercised(
          `bodies.${operation.id}`,
          `no pair of calls was answered by a success and a refusal of the ${policy.member}, or by two successes`,
        );
    },
  });
}

// --- internal ---

const RACES = 2;

/** How often a call that was refused beside another is sent alone. */
const MOST_ALONE = 2;
const PAUSE_MS = 250;

/** Two values at once. */
async function* judgeBeside(facts: Unique, call: UniqueCall): AsyncGenerator<Check> {
  const bodies = [call.fresh(), call.fresh()];
  for (const [index, seen] of (await call.race(bodies)).entries()) {
    const body = bodies[index];
    if (isSuccess(seen) || body === undefined || !isAboutItself(facts, seen)) continue;
    let alone = await call.send(body);
    for (let time = 1; time < MOST_ALONE && !isSuccess(alone); time += 1) {
      // Other scenarios may have calls under way.
      await call.pause(PAUSE_MS);
      alone = await call.send(body);
    }
    if (!isSuccess(alone)) continue;
    const expected = `no refusal of a ${facts.policy.member} because of another one beside it`;
    yield* facts.judge('taken', [seen, alone], false, expected, String(seen.status));
  }
}

/** Whether a refusal calls the request wrong, or its value taken: a server may be too busy for two calls at once. */
function isAboutItself(facts: Unique, seen: Exchange): boolean {
  const isTold = facts.policy.refusal?.bucket !== undefined && mayBeTaken(facts, seen);
  return OF_REQUEST.has(seen.status) || isTold;
}
