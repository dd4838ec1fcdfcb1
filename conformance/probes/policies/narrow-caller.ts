import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { unlessLate, watchDelays } from '../../scenarios/delays.ts';
import { BrokenFixture, NotExercised } from '../../scenarios/scenario.ts';
import type { RequestPlan, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import type { Occasion, OccasionCall } from '../../target/occasions.ts';
import { inputFor, withNewKey } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { occasionInput, occasionNeed, onOccasion } from '../document/occasions.ts';
import { isRead, streams } from '../own-api.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import type { OwnApi, Values } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { MOST_LOOKS, isFull, isOfState, judgeFreed } from './freed-capacity.ts';
import { refusal } from './refusal.ts';

/**
 * A caller of whom few calls may run at once, as the fixtures say, while slow calls use all of that: one more is refused, and
 * nothing else is. Afterwards each way in which a call can end has left room for the next one.
 */
export function narrowCaller(facts: OperationFacts<PolicyOf<'capacity'>>): readonly Scenario[] {
  const { api, operation, policy } = facts;
  if (policy.calls === undefined && policy.things !== undefined) return [];
  const read = plainRead(api);
  const isBounded = read === undefined || policy.operations.includes(read.id);
  const made = new MadeResources(api, operation);
  const plan = (as: RequestPlan['as'], times: number): RequestPlan =>
    api.plan(operation, { as, times, judgesRefusal: true });
  return facts.scenario(['calls'], {
    id: `capacity.${operation.id}.narrow`,
    title: `${operation.method.toUpperCase()} ${operation.path}: one call more than a caller may have at once`,
    permissions: ['writes', 'slow'],
    needs: ['account.narrow', occasionNeed(operation, 'slow')],
    fillsCapacity: true,
    sensitive: true,
    severalCases: facts.ids('calls'),
    requests: {
      ...made.requests(),
      hold: plan('narrow', MOST_CALLS),
      narrow: plan('narrow', 1 + MOST_LOOKS + ENDS.length),
      stranger: { ...plan('secondAccount', 1), isOptional: true },
      ...(isBounded ? {} : { read: { ...api.plan(read), as: 'narrow', judgesRefusal: true } }),
    },
    async *run(session: Session) {
      const calls = new NarrowCalls(api, facts, session, await made.values(session));
      const [slow] = callsOn('slow', operation.id, session.fixtures);
      const { narrowCalls: most = 1 } = session.fixtures.account ?? {};
      if (slow === undefined || most > MOST_CALLS)
        throw new NotExercised('account.narrow', `needs an account with at most ${MOST_CALLS} calls at once`);
      const lateMs = watchDelays(session.clock);
      const holding = Array.from({ length: most }, () => calls.send('hold', 'slow', slow));
      await session.clock.sleep(Math.min(UNTIL_HELD_MS, (slow.minMs ?? 2 * UNTIL_HELD_MS) / 2));
      const again = calls.options('full', slow);
      const beyond = await session.send('narrow', again);
      const beside = [
        ...(isBounded ? [] : [await session.send('read', serialisedParameters(read, {}))]),
        ...(session.knows('secondAccount') ? [await session.send('stranger', calls.usual())] : []),
      ];
      const held = await Promise.all(holding);
      const late = lateMs();
      const [early] = isSuccess(beyond)
        ? [beyond]
        : held.filter((one) => isFull(facts, one) || one.endedAt <= beyond.startedAt);
      // What refuses single calls, such as a conflict with another one, is no bound of their number.
      const busy = [...held, beyond].find(
        (one) =>
          isOfState(facts, one) ||
          (!isSuccess(one) && !isFull(facts, one) && one.endedAt <= beyond.startedAt),
      );
      if (busy !== undefined)
        throw new NotExercised('an opportunity', `one of the calls got ${sketchAnswer(busy)}`);
      if (early !== undefined) {
        const why = `no more than ${most} calls should run at once, and one got ${sketchAnswer(early)}`;
        throw unlessLate(new BrokenFixture('account.narrow', why, [early.id]), late, early);
      }
      yield* refusal(facts, 'calls', beyond, policy, 'to a call too many');
      for (const one of beside)
        yield* facts.judge(
          'calls',
          [beyond, one],
          !isFull(facts, one),
          'no such refusal of a read, or of the call of another caller',
          sketchAnswer(one),
        );
      if (beyond.status !== policy.status) return;
      yield* judgeFreed(facts, session, [beyond], () => session.send('narrow', again));
      for (const occasion of ENDS)
        for (const call of callsOn(occasion, operation.id, session.fixtures).slice(0, 1)) {
          const seen = await calls.send('narrow', occasion, call);
          yield* facts.judge(
            'calls',
            [seen],
            !isFull(facts, seen),
            'no such refusal while no other call runs',
          );
        }
    },
  });
}

/** A read that needs nothing but the caller. */
export function plainRead(api: OwnApi): Operation | undefined {
  return api.operations.find(
    (one) => isRead(one) && !streams(one) && one.parameters.every(({ required }) => !required),
  );
}

// --- internal ---

/** Larger bounds would be a load test. */
const MOST_CALLS = 5;

/** How long the slow calls have to arrive, in milliseconds. */
const UNTIL_HELD_MS = 200;

/** How a call can end other than with a success. */
const ENDS: readonly Occasion[] = ['failing', 'refused', 'invalid', 'missing'];

/** The calls of the scenario, each with a key of its own. */
class NarrowCalls {
  readonly #api: OwnApi;
  readonly #facts: OperationFacts<PolicyOf<'capacity'>>;
  readonly #session: Session;
  readonly #known: Values;

  constructor(api: OwnApi, facts: OperationFacts<PolicyOf<'capacity'>>, session: Session, known: Values) {
    this.#api = api;
    this.#facts = facts;
    this.#session = session;
    this.#known = known;
  }

  send(name: 'hold' | 'narrow', occasion: Occasion, call: OccasionCall): Promise<Exchange> {
    return this.#session.send(name, this.options(occasion, call));
  }

  options(occasion: Occasion, call: OccasionCall): SendOptions {
    const { operation } = this.#facts;
    const own = onOccasion(this.#session, operation, occasion, call);
    const { headers = [], ...sent } = occasionInput(this.#api, operation, own, call, this.#known);
    const options = { ...sent, headers: [...headers, ...Object.entries(call.headers ?? {})], occasion };
    return withNewKey(operation, options, this.#session) ?? options;
  }

  usual(): SendOptions {
    const { operation } = this.#facts;
    const sent = inputFor(this.#api, operation, this.#session, this.#known);
    return withNewKey(operation, sent, this.#session) ?? sent;
  }
}
