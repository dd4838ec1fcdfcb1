import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { watchDelays, whyTooLate } from '../../scenarios/delays.ts';
import { Hindered, NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlan, RequestPlans, Scenario, Session } from '../../scenarios/scenario.ts';
import { bodyFor } from '../document/values.ts';
import { callsOn } from '../../target/occasions.ts';
import type { Occasion } from '../../target/occasions.ts';
import { occasionNeed } from '../document/occasions.ts';
import { classOf, whenOf } from './facts.ts';
import type { OperationFacts } from './facts.ts';
import { keyedCalls } from './keyed.ts';
import type { KeyedCall } from './keyed.ts';
import { statesBucket } from './refusal.ts';

type Replay = Extract<PolicyOf<'idempotency'>, { mode: 'replay' }>;

/** How a template reads answers to keys. */
export interface KeyReading {
  readonly isMarked: (seen: Exchange) => boolean;
  /** Whether an answer is the recorded one. */
  readonly replays: (first: Exchange, seen: Exchange) => boolean;
}

/**
 * Keys whose first call had no success: its error is recorded and replayed, unless its status frees the key. The fixtures
 * provoke the errors.
 */
export function keyedOccasions(facts: OperationFacts<Replay>, reading: KeyReading): readonly Scenario[] {
  const { api, operation } = facts;
  const calls = keyedCalls(api, operation);
  const title = `${operation.method.toUpperCase()} ${operation.path}`;
  return [
    ...ERRORS.flatMap(([name, status]) =>
      facts.scenario(['replayed', 'released', 'mismatch'], {
        id: `idempotency.${operation.id}.${name}`,
        when: [[name, classOf(status)]],
        // A usual refusal of this kind frees the key, so that nothing is recorded for it.
        searches: frees(facts.policy.release, status) ? facts.ids('replayed', 'mismatch') : [],
        title: `${title}: a key again, after a call that is ${name}`,
        permissions: ['writes'],
        severalCases: facts.ids('replayed', 'released', 'mismatch'),
        needs: [occasionNeed(operation, name)],
        requests: withCall(calls.requests(3 * MOST_CALLS), { judgesRefusal: true }),
        async *run(session: Session) {
          for (const given of callsOn(name, operation.id, session.fixtures).slice(0, MOST_CALLS)) {
            const call = await calls.start(session, [name, given]);
            yield* judgeError(facts, reading, call, session.freshKey(), name);
          }
        },
      }),
    ),
    ...facts.scenario(['first-use', 'no-key', 'replayed'], {
      id: `idempotency.${operation.id}.other`,
      when: [['other', '2xx']],
      title: `${title}: a key again, for another valid call`,
      permissions: ['writes'],
      needs: [occasionNeed(operation, 'other')],
      severalCases: facts.ids('first-use', 'replayed'),
      requests: calls.requests(2 + FIRST_USES),
      async *run(session: Session) {
        const [other] = callsOn('other', operation.id, session.fixtures);
        if (other === undefined) return;
        const call = await calls.start(session, ['other', other]);
        const key = session.freshKey();
        const first = await call.first(key);
        yield* judgeFirst(facts, reading, first, 'to a new key');
        const again = await call.send(key);
        const expected = `${first.status} with the same body`;
        yield* facts.judge(
          'replayed',
          [first, again],
          reading.replays(first, again),
          expected,
          sketchAnswer(again),
        );
        yield* judgeFirstUses(facts, reading, call, session.freshKey());
      },
    }),
    ...facts.scenario(['consumed', 'replayed'], {
      id: `idempotency.${operation.id}.huge`,
      when: [['huge', '2xx']],
      title: `${title}: a key again, after a large answer`,
      permissions: ['writes'],
      severalCases: facts.ids('consumed', 'replayed'),
      needs: [occasionNeed(operation, 'huge')],
      requests: calls.requests(3),
      async *run(session: Session) {
        const [huge] = callsOn('huge', operation.id, session.fixtures);
        if (huge === undefined) return;
        const call = await calls.start(session, ['huge', huge]);
        const key = session.freshKey();
        const first = await call.first(key);
        for (const again of [await call.send(key), await call.send(key)])
          yield* judgeLarge(facts, reading, first, again);
      },
    }),
    ...facts.scenario(['in-flight', 'retry-after', 'replayed'], {
      id: `idempotency.${operation.id}.slow`,
      when: [['slow', '2xx']],
      title: `${title}: a key again, while its slow call runs, and after it`,
      permissions: ['writes'],
      severalCases: facts.ids('in-flight'),
      needs: [occasionNeed(operation, 'slow')],
      requests: withCall(calls.requests(4 * TRIES + 3 + MOST_WAITS), { judgesRefusal: true }),
      async *run(session: Session) {
        const [slow] = callsOn('slow', operation.id, session.fixtures);
        if (slow !== undefined)
          yield* judgeSlow(facts, reading, session, await calls.start(session, ['slow', slow]));
      },
    }),
  ];
}

/** Whether a status frees keys: it is one of the numbers, or of the classes such as `5xx`. */
export function frees(release: Replay['release'] = [], status: number): boolean {
  return release.some((one) => one === status || one === classOf(status));
}

/** How many calls `judgeFirstUses` sends. */
export const FIRST_USES = 2;

/** Calls that are no replays: with a new key of other characters, and without a key. */
export async function* judgeFirstUses(
  facts: OperationFacts<Replay>,
  reading: KeyReading,
  call: KeyedCall,
  key: string,
): AsyncGenerator<Check> {
  // Whether such a key is allowed is open.
  yield* judgeFirst(facts, reading, await call.send(`.${key}`), 'to a new key');
  yield* judgeFirst(facts, reading, await call.sendWithoutKey(), 'to a call without a key', 'no-key');
}

/** The refusal of a key whose call runs says when to send it again, if the sheet says so. */
export function* judgeAdvice(facts: OperationFacts<Replay>, refused: Exchange): Generator<Check> {
  const { inFlight } = facts.policy;
  if (!inFlight.retryAfter || refused.status !== inFlight.status) return;
  const advice = refused.header('retry-after');
  yield* facts.judge(
    'retry-after',
    refused,
    saysWhen(advice),
    'Retry-After with seconds or a date',
    advice ?? 'none',
  );
}

// --- internal ---

function* judgeFirst(
  facts: OperationFacts<Replay>,
  { isMarked }: KeyReading,
  seen: Exchange,
  what: string,
  name: 'first-use' | 'no-key' = 'first-use',
): Generator<Check> {
  const { replayHeader: mark } = facts.policy;
  const unmarked = mark === undefined ? '' : ` without ${mark.name}: ${mark.value}`;
  if (isSuccess(seen)) yield* facts.judge(name, seen, !isMarked(seen), `an answer${unmarked}, ${what}`);
}

/** An answer that was too large to keep is refused, if the sheet says how; never is a part of it replayed. */
function* judgeLarge(
  facts: OperationFacts<Replay>,
  { replays }: KeyReading,
  first: Exchange,
  again: Exchange,
): Generator<Check> {
  const { consumed } = facts.policy;
  const isWhole = replays(first, again);
  if (consumed === undefined) {
    // How much a server keeps is open.
    if (isSuccess(again))
      yield* facts.judge('replayed', [first, again], isWhole, 'the whole answer', sketchAnswer(again));
    return;
  }
  const { status, bucket } = consumed;
  yield* facts.judge(
    'consumed',
    [first, again],
    isWhole || (again.status === status && statesBucket(facts.api, again, bucket)),
    `the whole answer, or ${status} because it was not kept`,
    sketchAnswer(again),
  );
}

/** Occasions on which a call has no success, with the usual status. */
const ERRORS: readonly (readonly [Occasion, number])[] = [
  ['refused', 422],
  ['invalid', 422],
  ['missing', 404],
  ['limited', 429],
  ['failing', 500],
  ['unavailable', 503],
];
/** How many calls of one occasion are tried. */
const MOST_CALLS = 3;
const TRIES = 3;
const MOST_WAITS = 5;
const WAIT_MS = 1000;

function withCall(requests: RequestPlans, parts: Partial<RequestPlan>): RequestPlans {
  const { call, ...others } = requests;
  return call === undefined ? requests : { ...others, call: { ...call, ...parts } };
}

async function* judgeError(
  facts: OperationFacts<Replay>,
  { isMarked, replays }: KeyReading,
  call: KeyedCall,
  key: string,
  occasion: Occasion,
): AsyncGenerator<Check> {
  const { policy, api } = facts;
  const first = await call.send(key);
  const when = [occasion, ...whenOf(first)];
  if (isSuccess(first)) throw new NotExercised('an opportunity', `the call got ${sketchAnswer(first)}`);
  // The result of such a call can still be collected.
  if (first.status === policy.collecting?.status && first.header(policy.collecting.marker) !== undefined)
    return;
  const again = await call.send(key);
  const isFreed = frees(policy.release, first.status);
  const other = call.alike()?.others.at(-1);
  if (isFreed) {
    const isRefused = (one: Exchange): boolean =>
      one.status === policy.mismatch.status && statesBucket(api, one, policy.mismatch.bucket);
    const seen = [again, ...(other === undefined ? [] : [await call.sendBody(key, other)])];
    // The call itself may be refused like a key of another body.
    for (const one of isRefused(first) ? [] : seen)
      yield* facts.judge(
        'released',
        [first, one],
        !isMarked(one) && !isRefused(one),
        `a call that runs, because ${first.status} frees the key`,
        sketchAnswer(one),
        when,
      );
    return;
  }
  // A server may refuse such a call before it looks at the key: then nothing is recorded.
  if (occasion === 'invalid' && !isMarked(again)) return;
  const kept = `${first.status}, as recorded for the key`;
  yield* facts.judge('replayed', [first, again], replays(first, again), kept, sketchAnswer(again), when);
  if (other === undefined || !replays(first, again)) return;
  const { status, bucket } = policy.mismatch;
  const seen = await call.sendBody(key, other);
  const isRefused = !isMarked(seen) && statesBucket(api, seen, bucket);
  const what = 'for another body than that of the refused call';
  yield* facts.status('mismatch', seen, status, what, isRefused, when);
}

async function* judgeSlow(
  facts: OperationFacts<Replay>,
  { isMarked, replays }: KeyReading,
  session: Session,
  call: KeyedCall,
): AsyncGenerator<Check> {
  const { inFlight } = facts.policy;
  const isBusy = ({ status }: Exchange): boolean => status !== inFlight.status && status === 429;
  let late: string | undefined;
  for (let time = 0; time < TRIES; time += 1) {
    const key = session.freshKey();
    const delays = watchDelays(session.clock);
    const seen = await call.race(key, 2);
    late = whyTooLate(delays()) ?? late;
    const first = seen.find((one) => isSuccess(one) && !isMarked(one));
    const during = seen.find((one) => one !== first && one.answer !== undefined);
    if (first === undefined || during === undefined) continue;
    // On an uneven line the second one may come when the first has ended. If that happens each time, it has waited for it.
    if (isSuccess(during) && time < TRIES - 1) continue;
    if (isSuccess(during) && late !== undefined) throw new Hindered(late, [first.id, during.id]);
    if (isBusy(during) && (await call.race(session.freshKey, 2)).some(isBusy)) continue;
    yield* facts.status('in-flight', during, inFlight.status, 'while the slow call with its key runs');
    yield* judgeAdvice(facts, during);
    yield* judgeOtherWhileSlow(facts, isMarked, session, call);
    let after = await call.send(key);
    for (let wait = 0; wait < MOST_WAITS && after.status === inFlight.status; wait += 1) {
      await session.clock.sleep(WAIT_MS);
      after = await call.send(key);
    }
    const expected = `${first.status} with the same body, after the slow call has ended`;
    const isKept = replays(first, after);
    yield* facts.judge('replayed', [first, after], isKept, expected, sketchAnswer(after), ['slow']);
    return;
  }
  throw new NotExercised('an opportunity', 'no slow call met another one with its key');
}

/** The key of a call that runs is in use, whatever the other call with it has in its body. */
async function* judgeOtherWhileSlow(
  facts: OperationFacts<Replay>,
  isMarked: KeyReading['isMarked'],
  session: Session,
  call: KeyedCall,
): AsyncGenerator<Check> {
  const key = session.freshKey();
  const other = bodyFor(facts.api, facts.operation, session.fixtures)?.value;
  if (other === undefined) return;
  const running = call.send(key);
  await session.clock.sleep(UNTIL_RUNNING_MS);
  const during = await call.sendBody(key, other);
  const first = await running;
  // Then they have not met, or the bodies are one.
  if (!isSuccess(first) || isMarked(first) || during.endedAt >= first.endedAt || isMarked(during)) return;
  // A refusal for another reason shows nothing about the key.
  const { inFlight, mismatch } = facts.policy;
  if (!isSuccess(during) && ![inFlight.status, mismatch.status].includes(during.status)) return;
  yield* facts.judge(
    'in-flight',
    [first, during],
    !isSuccess(during),
    'a refusal of another body, while the slow call with its key runs',
    sketchAnswer(during),
  );
}

const UNTIL_RUNNING_MS = 300;

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function saysWhen(text: string | undefined): boolean {
  return (
    text !== undefined &&
    (/^\s*\d+\s*$/.test(text) || (Number.isFinite(Date.parse(text)) && /^[A-Z]/i.test(text)))
  );
}
