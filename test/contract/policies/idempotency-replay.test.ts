import { expect, test } from 'vitest';

import { claimReplayKey, settleReplayKey } from '../../../contract/policies/idempotency-replay.ts';
import type { ReplayOutcome, ReplayRecord } from '../../../contract/policies/idempotency-replay.ts';
import { hour, replayPolicy } from './replay-policy.ts';

const now = 1_000 * hour;
const inFlight: ReplayRecord<string> = { state: 'in-flight', bodyHash: 'a', fence: 'one' };
const recorded: ReplayRecord<string> = {
  state: 'recorded',
  bodyHash: 'a',
  response: 'the answer',
  expiresAt: now + 1,
};
const consumed: ReplayRecord<string> = { state: 'consumed', bodyHash: 'a', expiresAt: now + 1 };
const collecting: ReplayRecord<string> = { state: 'collecting', bodyHash: 'a', expiresAt: now + 1 };
const expired = <R extends { expiresAt: number }>(record: R): R => ({ ...record, expiresAt: now });

const dispatch = { action: 'dispatch', record: { state: 'in-flight', bodyHash: 'a', fence: 'two' } };
const mismatch = { action: 'refuse', reason: 'mismatch', status: 409, retryAfter: false };

test.each<[string, { record: ReplayRecord<string> | undefined; bodyHash?: string; want: unknown }]>([
  ['a key that nobody used runs', { record: undefined, want: dispatch }],
  [
    'router.idem.in-flight-409, router.idem.in-flight-retry-after: a second call waits',
    { record: inFlight, want: { action: 'refuse', reason: 'in-flight', status: 409, retryAfter: true } },
  ],
  [
    'router.idem.replay: a recorded answer is replayed',
    { record: recorded, want: { action: 'replay', response: 'the answer' } },
  ],
  [
    'router.idem.consumed-409: an answer without a copy is refused for good',
    { record: consumed, want: { action: 'refuse', reason: 'consumed', status: 409, retryAfter: false } },
  ],
  [
    'a generation that still runs is collected, not dispatched a second time',
    { record: collecting, want: { ...dispatch, action: 'collect' } },
  ],
  [
    'router.idem.mismatch-409: another body while in flight',
    { record: inFlight, bodyHash: 'b', want: mismatch },
  ],
  [
    'router.idem.mismatch-409: another body after the answer',
    { record: recorded, bodyHash: 'b', want: mismatch },
  ],
  [
    'router.idem.mismatch-409: another body on a consumed key',
    { record: consumed, bodyHash: 'b', want: mismatch },
  ],
  [
    'router.idem.mismatch-409: another body while collecting',
    { record: collecting, bodyHash: 'b', want: mismatch },
  ],
  ['router.idem.record-24h: a recorded answer is forgotten', { record: expired(recorded), want: dispatch }],
  ['a consumed key is forgotten', { record: expired(consumed), want: dispatch }],
  ['a generation to collect is forgotten', { record: expired(collecting), want: dispatch }],
  [
    'an expired key takes another body',
    {
      record: expired(recorded),
      bodyHash: 'b',
      want: { action: 'dispatch', record: { state: 'in-flight', bodyHash: 'b', fence: 'two' } },
    },
  ],
])('claim: %s', (_, { record, bodyHash = 'a', want }) => {
  expect(claimReplayKey(replayPolicy, record, { bodyHash, fence: 'two', now })).toStrictEqual(want);
});

test('a refused claim leaves the record as it is (router.idem.mismatch-no-overwrite)', () => {
  const before = structuredClone(recorded);
  const decision = claimReplayKey(replayPolicy, recorded, { bodyHash: 'b', fence: 'two', now });
  expect(decision).not.toHaveProperty('record');
  expect(recorded).toStrictEqual(before);
});

type Answered = Extract<ReplayOutcome<string>, { ended: 'answered' }>;
const answered = (status: number, over: Partial<Answered> = {}): Answered => ({
  ended: 'answered',
  status,
  marked: false,
  delivery: 'delivered',
  copy: 'the answer',
  ...over,
});
const free = undefined;
const expiresAt = now + 24 * hour;
const kept = { state: 'recorded', bodyHash: 'a', response: 'the answer', expiresAt };
const spent = { state: 'consumed', bodyHash: 'a', expiresAt };
const running = { state: 'collecting', bodyHash: 'a', expiresAt };

test.each<[string, ReplayOutcome<string>, unknown]>([
  ['a result is recorded for 24 hours', answered(200), kept],
  ['a redirect is recorded', answered(302), kept],
  ['router.idem.replay-errors-too: a 400 is recorded', answered(400), kept],
  ['a 403 is recorded', answered(403), kept],
  ['router.idem.replay-404: a 404 is recorded', answered(404), kept],
  ['router.idem.replay-errors-too: a 422 is recorded', answered(422), kept],
  ['router.idem.release-408-425: a 408 frees the key', answered(408), free],
  ['router.idem.release-408-425: a 425 frees the key', answered(425), free],
  ['router.idem.release-429: a 429 frees the key', answered(429), free],
  ['router.idem.release-5xx: a 500 frees the key', answered(500), free],
  ['router.idem.release-5xx: a 503 frees the key', answered(503), free],
  ['router.idem.release-5xx: a 599 frees the key', answered(599), free],
  ['router.idem.release-5xx: a 504 without the header frees the key', answered(504), free],
  ['a 504 with the header keeps the key for collecting', answered(504, { marked: true }), running],
  [
    'it does so without a copy, too',
    answered(504, { marked: true, copy: undefined, delivery: 'short' }),
    running,
  ],
  ['the header on another released status means no collecting', answered(503, { marked: true }), free],
  ['the header on a recorded status means no collecting', answered(422, { marked: true }), kept],
  ['router.idem.consumed-409: no faithful copy could be kept', answered(200, { copy: undefined }), spent],
  ['router.idem.consumed-409: the answer fell short', answered(200, { delivery: 'short' }), spent],
  ['a refusal that fell short is consumed', answered(422, { delivery: 'short' }), spent],
  ['a released status frees the key though it fell short', answered(503, { delivery: 'short' }), free],
  ['a released status frees the key though no copy was kept', answered(429, { copy: undefined }), free],
  ['router.idem.release-on-drop: nothing reached the caller', { ended: 'dropped' }, free],
])('settle: %s', (_, outcome, want) => {
  expect(settleReplayKey(replayPolicy, inFlight, { fence: 'one', now }, outcome)).toStrictEqual(want);
});

const { consumed: _, collecting: __, ...plain } = replayPolicy;
test.each<[string, ReplayOutcome<string>, unknown]>([
  ['an answer that fell short is replayed', answered(200, { delivery: 'short' }), kept],
  ['an answer without a copy is used up', answered(200, { copy: undefined }), spent],
  ['a header of another API keeps no key for collecting', answered(504, { marked: true }), free],
])('settle, where a sheet has no refusal of consumed keys and nothing to collect: %s', (_, outcome, want) => {
  expect(settleReplayKey(plain, inFlight, { fence: 'one', now }, outcome)).toStrictEqual(want);
});

test('a used-up key is refused with the status of a call under way, where a sheet has no other one', () => {
  const claim = { bodyHash: 'a', fence: 'two', now };
  expect(
    claimReplayKey({ ...plain, inFlight: { status: 425, retryAfter: true } }, consumed, claim),
  ).toMatchObject({
    status: 425,
    reason: 'consumed',
  });
});

const late: readonly ReplayOutcome<string>[] = [
  answered(200),
  answered(503),
  answered(504, { marked: true }),
  answered(200, { delivery: 'short' }),
  { ended: 'dropped' },
];
test.each<[string, ReplayRecord<string> | undefined]>([
  ['a freed key', undefined],
  ['the attempt that came after it', { ...inFlight, fence: 'two' }],
  ['a recorded answer', recorded],
  ['a consumed key', consumed],
  ['a generation to collect', collecting],
])('the late end of an attempt that lost its key changes nothing: %s', (_, record) => {
  for (const outcome of late) {
    expect(settleReplayKey(replayPolicy, record, { fence: 'one', now }, outcome)).toBe(record);
  }
});

test('a collecting attempt records its answer like any other', () => {
  const claimed = claimReplayKey(replayPolicy, collecting, { bodyHash: 'a', fence: 'two', now });
  if (claimed.action !== 'collect') throw new Error('expected to collect');
  expect(settleReplayKey(replayPolicy, claimed.record, { fence: 'two', now }, answered(200))).toStrictEqual(
    kept,
  );
  expect(settleReplayKey(replayPolicy, claimed.record, { fence: 'two', now }, { ended: 'dropped' })).toBe(
    free,
  );
});
