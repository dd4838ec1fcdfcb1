import { check, undecided } from '../../../check.ts';
import { member } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import { BrokenFixture, NotExercised, resource, scenario } from '../../../scenario.ts';
import type { Check } from '../../../scenario.ts';
import { sketch } from '../../../sketch.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
import { declared, keyed } from './idempotency.ts';
import { judgeFreshRun } from './runs.ts';

/** Larger bounds would cost too many runs. */
const LARGEST_BOUND = 20;

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
    'router.idem.release-429',
  ],
  requests: {
    hold: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'concurrency',
      times: LARGEST_BOUND,
      judgesRefusal: true,
    },
    beyond: { method: 'POST', target: '/v1/models/{id}', as: 'concurrency', times: 1, judgesRefusal: true },
    later: { method: 'POST', target: '/v1/models/{id}', as: 'concurrency', times: 2, judgesRefusal: true },
  },
  uses: [refusals],
  run: async function* ({ send, fixtures, freshKey, clock, obtain }) {
    const { bound, id, input } = boundOf(fixtures);
    const holding = Array.from({ length: bound }, () => send('hold', { fill: { id }, body: input }));
    await clock.sleep(200);
    const key = freshKey();
    const beyond = await send('beyond', keyed(id, input, key));
    const held = await Promise.all(holding);
    const early = held.filter(({ endedAt }) => endedAt <= beyond.startedAt);
    if (early.length > 0) {
      throw new BrokenFixture(
        'concurrency.bound',
        `${early.length} of the calls had ended before the limit was reached`,
        early.map((one) => one.id),
      );
    }
    if (beyond.status < 400) {
      throw new BrokenFixture('concurrency.bound', `${bound + 1} calls ran at once`, [beyond.id]);
    }

    yield* judgeBound(beyond);
    yield* judgeDifference(await obtain(refusals), 'calls', beyond);
    if (beyond.status !== 429) return;
    // Document 1, POST /v1/models/{provider}/{model}, responses, row 429: retry once one of the caller's own calls finishes.
    const freed = await send('later', keyed(id, input, freshKey()));
    yield check(
      'router.run.429-retry-after-own-call',
      [beyond, freed],
      freed.status !== 429,
      'no 429 once a call has ended',
      sketchRefusal(freed),
    );
    const retried = await send('later', keyed(id, input, key));
    if (retried.status === 429 && retried.header('Idempotent-Replayed') === undefined) {
      yield undecided('router.idem.release-429', [beyond, retried], 'the limit was reached again');
    } else yield judgeFreshRun('router.idem.release-429', beyond, retried);
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
  judges: ['router.run.429-bucket', 'router.run.429-detail-names-bound', 'router.run.429-spend-headers'],
  requests: {
    run: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'spend',
      times: LARGEST_BOUND,
      judgesRefusal: true,
    },
  },
  uses: [refusals],
  run: async function* ({ send, fixtures, obtain }) {
    const { id, input, calls } = declared(fixtures.spend?.bound, 'spend.bound');
    if (calls > LARGEST_BOUND)
      throw new NotExercised('spend.bound', `needs spend.bound with at most ${LARGEST_BOUND} calls`);
    const answers = await Promise.all(
      Array.from({ length: calls }, () => send('run', { fill: { id }, body: input })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    if (refused.length === 0)
      throw new BrokenFixture(
        'spend.bound',
        `${calls} concurrent calls did not exceed it`,
        answers.map((one) => one.id),
      );
    for (const answer of refused) {
      yield* judgeBound(answer);
      yield* judgeDifference(await obtain(refusals), 'spend', answer);
      if (bucketOf(answer) === 'rate_limited') continue;
      // Document 1, POST /v1/models/{provider}/{model}, responses, row 429: three headers, in US cents. Their sign, their form and how they add up are
      // not shown.
      const spend = ['Limit', 'Current', 'Remaining'].map((name) =>
        answer.header(`X-Committed-Spend-${name}`),
      );
      const numeric = spend.every((value) => value !== undefined && AMOUNT.test(value.trim()));
      yield check(
        'router.run.429-spend-headers',
        answer,
        numeric,
        'three numeric headers X-Committed-Spend-…',
        sketch(spend),
      );
    }
  },
});

// --- internal ---

/** A number in any form, with or without a sign. */
const AMOUNT = /^[-+]?\d[\d.,]*(?:e[-+]?\d+)?$/i;

function boundOf(fixtures: Parameters<typeof concurrencyBound.run>[0]['fixtures']): {
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

/** Document 1, POST /v1/models/{provider}/{model}, responses, row 429, and RouterErrorResponse, row detail. A rate limit may be in the way. */
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
 * The wording is free, so one detail alone cannot be judged: what tells two bounds apart is not the same for both.
 * Numbers count for nothing, as an id or a time tells nobody which bound it was.
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
