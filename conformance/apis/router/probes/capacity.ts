import { check, undecided } from '../../../scenarios/check.ts';
import { unlessLate, watchDelays } from '../../../scenarios/delays.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, NotExercised, resource, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import type { Fixtures } from '../../../target/fixtures.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { bucketOf, judgeRoom, sketchRefusal } from './answers.ts';
import { declared, isReplayed, judgeReplay, keyed } from './idempotency.ts';
import { judgeFreshRun } from './runs.ts';

/** Larger bounds would cost too many runs. */
const LARGEST_BOUND = 20;

/** Larger bounds would cost too many calls. */
export const LARGEST_LEAK = 4;

/** A refusal for each of the two bounds, to compare their details. */
const refusals = resource<Map<'calls' | 'spend', Exchange>>({
  id: 'router.capacity.refusals',
  api: 'router',
  requests: {},
  obtain: () => Promise.resolve(new Map<'calls' | 'spend', Exchange>()),
});

export const concurrencyBound = scenario({
  id: 'router.run.concurrency-bound',
  api: 'router',
  title: 'one call more than the concurrency limit',
  permissions: ['billed', 'slow'],
  needs: ['concurrency.bound'],
  lock: 'router.capacity',
  fillsCapacity: true,
  sensitive: true,
  judges: [
    'router.run.429-bucket',
    'router.run.429-detail-names-bound',
    'router.run.429-retry-after-own-call',
    'router.run.429-per-caller',
    'router.run.429-only-beyond',
    'router.idem.release-429',
    'router.idem.replay',
  ],
  severalCases: ['router.run.429-only-beyond'],
  searches: ['router.idem.replay'],
  requests: {
    list: { method: 'GET', target: '/v1/models', as: 'concurrency', times: 1, judgesRefusal: true },
    repeated: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'concurrency',
      times: 3,
      judgesRefusal: true,
    },
    hold: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'concurrency',
      times: LARGEST_BOUND,
      judgesRefusal: true,
    },
    beyond: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'concurrency',
      times: LARGEST_LEAK,
      judgesRefusal: true,
    },
    later: { method: 'POST', target: '/v1/models/{id}', as: 'concurrency', times: 3, judgesRefusal: true },
    stranger: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'secondAccount',
      times: 1,
      judgesRefusal: true,
    },
  },
  uses: [refusals],
  run: async function* (session) {
    const { send, fixtures, freshKey, clock, obtain } = session;
    const { bound, id, input } = boundOf(fixtures);
    // A free call that has ended, with its answer on record. Whether it is recorded may be open (A-12).
    const ended = keyed(fixtures.model?.unknown ?? 'tallystick/no-such-model', {}, freshKey());
    await send('repeated', ended);
    const isRecorded = isReplayed(await send('repeated', ended));
    const delays = watchDelays(clock);
    const holding = Array.from({ length: bound }, () => send('hold', { fill: { id }, body: input }));
    await clock.sleep(200);
    const key = freshKey();
    const beyond = await send('beyond', keyed(id, input, key));
    // If refused calls used capacity, it would be missing later.
    const leaks = bound <= LARGEST_LEAK && beyond.status === 429 ? bound - 1 : 0;
    const [list, repeated] = await Promise.all([
      send('list'),
      isRecorded ? send('repeated', ended) : undefined,
      ...Array.from({ length: leaks }, () => send('beyond', { fill: { id }, body: input })),
    ]);
    const stranger =
      fixtures.cred?.secondAccount === undefined
        ? undefined
        : await send('stranger', {
            fill: { id: fixtures.model?.ok?.id ?? id },
            body: fixtures.model?.ok?.input ?? input,
          });
    const held = await Promise.all(holding);
    const lateMs = delays();
    const early = held.filter(({ endedAt }) => endedAt <= beyond.startedAt);
    const [first] = early.length > 0 ? early : held;
    const what =
      early.length > 0
        ? `${early.length} of the calls had ended before the limit was reached`
        : `${bound + 1} calls ran at once`;
    if (first !== undefined && (early.length > 0 || beyond.status < 400)) {
      const ids = early.length > 0 ? early.map(({ id }) => id) : [beyond.id];
      throw unlessLate(new BrokenFixture('concurrency.bound', what, ids), lateMs, first);
    }

    yield* judgeBound(beyond);
    yield* judgeDifference(await obtain(refusals), 'calls', beyond);
    // Document 1, Limits, row concurrent in-flight calls, applies to runs; Idempotency key handling, row 2: a replay is no
    // run.
    for (const answer of [list, repeated])
      if (answer !== undefined)
        yield check(
          'router.run.429-only-beyond',
          [beyond, answer],
          bucketOf(answer) !== 'concurrency_limit_exceeded',
          'no refusal of a read or of a replay for lack of room',
          sketchRefusal(answer),
        );
    if (beyond.status !== 429) return;
    if (stranger !== undefined && early.length === 0 && isDuring(stranger, held)) {
      // Document 1, Limits, row concurrent in-flight calls: bounded per caller.
      yield check(
        'router.run.429-per-caller',
        [beyond, stranger],
        bucketOf(stranger) !== 'concurrency_limit_exceeded',
        'no refusal of another caller for it',
        sketchRefusal(stranger),
      );
    }
    // Document 1, POST /v1/models/{provider}/{model}, responses, row 429: retry once one of the caller's own calls finishes.
    const freed = await send('later', keyed(id, input, freshKey()));
    yield judgeRoom(
      session,
      'router.run.429-retry-after-own-call',
      [beyond, freed],
      freed.status !== 429,
      'no 429 once a call has ended',
    );
    const retried = await send('later', keyed(id, input, key));
    if (retried.status === 429 && retried.header('Idempotent-Replayed') === undefined) {
      yield undecided('router.idem.release-429', [beyond, retried], 'the limit was reached again');
    } else yield judgeFreshRun('router.idem.release-429', beyond, retried);
    // Document 1, Idempotency key handling, row 2: an earlier refusal does not affect its record.
    if (isSuccess(retried) && !isReplayed(retried))
      yield judgeReplay('router.idem.replay', retried, await send('later', keyed(id, input, key)));
  },
});

export const spendBound = scenario({
  id: 'router.run.spend-bound',
  api: 'router',
  title: 'calls beyond the limit of committed spend',
  permissions: ['billed', 'slow'],
  needs: ['spend.bound'],
  lock: 'router.capacity',
  fillsCapacity: true,
  sensitive: true,
  judges: [
    'router.run.429-bucket',
    'router.run.429-detail-names-bound',
    'router.run.429-spend-headers',
    'router.run.429-retry-after-own-call',
    'router.idem.release-429',
  ],
  severalCases: [
    'router.run.429-bucket',
    'router.run.429-detail-names-bound',
    'router.run.429-spend-headers',
  ],
  requests: {
    later: { method: 'POST', target: '/v1/models/{id}', as: 'spend', times: 1, judgesRefusal: true },
    run: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'spend',
      times: LARGEST_BOUND,
      judgesRefusal: true,
    },
  },
  uses: [refusals],
  run: async function* (session) {
    const { send, fixtures, freshKey, clock, obtain } = session;
    const { id, input, calls, cents } = declared(fixtures.spend?.bound, 'spend.bound');
    if (calls > LARGEST_BOUND)
      throw new NotExercised('spend.bound', `needs spend.bound with at most ${LARGEST_BOUND} calls`);
    // One more than the bound: a second refusal is like the first.
    const keys = Array.from({ length: Math.min(calls + 1, LARGEST_BOUND) }, freshKey);
    const delays = watchDelays(clock);
    const answers = await Promise.all(keys.map((key) => send('run', keyed(id, input, key))));
    const lateMs = delays();
    const refused = answers.filter(({ status }) => status === 429);
    const [one] = answers;
    if (refused.length === 0 && one !== undefined) {
      const what = `${keys.length} concurrent calls did not exceed it`;
      const ids = answers.map((answer) => answer.id);
      throw unlessLate(new BrokenFixture('spend.bound', what, ids), lateMs, one);
    }
    for (const answer of refused) {
      yield* judgeBound(answer);
      yield* judgeDifference(await obtain(refusals), 'spend', answer);
      if (bucketOf(answer) === 'rate_limited') continue;
      // Document 1, POST /v1/models/{provider}/{model}, responses, row 429: three headers, in US cents. Their
      // sign, their form and their sum are not documented (A-21). A limit that differs greatly from that of
      // the fixtures is in another unit.
      const spend = ['Limit', 'Current', 'Remaining'].map((name) =>
        answer.header(`X-Committed-Spend-${name}`),
      );
      const numeric = spend.every((value) => value !== undefined && AMOUNT.test(value.trim()));
      const limit = Math.abs(Number(spend[0]));
      const isOther =
        (cents !== undefined && Number.isFinite(limit) && isFar(limit, cents)) || isMixed(spend.map(Number));
      yield check(
        'router.run.429-spend-headers',
        answer,
        numeric && !isOther,
        `three numeric headers X-Committed-Spend-…${cents === undefined ? '' : `, and a limit of about ${cents}`}`,
        sketch(spend),
      );
    }
    // The same row: retry once one of the caller's own calls finishes. All of them have finished.
    const [first] = refused;
    const key = keys[first === undefined ? -1 : answers.indexOf(first)];
    if (first === undefined || key === undefined || bucketOf(first) === 'rate_limited') return;
    const later = await send('later', keyed(id, input, key));
    yield judgeRoom(
      session,
      'router.run.429-retry-after-own-call',
      [first, later],
      later.status !== 429,
      'no 429 once the calls have ended',
    );
    if (later.status !== 429) yield judgeFreshRun('router.idem.release-429', first, later);
  },
});

// --- internal ---

function isFar(one: number, other: number): boolean {
  return one * 10 < other || one > other * 10;
}

/** Whether what remains is in dollars where the limit and the current spend are in cents, or the reverse. */
function isMixed([limit = 0, current = 0, remaining = 0]: readonly number[]): boolean {
  const ratio = Math.abs((limit - current) / remaining);
  return [100, 0.01].some((factor) => Math.abs(ratio / factor - 1) < 0.01);
}

/** Whether a call was answered while others were still in flight. */
function isDuring({ endedAt }: Exchange, held: readonly Exchange[]): boolean {
  return held.every((one) => one.endedAt >= endedAt);
}

/** A number in any form, with or without a sign. */
const AMOUNT = /^[-+]?\d[\d.,]*(?:e[-+]?\d+)?$/i;

export function boundOf(fixtures: Fixtures): {
  bound: number;
  id: string;
  input: unknown;
} {
  const { concurrency, model } = fixtures;
  const bound = declared(concurrency?.bound, 'concurrency.bound');
  const id = concurrency?.id ?? model?.slow?.id;
  if (id === undefined) throw new NotExercised('model.slow');
  if (bound > LARGEST_BOUND)
    throw new NotExercised('concurrency.bound', `needs concurrency.bound of at most ${LARGEST_BOUND}`);
  return { bound, id, input: concurrency?.input ?? model?.slow?.input ?? {} };
}

/**
 * Document 1, POST /v1/models/{provider}/{model}, responses, row 429, and RouterErrorResponse, row detail. A
 * rate limit may interfere.
 */
function* judgeBound(answer: Exchange): Generator<Check> {
  const bucket = bucketOf(answer);
  if (bucket === 'rate_limited') {
    for (const rule of ['router.run.429-bucket', 'router.run.429-detail-names-bound']) {
      yield undecided(rule, answer, 'a rate limit was reached first');
    }
    return;
  }
  const typed = answer.status === 429 && bucket === 'concurrency_limit_exceeded';
  yield check(
    'router.run.429-bucket',
    answer,
    typed,
    'status 429, bucket concurrency_limit_exceeded',
    sketchRefusal(answer),
  );
  if (answer.status !== 429) return;
  const detail = member(answer.json, 'detail');
  const told = typeof detail === 'string' && detail.trim() !== '';
  yield check(
    'router.run.429-detail-names-bound',
    answer,
    told,
    'a detail that names the limit',
    `detail ${sketch(detail)}`,
  );
}

/**
 * The wording is free, so one detail alone cannot be judged: the details of two bounds must differ. Numbers
 * are ignored, because an id or a time does not identify a bound.
 */
function* judgeDifference(
  seen: Map<'calls' | 'spend', Exchange>,
  bound: 'calls' | 'spend',
  answer: Exchange,
): Generator<Check> {
  if (answer.status !== 429 || bucketOf(answer) === 'rate_limited') return;
  seen.set(bound, answer);
  const other = seen.get(bound === 'calls' ? 'spend' : 'calls');
  if (other === undefined) return;
  const [one, two] = [other, answer].map(({ json }) => wordsOf(member(json, 'detail')));
  yield check(
    'router.run.429-detail-names-bound',
    [other, answer],
    one !== two,
    'another detail for each of the two limits',
    `${sketch(member(other.json, 'detail'))} for both`,
  );
}

function wordsOf(detail: unknown): string {
  const words = typeof detail === 'string' ? detail.split(/[^\p{L}\p{N}]+/u) : [];
  return words.filter((word) => !/\p{N}/u.test(word)).join(' ');
}
