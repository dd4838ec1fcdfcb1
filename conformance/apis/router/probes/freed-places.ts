import { watchDelays } from '../../../scenarios/delays.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Fixtures } from '../../../target/fixtures.ts';
import { NotExercised, scenario } from '../../../scenarios/scenario.ts';
import type { Check, SendOptions, Session } from '../../../scenarios/scenario.ts';
import { bucketOf, judgeRoom } from './answers.ts';
import { LARGEST_LEAK, boundOf } from './capacity.ts';
import { declared, keyed } from './idempotency.ts';

/** Calls that end in other ways than with a result. */
const ENDS = ['reject422', 'policy', '5xx'] as const;

export const freedCapacity = scenario({
  id: 'router.run.freed-capacity',
  api: 'router',
  title: 'calls one after the other, with every end that there is',
  permissions: ['billed', 'slow'],
  needs: ['concurrency.bound'],
  lock: 'router.capacity',
  fillsCapacity: true,
  sensitive: true,
  judges: ['router.run.429-only-beyond'],
  severalCases: ['router.run.429-only-beyond'],
  requests: {
    ended: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'concurrency',
      times: (ENDS.length + 2) * (LARGEST_LEAK + 1) + 1 + LARGEST_LEAK,
      judgesRefusal: true,
    },
  },
  run: async function* (session) {
    const { send, fixtures, freshKey, clock } = session;
    const { bound, id: slow, input: patient } = smallBoundOf(fixtures);
    const delays = watchDelays(clock);
    const ends = ENDS.map((name) => fixtures.model?.[name]).filter((model) => model !== undefined);
    const { ok } = fixtures.model ?? {};
    const key = freshKey();
    const calls: readonly SendOptions[] = [
      ...ends.map(({ id, input }) => ({ fill: { id }, body: input })),
      // A call with a key, and its replays.
      ...(ok === undefined ? [] : [keyed(ok.id, ok.input, key)]),
    ];
    // A call that is refused because its key is in use is not in flight either.
    const held = keyed(slow, patient, freshKey());
    const holding = send('ended', held);
    await clock.sleep(200);
    for (let count = 0; count <= bound; count += 1) await send('ended', held);
    await holding;
    const answers: Exchange[] = [];
    for (const call of calls)
      for (let count = 0; count <= bound; count += 1) answers.push(await send('ended', call));
    // Every place is free again: as many calls as there are places run side by side.
    const whole = Array.from({ length: bound }, () => send('ended', { fill: { id: slow }, body: patient }));
    answers.push(...(await Promise.all(whole)));
    const lateMs = delays();
    // Document 1, POST /v1/models/{provider}/{model}, responses, row 429: refused while the caller holds as much as
    // allowed, and a call holds it while it is in flight.
    for (const answer of answers)
      yield judgeRoom(
        session,
        'router.run.429-only-beyond',
        [answer],
        bucketOf(answer) !== 'concurrency_limit_exceeded',
        'no refusal for lack of room within the limit',
        lateMs,
      );
  },
});

/** Longer deadlines are not waited for more than once in a run, in milliseconds. */
const NEAR_MS = 20_000;

export const leftPlaces = scenario({
  id: 'router.run.left-places',
  api: 'router',
  title: 'as many calls as there are places, after callers hung up and after the deadline',
  permissions: ['billed', 'slow'],
  needs: ['concurrency.bound'],
  lock: 'router.capacity',
  fillsCapacity: true,
  sensitive: true,
  budgetMs: 180_000,
  judges: ['router.run.429-only-beyond'],
  searches: ['router.run.429-only-beyond'],
  requests: {
    run: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'concurrency',
      times: 8 * LARGEST_LEAK,
      judgesRefusal: true,
    },
  },
  run: async function* (session) {
    const { fixtures, deadlineMs } = session;
    const { bound, id, input } = smallBoundOf(fixtures);
    const call = { fill: { id }, body: input };
    const tookMs = yield* judgeLeft(session, call, bound);
    const late = fixtures.model?.deadline;
    if (tookMs === undefined || late === undefined || fixtures.deadlineMs === undefined) return;
    if (deadlineMs > NEAR_MS) return;
    // At least two calls: the first one may give its place back where the second does not.
    for (let left = Math.max(2, bound); left > 0; left -= bound)
      await together(session, { fill: { id: late.id }, body: late.input }, bound);
    yield* judgeFreed(session, call, bound, tookMs);
  },
});

export const leftSpend = scenario({
  id: 'router.run.left-spend',
  api: 'router',
  title: 'as many calls as the limit of committed spend admits, after a refusal and after callers hung up',
  permissions: ['billed', 'slow'],
  needs: ['spend.bound'],
  lock: 'router.capacity',
  fillsCapacity: true,
  sensitive: true,
  budgetMs: 120_000,
  judges: ['router.run.429-only-beyond'],
  searches: ['router.run.429-only-beyond'],
  requests: {
    run: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'spend',
      times: 7 * LARGEST_LEAK,
      judgesRefusal: true,
    },
  },
  run: async function* (session) {
    const { id, input, calls } = declared(session.fixtures.spend?.bound, 'spend.bound');
    if (calls > LARGEST_LEAK)
      throw new NotExercised('spend.bound', `needs spend.bound with at most ${LARGEST_LEAK} calls`);
    const call = { fill: { id }, body: input };
    // How many the limit admits is not declared.
    const first = await together(session, call, calls);
    const admitted = first.filter(isSuccess).length;
    // A refused call commits nothing.
    const tookMs = Math.max(...first.map(({ startedAt, endedAt }) => endedAt - startedAt));
    if (admitted < calls) yield* judgeFreed(session, call, Math.max(1, admitted), tookMs);
    yield* judgeLeft(session, call, admitted);
  },
});

// --- internal ---

/** @throws {NotExercised} if the limit is too large for filling it several times */
function smallBoundOf(fixtures: Fixtures): ReturnType<typeof boundOf> {
  const found = boundOf(fixtures);
  if (found.bound > LARGEST_LEAK)
    throw new NotExercised('concurrency.bound', `needs concurrency.bound of at most ${LARGEST_LEAK}`);
  return found;
}

type Runs = Pick<Session<'run'>, 'send' | 'clock' | 'lostCalls'>;

function together({ send }: Runs, call: SendOptions, count: number): Promise<readonly Exchange[]> {
  return Promise.all(Array.from({ length: count }, () => send('run', call)));
}

/**
 * Fills every place with calls whose callers then hang up, and fills them again.
 *
 * @returns how long a call takes, in milliseconds; `undefined` if nothing was judged
 */
async function* judgeLeft(
  session: Runs,
  call: SendOptions,
  count: number,
): AsyncGenerator<Check, number | undefined> {
  const { send, clock } = session;
  const whole = await together(session, call, count);
  // A limit that refuses these already is the subject of another scenario.
  if (count === 0 || !whole.every(isSuccess)) return undefined;
  const tookMs = Math.max(...whole.map(({ startedAt, endedAt }) => endedAt - startedAt));
  const hangUp = new AbortController();
  const left = Array.from({ length: count }, () => send('run', { ...call, signal: hangUp.signal }));
  await clock.sleep(Math.min(300, tookMs / 2));
  hangUp.abort(new Error('the callers hang up'));
  await Promise.all(left);
  yield* judgeFreed(session, call, count, tookMs);
  return tookMs;
}

/**
 * Document 1, POST /v1/models/{provider}/{model}, responses, row 429: refused while the caller holds as much as
 * allowed. A call whose caller has left may run to its end.
 */
async function* judgeFreed(
  session: Runs,
  call: SendOptions,
  count: number,
  tookMs: number,
): AsyncGenerator<Check> {
  const isRefused = (answer: Exchange): boolean => bucketOf(answer) === 'concurrency_limit_exceeded';
  const delays = watchDelays(session.clock);
  await session.clock.sleep(2 * tookMs + 500);
  let answers = await together(session, call, count);
  if (answers.some(isRefused)) {
    await session.clock.sleep(PATIENCE_MS);
    answers = await together(session, call, count);
  }
  const lateMs = delays();
  for (const answer of answers)
    yield judgeRoom(
      session,
      'router.run.429-only-beyond',
      [answer],
      !isRefused(answer),
      'no refusal for lack of room after all earlier calls have ended',
      lateMs,
    );
}

/** How long a partner may take with a call that nothing waits for, in milliseconds. */
const PATIENCE_MS = 10_000;
