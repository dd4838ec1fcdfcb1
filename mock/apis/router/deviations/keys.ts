import { policyFor } from '../../../../contract/index.ts';
import { headerOf, withHeaders, withoutHeaders, type Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import {
  along,
  breaks,
  bucketsOf,
  headersOf,
  inBucket,
  pathId,
  refused,
  sentBody,
  when,
  withJson,
} from '../../../deviations/wire.ts';
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
  releasing,
  unheardHangUp,
} from '../../../deviations/key-parts.ts';

const run = ['runModel'];

const isReplay = (_: Answer, seen: DeviationView): boolean => seen.facts.replayed === true;

const replays: readonly Deviation[] = [
  breaks('router.idem.first-not-replayed', 'always-marked', {
    operations: run,
    alsoFails: along(
      'a run with the mark of a replay counts as none',
      'router.idem.race-one-winner',
      'router.idem.record-24h',
    ),
    onReply: when(
      (answer, seen) =>
        answer.status === 200 && pathId(seen) === 'mock/ok' && seen.facts.idempotencyKey !== undefined,
      marked,
    ),
  }),
  breaks('router.idem.no-key-no-replay', 'marked', {
    operations: run,
    onReply: when(
      (answer, seen) =>
        answer.status === 200 && pathId(seen) === 'mock/ok' && seen.facts.idempotencyKey === undefined,
      marked,
    ),
  }),
  breaks('router.idem.replay', 'unmarked', {
    operations: run,
    alsoFails: along(
      'a replay without its mark looks like a run',
      'router.idem.mismatch-no-overwrite',
      'router.idem.in-flight-then-replay',
      'router.idem.replay-errors-too',
      'router.idem.replay-404',
      'router.idem.record-24h',
      'router.credits-header.not-on-replay',
    ),
    onReply: when(isReplay, (answer, seen) => withoutHeaders(answer, replayHeaderOf(seen)?.name ?? '')),
  }),
  breaks('router.idem.replay', 'other-body', {
    operations: run,
    alsoFails: along('the first body does not come back later either', 'router.idem.mismatch-no-overwrite'),
    onReply: when(
      (answer, seen) => isReplay(answer, seen) && pathId(seen) === 'mock/ok',
      (answer) => onJson(answer, 200, (body) => ({ ...body, again: true })),
    ),
  }),
  breaks('router.idem.replay-errors-too', 'other-bucket', {
    operations: run,
    alsoFails: along('the bucket is a part of any recorded answer', 'router.idem.replay'),
    onReply: when(
      (answer, seen) => isReplay(answer, seen) && answer.status === 422,
      (answer, seen) => inBucket(answer, seen, bucketsOf(seen)?.roles.internal ?? '', 'header'),
    ),
  }),
  breaks('router.idem.replay-errors-too', 'policy-released', {
    operations: run,
    replaces: { policies: releasing([400, '5xx', 408, 425, 429]) },
  }),
  breaks('router.idem.replay-errors-too', 'success-only', {
    operations: run,
    alsoFails: along('a 404 is no success', 'router.idem.replay-404'),
    replaces: { policies: releasing(['4xx', '5xx']) },
  }),
  breaks('router.idem.replay-404', 'released', {
    operations: run,
    replaces: { policies: releasing([404, '5xx', 408, 425, 429]) },
  }),
  breaks('router.idem.record-24h', 'one-hour', {
    operations: run,
    alsoFails: along('within the 24 hours the key runs again', 'router.idem.replay'),
    replaces: { policies: keyPolicy({ window: 'PT1H' }) },
  }),
  breaks('router.idem.record-24h', 'a-month', {
    operations: run,
    replaces: { policies: keyPolicy({ window: 'P30D' }) },
  }),
  breaks('router.credits-header.not-on-replay', 'copied', {
    operations: run,
    onReply: when(
      (answer, seen) => isReplay(answer, seen) && answer.status === 200,
      (answer, seen) => withHeaders(answer, [[headersOf(seen)?.credits ?? '', '3']]),
    ),
  }),
];

const conflicts: readonly Deviation[] = [
  breaks('router.idem.in-flight-409', 'dispatched', {
    operations: run,
    alsoFails: [
      ...along('without a 409 nothing says when to come back', 'router.idem.in-flight-retry-after'),
      ...along(
        'a key that does not hold lets everybody run',
        'router.idem.race-one-winner',
        'router.idem.replay',
      ),
    ],
    replaces: { store: dispatchedInFlight },
  }),
  breaks('router.idem.in-flight-409', 'joined', {
    operations: run,
    alsoFails: along('without a 409 nothing says when to come back', 'router.idem.in-flight-retry-after'),
    replaces: { store: joinedInFlight },
  }),
  breaks('router.idem.in-flight-409', '429', {
    operations: run,
    alsoFails: [
      ...along('a 429 says nothing about the key by itself', 'router.idem.race-one-winner'),
      ...along('without a 409 nothing says when to come back', 'router.idem.in-flight-retry-after'),
    ],
    onReply: when(
      (answer) => answer.status === 409 && headerOf(answer, 'Retry-After') !== undefined,
      (answer, seen) => refused(answer, seen, 429, 'capacity'),
    ),
  }),
  breaks('router.idem.in-flight-retry-after', 'negative', {
    operations: run,
    onReply: when(
      (answer) => answer.status === 409 && headerOf(answer, 'Retry-After') !== undefined,
      (answer) => withHeaders(answer, [['Retry-After', '-1']]),
    ),
  }),
  breaks('router.idem.in-flight-retry-after', 'omitted', {
    operations: run,
    onReply: when(
      (answer) => answer.status === 409,
      (answer) => withoutHeaders(answer, 'Retry-After'),
    ),
  }),
  breaks('router.idem.in-flight-then-replay', 'for-ever', {
    operations: run,
    alsoFails: along('the 409 is marked as a replay', 'router.idem.replay'),
    onReply: when(
      (answer, seen) => isReplay(answer, seen) && pathId(seen) === 'mock/slow',
      (answer, seen) => withHeaders(refused(answer, seen, 409, 'badInput'), [['Retry-After', '1']]),
    ),
  }),
  breaks('router.idem.race-one-winner', 'check-then-set', {
    operations: run,
    replaces: { store: checkedThenSet },
  }),
  breaks('router.idem.consumed-409', 'truncated', {
    operations: run,
    alsoFails: along('half of an answer is not that answer', 'router.idem.replay'),
    replaces: { answers: cutInHalf },
  }),
  breaks('router.idem.mismatch-409', 'end-ignored', {
    operations: run,
    onReply: when(
      (answer, seen) => answer.status === 409 && endsAlike(seen),
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.idem.mismatch-409', 'replayed', { operations: run, replaces: { store: mismatchReplayed } }),
  breaks('router.idem.mismatch-409', 'dispatched', {
    operations: run,
    alsoFails: [
      ...along(
        'the second run takes the place of the first',
        'router.idem.mismatch-no-overwrite',
        'router.idem.replay',
      ),
      ...along(
        'the run of another body takes the place of the first',
        'router.idem.in-flight-then-replay',
        'router.idem.consumed-409',
      ),
    ],
    replaces: { store: mismatchDispatched },
  }),
  breaks('router.idem.mismatch-no-overwrite', 'overwritten', {
    alsoFails: along('the record is no longer that of the first body', 'router.idem.replay'),
    operations: run,
    replaces: { store: mismatchOverwrites },
  }),
  breaks('router.idem.409-error-type', 'omitted', {
    operations: run,
    alsoFails: along('a 409 is an error answer like any other', 'router.headers.error-type'),
    onReply: when(
      (answer) => answer.status === 409,
      (answer, seen) => withoutHeaders(answer, bucketsOf(seen)?.header ?? ''),
    ),
  }),
];

const released: readonly Deviation[] = [
  breaks('router.idem.release-5xx', 'recorded', {
    operations: run,
    replaces: { policies: releasing([408, 425, 429]) },
  }),
  breaks('router.idem.release-5xx', '503-recorded', {
    operations: run,
    replaces: { policies: releasing([500, 502, 504, 408, 425, 429]) },
  }),
  breaks('router.idem.release-429', 'recorded', {
    alsoFails: along('the key of the refused call stays refused', 'router.run.429-retry-after-own-call'),
    operations: run,
    replaces: { policies: releasing(['5xx', 408, 425]) },
  }),
  breaks('router.idem.release-408-425', 'recorded', {
    operations: run,
    replaces: { policies: releasing(['5xx', 408, 429]) },
  }),
  breaks('router.idem.release-on-drop', 'recorded', {
    operations: run,
    replaces: { begin: unheardHangUp, delivery: droppedDelivered },
  }),
];

export const routerKeyDeviations: readonly Deviation[] = [...replays, ...conflicts, ...released];

// --- internal ---

/** Whether the body of the request has a long text that ends with another letter than usual. */
function endsAlike(seen: DeviationView): boolean {
  return JSON.stringify(sentBody(seen)).includes('tally b"');
}

export function replayHeaderOf({
  operation,
}: DeviationView): { readonly name: string; readonly value: string } | undefined {
  const policy = operation === undefined ? undefined : policyFor(operation, 'idempotency');
  return policy?.mode === 'replay' ? policy.replayHeader : undefined;
}

function marked(answer: Answer, seen: DeviationView): Answer {
  const header = replayHeaderOf(seen);
  return header === undefined || headerOf(answer, header.name) !== undefined
    ? answer
    : withHeaders(answer, [[header.name, header.value]]);
}
