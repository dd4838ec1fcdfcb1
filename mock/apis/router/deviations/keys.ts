import { policyFor } from '../../../../contract/index.ts';
import { headerOf, withHeaders, withoutHeaders, type Answer } from '../../../call/answer.ts';
import { along, breaks, bySearch } from '../../../deviations/breaks.ts';
import {
  asJson,
  both,
  headersOf,
  inBucket,
  onBody,
  refusal,
  withCredits,
  withHeader,
  withoutBucket,
  withoutHeader,
  type AnswerChange,
} from '../../../deviations/changes.ts';
import { bodyFits, not, sends, status, when, type Condition } from '../../../deviations/conditions.ts';
import type { Deviation, DeviationView } from '../../../deviations/deviation.ts';
import { model } from './which-model.ts';
import {
  checkedThenSet,
  cutInHalf,
  dispatchedInFlight,
  droppedDelivered,
  joinedInFlight,
  keyPolicy,
  mismatchDispatched,
  mismatchOverwrites,
  mismatchReplayed,
  recordedOnce,
  releasing,
  unheardHangUp,
} from '../../../deviations/key-parts.ts';

const onRun = breaks('runModel');

const isReplay: Condition = (_, { facts }) => facts.replayed === true;
const hasKey: Condition = (_, { facts }) => facts.idempotencyKey !== undefined;
const isServerError: Condition = (answer) => answer.status >= 500;
const saysWhen: Condition = (answer) => headerOf(answer, 'Retry-After') !== undefined;

/** A key whose call was beyond the limit of spend is in conflict from then on. */
function keptAfterSpend(): AnswerChange {
  const kept = new Set<string>();
  return (answer, seen) => {
    const key = seen.facts.idempotencyKey;
    if (key === undefined) return answer;
    const spend = headersOf(seen)?.spend?.limit ?? '';
    if (answer.status === 429 && headerOf(answer, spend) !== undefined) kept.add(key);
    else if (kept.has(key)) return refusal(409, 'badInput')(answer, seen);
    return answer;
  };
}

/** The body of the request has a long text that ends with another letter than usual. */
const endsAlike = bodyFits((body) => JSON.stringify(body).includes('tally b"'));

const saysNotWhen = along(
  'without a 409 nothing says when to come back',
  'router.idem.in-flight-retry-after',
);

/** The models of most calls with a key. */
const ofUsualModel: Condition = (...answered) =>
  ['mock/ok', 'acme/echo-1'].some((id) => model(id)(...answered));

const replays: readonly Deviation[] = onRun({
  'router.idem.first-not-replayed~always-marked': [
    when([status(200), ofUsualModel, hasKey], marked),
    along('a run with the mark of a replay counts as none', 'router.idem.race-one-winner'),
    along('also a day later', 'router.idem.record-24h'),
  ],
  'router.idem.no-key-no-replay~marked': when([status(200), model('mock/ok'), not(hasKey)], marked),
  'router.idem.replay~unmarked': [
    when(isReplay, (answer, seen) => withoutHeaders(answer, replayHeaderOf(seen)?.name ?? '')),
    along(
      'a replay without its mark looks like a run',
      'router.idem.in-flight-then-replay',
      'router.idem.replay-errors-too',
      'router.idem.replay-404',
      'router.idem.record-24h',
      'router.credits-header.not-on-replay',
    ),
  ],
  'router.idem.replay~other-body': when(
    [isReplay, model('mock/ok')],
    onBody(200, (body) => ({ ...body, again: true })),
  ),
  'router.idem.replay~for-a-second': [
    { policies: keyPolicy({ window: 'PT1S' }) },
    along(
      'within the 24 hours the key runs again',
      'router.idem.in-flight-then-replay',
      'router.idem.record-24h',
    ),
  ],
  'router.idem.replay~for-one-agent': [
    when([isReplay, sends('user-agent', 'tallystick again')], refusal(409, 'badInput')),
  ],
  'router.idem.replay~not-in-chunks': when(
    [isReplay, sends('transfer-encoding', 'chunked'), sends('user-agent', 'tallystick again')],
    refusal(409, 'badInput'),
  ),
  'router.idem.first-not-replayed~punctuation-skipped': when(
    [status(200), sends('idempotency-key', '.')],
    marked,
  ),
  'router.idem.replay-errors-too~other-bucket': [
    when(
      [isReplay, status(422)],
      inBucket(({ roles }) => roles.internal, 'header'),
    ),
    along('the bucket is a part of any recorded answer', 'router.idem.replay'),
  ],
  'router.idem.replay-errors-too~policy-released': {
    policies: releasing([400, '5xx', 408, 425, 429]),
  },
  'router.idem.replay-errors-too~success-only': [
    { policies: releasing(['4xx', '5xx']) },
    along('a 404 is not a success', 'router.idem.replay-404'),
  ],
  'router.idem.replay-404~released': { policies: releasing([404, '5xx', 408, 425, 429]) },
  'router.idem.record-24h~one-hour': [
    { policies: keyPolicy({ window: 'PT1H' }) },
    along('within the 24 hours the key runs again', 'router.idem.replay'),
  ],
  'router.idem.record-24h~recorded-once': [
    { store: recordedOnce },
    along('the run of the second day is not replayed', 'router.idem.replay'),
  ],
  'router.idem.record-24h~a-month': { policies: keyPolicy({ window: 'P30D' }) },
  'router.credits-header.not-on-replay~copied': when([isReplay, status(200)], withCredits),
});

const conflicts: readonly Deviation[] = onRun({
  'router.idem.in-flight-409~dispatched': [
    { store: dispatchedInFlight },
    saysNotWhen,
    along(
      'a key that is not claimed lets every call run',
      'router.idem.race-one-winner',
      'router.idem.replay',
    ),
  ],
  'router.idem.in-flight-409~joined': [{ store: joinedInFlight }, saysNotWhen],
  'router.idem.in-flight-409~429': [
    when([status(409), saysWhen], refusal(429, 'capacity')),
    along('a 429 alone shows nothing about the key', 'router.idem.race-one-winner'),
    saysNotWhen,
  ],
  'router.idem.in-flight-retry-after~negative': when(
    [status(409), saysWhen],
    withHeader('Retry-After', '-1'),
  ),
  'router.idem.in-flight-retry-after~omitted': when(status(409), withoutHeader('Retry-After')),
  'router.idem.in-flight-then-replay~for-ever': [
    when([isReplay, model('mock/slow')], both(refusal(409, 'badInput'), withHeader('Retry-After', '1'))),
    along('the 409 is marked as a replay', 'router.idem.replay'),
  ],
  'router.idem.race-one-winner~check-then-set': [
    { store: checkedThenSet },
    along(
      'of two calls at once none is refused',
      'router.idem.in-flight-409',
      'router.idem.in-flight-retry-after',
    ),
  ],
  'router.idem.consumed-409~truncated': [
    { answers: cutInHalf },
    along('half of an answer is not that answer', 'router.idem.replay'),
  ],
  'router.idem.mismatch-409~end-ignored': when([status(409), endsAlike], asJson(200, {})),
  'router.idem.mismatch-409~ascii-only': when(
    [status(409), bodyFits((body) => JSON.stringify(body).includes('"accent":"\u00e8"'))],
    asJson(200, {}),
  ),
  'router.idem.mismatch-409~another-body-after-a-refusal': when(
    [status(409), model('mock/invalid-image')],
    asJson(200, {}),
  ),
  'router.idem.mismatch-409~replayed': { store: mismatchReplayed },
  'router.idem.mismatch-409~dispatched': [
    { store: mismatchDispatched },
    along('the second run replaces the first', 'router.idem.mismatch-no-overwrite', 'router.idem.replay'),
    along('the run of another body replaces a recorded error', 'router.credits-header.not-on-replay'),
  ],
  'router.idem.mismatch-no-overwrite~overwritten': [
    { store: mismatchOverwrites },
    along('the record is no longer that of the first body', 'router.idem.replay'),
    along('the refusal replaces a recorded error', 'router.credits-header.not-on-replay'),
  ],
  'router.idem.409-error-type~omitted': [
    when(status(409), withoutBucket),
    along('a 409 is an error answer like any other', 'router.headers.error-type'),
  ],
});

const released: readonly Deviation[] = onRun({
  'router.idem.release-5xx~recorded': { policies: releasing([408, 425, 429]) },
  'router.idem.release-5xx~503-recorded': { policies: releasing([500, 502, 504, 408, 425, 429]) },
  'router.idem.release-5xx~body-remembered': when(
    [isServerError, hasKey, bodyFits((body) => 'tallystick_other' in body)],
    refusal(409, 'internal'),
  ),
  'router.idem.release-429~recorded': [
    { policies: releasing(['5xx', 408, 425]) },
    along('the key of the refused call stays refused', 'router.run.429-retry-after-own-call'),
  ],
  'router.idem.release-429~beyond-the-spend-recorded': [
    keptAfterSpend(),
    bySearch('the key of the refused call stays refused', 'router.run.429-retry-after-own-call'),
  ],
  'router.idem.release-408-425~recorded': { policies: releasing(['5xx', 408, 429]) },
  'router.idem.release-on-drop~recorded': { begin: unheardHangUp, delivery: droppedDelivered },
});

export const routerKeyDeviations: readonly Deviation[] = [...replays, ...conflicts, ...released];

// --- internal ---

function replayHeaderOf({
  operation,
}: DeviationView): { readonly name: string; readonly value: string } | undefined {
  const policy = operation === undefined ? undefined : policyFor(operation, 'idempotency');
  return policy?.mode === 'replay' ? policy.replayHeader : undefined;
}

/** The answer with the replay header. */
export function marked(answer: Answer, seen: DeviationView): Answer {
  const header = replayHeaderOf(seen);
  return header === undefined || headerOf(answer, header.name) !== undefined
    ? answer
    : withHeaders(answer, [[header.name, header.value]]);
}
