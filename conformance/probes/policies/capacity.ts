import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import { boundedThings } from './capacity-things.ts';
import { neverSent } from './facts.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { keyedCalls } from './keyed.ts';
import type { KeyedCall } from './keyed.ts';
import { MOST_LOOKS, isFull, isOfState, judgeFreed } from './freed-capacity.ts';
import { narrowCaller, plainRead } from './narrow-caller.ts';
import { refusal } from './refusal.ts';

/** How many calls of one caller may run, and how many of its things may exist, at once. */
export function capacityProbes(facts: OperationFacts<PolicyOf<'capacity'>>): Probes {
  return { scenarios: [...boundedCalls(facts), ...narrowCaller(facts), ...boundedThings(facts)] };
}

// --- internal ---

function boundedCalls(facts: OperationFacts<PolicyOf<'capacity'>>): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const { calls: most } = policy;
  if (most === undefined) return [];
  if (most > MOST_CALLS)
    return neverSent(facts, ['calls'], `no more than ${MOST_CALLS} calls are sent at once`);
  const read = plainRead(api);
  const calls = keyedCalls(api, operation, 'capacity');
  return facts.scenario(['calls'], {
    id: `capacity.${operation.id}`,
    title: `${operation.method.toUpperCase()} ${operation.path}: more at once than may be`,
    permissions: ['writes'],
    fillsCapacity: true,
    severalCases: facts.ids('calls'),
    requests: {
      ...calls.requests(TRIES * (most + 2) + MOST_LOOKS + SINGLES + 1 + LOAD * most + 1),
      ...(read === undefined ? {} : { read: api.plan(read, { times: SINGLES }) }),
    },
    async *run(session: Session) {
      const call = await calls.start(session);
      let refused: readonly Exchange[] = [];
      for (let time = 0; time < TRIES && refused.length === 0; time += 1) {
        const seen = await call.race(session.freshKey, most + 2);
        refused = seen.filter((one) => one.answer !== undefined && !isSuccess(one));
      }
      const others = refused.filter((one) => !isFull(facts, one));
      const alone = others.length === 0 ? undefined : await call.send(session.freshKey());
      if (alone !== undefined && !isSuccess(alone) && !isFull(facts, alone))
        throw new NotExercised('an opportunity', `a single call got ${sketchAnswer(alone)}`);
      for (const one of refused)
        if (!isOfState(facts, one)) yield* refusal(facts, 'calls', one, policy, 'to a call too many');
      if (refused.length === 0) {
        const seen = await overlap(session, call, most, read);
        if (seen !== undefined)
          yield* facts.judge(
            'calls',
            seen.answers,
            false,
            `a refusal with ${policy.status} of calls beyond ${most} at once`,
            `${seen.answers.length} successful calls in ${seen.wholeMs} ms, each of which takes ${seen.oneMs} ms alone`,
          );
        throw new NotExercised(
          'an opportunity',
          `of ${most + 2} calls sent at once, no more than ${most} ran at the same time`,
        );
      }
      yield* judgeFreed(facts, session, refused, () => call.send(session.freshKey()));
    },
  });
}

/**
 * Successful calls of which more than `most` ran at once: together they took less time than `most` at a time
 * can take. The time of the fastest read is subtracted, because it is the time of the network. If that is
 * longer than the call itself, nothing is judged.
 */
async function overlap(
  session: Session,
  call: KeyedCall,
  most: number,
  read: Operation | undefined,
): Promise<Overlap | undefined> {
  if (read === undefined) return undefined;
  const [ways, alone]: [number[], number[]] = [[], []];
  for (let time = 0; time < SINGLES; time += 1) {
    ways.push(lasted(await session.send('read', serialisedParameters(read, {}))));
    const single = await call.send(session.freshKey());
    if (!isSuccess(single)) return undefined;
    alone.push(lasted(single));
  }
  const answers = await call.race(session.freshKey, most * LOAD);
  if (!answers.every(isSuccess)) return undefined;
  const after = await call.send(session.freshKey());
  const [wayMs, oneMs] = [Math.min(...ways), Math.min(...alone, lasted(after))];
  const runsMs = oneMs - wayMs;
  const wholeMs =
    Math.max(...answers.map(({ endedAt }) => endedAt)) -
    Math.min(...answers.map(({ startedAt }) => startedAt));
  const isSeen = runsMs >= LEAST_MS && runsMs >= wayMs && wholeMs * MARGIN < runsMs * LOAD;
  return isSeen ? { answers, oneMs, wholeMs } : undefined;
}

interface Overlap {
  readonly answers: readonly Exchange[];
  readonly oneMs: number;
  readonly wholeMs: number;
}

function lasted({ startedAt, endedAt }: Exchange): number {
  return endedAt - startedAt;
}

const SINGLES = 3;
/** The number of simultaneous calls, as a multiple of the documented limit. */
const LOAD = 3;
const MARGIN = 1.5;
const LEAST_MS = 15;

const TRIES = 3;

/** More simultaneous calls would be a load test. */
const MOST_CALLS = 50;
