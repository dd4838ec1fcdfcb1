import { expect, test } from 'vitest';

import {
  decideRetry,
  idempotentMethodRules,
  otherMethodRules,
  retryAfterMs,
} from '../../../contract/policies/retry.ts';
import type { RefusedAttempt, Resend, RetryProgress, RetryRules } from '../../../contract/policies/retry.ts';

/** Of a run (document 1): written down a second time, so that a slip in the sheet does not carry its tests along. */
const run: RetryRules = {
  resend: [408, 425, 429, '5xx'],
  resendWhenTold: [409, 504],
  finalBuckets: ['content_policy_violation', 'insufficient_credits'],
  unanswered: 'resend-with-key',
};
const progress = (over: Partial<RetryProgress> = {}): RetryProgress => ({
  retries: 2,
  attempts: 1,
  waits: 0,
  keyed: true,
  now: 0,
  random: 0,
  ...over,
});
const answered = (status: number, retryAfter: string | null = null, bucket?: string): RefusedAttempt => ({
  status,
  bucket,
  headers: new Headers(retryAfter === null ? {} : { 'Retry-After': retryAfter }),
});
const unanswered = undefined;
const retryIn = (afterMs: number): Resend => ({ afterMs, waits: false });
const waitFor = (afterMs: number): Resend => ({ afterMs, waits: true });

test.each<[string, RefusedAttempt | undefined, Resend | undefined]>([
  [
    'a 409 in flight is waited for, its bucket whatever it is',
    answered(409, '7', 'invalid_input'),
    waitFor(7_000),
  ],
  ['a 409 without the header is final', answered(409, null, 'invalid_input'), undefined],
  [
    'a 409 is final though its bucket looks like a busy server',
    answered(409, null, 'concurrency_limit_exceeded'),
    undefined,
  ],
  ['a 409 that is told to come at once', answered(409, '0'), waitFor(0)],
  ['a 409 whose header is no time still runs', answered(409, 'soon'), waitFor(250)],
  ['a 504 whose generation can be collected', answered(504, '3', 'deadline_exceeded'), waitFor(3_000)],
  ['a 504 at the deadline is not run a second time', answered(504, null, 'deadline_exceeded'), undefined],
  [
    'a 504 of the provider, which is billed, is not run a second time',
    answered(504, null, 'provider_timeout'),
    undefined,
  ],
  ['a 429 with advice', answered(429, '2', 'rate_limited'), retryIn(2_000)],
  ['a 429 that is told to come at once', answered(429, '0', 'rate_limited'), retryIn(0)],
  ['a 429 without advice', answered(429, null, 'concurrency_limit_exceeded'), retryIn(250)],
  ['a 408', answered(408), retryIn(250)],
  ['a 425', answered(425), retryIn(250)],
  ['a 500', answered(500, null, 'internal_error'), retryIn(250)],
  ['a 502 of the provider', answered(502, null, 'provider_error'), retryIn(250)],
  ['a 503', answered(503, null, 'service_unavailable'), retryIn(250)],
  ['a policy refusal on any status', answered(502, '1', 'content_policy_violation'), undefined],
  ['no credits on any status', answered(503, '1', 'insufficient_credits'), undefined],
  ['a 400', answered(400, '1', 'invalid_input'), undefined],
  ['a 401', answered(401, '1', 'unauthorized'), undefined],
  ['a 404', answered(404, '1', 'model_not_found'), undefined],
  ['a 422 is never sent again (jobs.idem.per-api-differs)', answered(422, '1'), undefined],
  ['no answer', unanswered, retryIn(250)],
])('a run: %s', (_, end, want) => {
  expect(decideRetry(run, end, progress())).toStrictEqual(want);
});

test.each<[string, RetryRules, RefusedAttempt | undefined, boolean, boolean]>([
  ['a run without a key is not repeated blindly', run, unanswered, false, false],
  ['a read is', idempotentMethodRules, unanswered, false, true],
  ['a POST without rules of its own is not, key or not', otherMethodRules, unanswered, true, false],
  ['a POST without rules of its own stays after a 500', otherMethodRules, answered(500), false, false],
  ['a POST without rules of its own stays after a 503', otherMethodRules, answered(503, '1'), false, false],
  ['a POST that was turned away may come again', otherMethodRules, answered(429), false, true],
  ['a read after a 409 stays', idempotentMethodRules, answered(409, '1'), false, false],
  ['a read after a 504 may come again', idempotentMethodRules, answered(504), false, true],
])('%s', (_, rules, end, keyed, want) => {
  expect(decideRetry(rules, end, progress({ keyed })) !== undefined).toBe(want);
});

test('attempts are counted, waits are not', () => {
  const decide = (end: RefusedAttempt | undefined, attempts: number): boolean =>
    decideRetry(run, end, progress({ attempts })) !== undefined;
  expect([1, 2, 3, 4].map((attempts) => decide(answered(503), attempts))).toStrictEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(decide(answered(503, '1'), 3)).toBe(false);
  expect(decide(answered(409, '1'), 30)).toBe(true);
  expect(decideRetry(run, unanswered, progress({ retries: 0 }))).toBeUndefined();
});

test('pauses double up to the longest and are spread over their upper half', () => {
  const pause = (attempts: number, random: number): number | undefined =>
    decideRetry(run, answered(503), progress({ retries: 99, attempts, random }))?.afterMs;
  expect([1, 2, 3, 4, 5, 6, 60].map((attempts) => pause(attempts, 0))).toStrictEqual([
    250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
  ]);
  expect([1, 2, 60].map((attempts) => pause(attempts, 0.5))).toStrictEqual([375, 750, 6_000]);
});

test('the pauses grow even if a server keeps answering Retry-After: 0', () => {
  const wait = (waits: number): number | undefined =>
    decideRetry(run, answered(409, '0'), progress({ waits }))?.afterMs;
  expect([0, 1, 2, 3, 40].map(wait)).toStrictEqual([0, 500, 1_000, 2_000, 4_000]);
  expect(decideRetry(run, answered(409, '60'), progress({ waits: 5 }))?.afterMs).toBe(60_000);
});

const now = Date.UTC(2026, 10, 21, 10, 0, 0);
test.each<[string | null | undefined, number | undefined]>([
  ['0', 0],
  ['1', 1_000],
  ['007', 7_000],
  [' 3 ', 3_000],
  ['86400', 86_400_000],
  ['9'.repeat(400), Infinity],
  ['Sat, 21 Nov 2026 10:00:05 GMT', 5_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['Sat, 31 Foo 2026 10:00:05 GMT', undefined],
  ['2026-11-21T10:00:05Z', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('Retry-After %j asks for %s ms', (text, want) => {
  expect(retryAfterMs(text, now)).toBe(want);
});
