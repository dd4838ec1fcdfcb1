import { withHeaders, withoutHeaders } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { asThough, onError, onJob, plays, reading, refusedWith, since, submitting } from './wire.ts';
import { checkedThenSet, keyPolicy } from '../../../deviations/key-parts.ts';
import {
  assetsTaken,
  checkedBeforeKey,
  extraDataOpen,
  faultsBecomeJobs,
  keyKeptAfter,
  reservedTaken,
  reused,
  unknownClassesTaken,
} from './parts.ts';
import { along, breaks, sentBody, when, withJson, withText } from '../../../deviations/wire.ts';

const operations = submitting;

const created = ({ status }: { readonly status: number }): boolean => status === 201;

const keyOf = ({ request }: DeviationView): string | undefined => request.header('idempotency-key');

const isEmptyObject = ({ request }: DeviationView): boolean => {
  const body = request.body();
  return body.kind === 'json' && JSON.stringify(body.value) === '{}';
};

const answers: readonly Deviation[] = [
  breaks('jobs.submit.201', '200', {
    operations,
    onReply: when(created, (answer) => ({ ...answer, status: 200 })),
  }),
  breaks('jobs.submit.201', '202', {
    operations,
    onReply: when(created, (answer) => ({ ...answer, status: 202 })),
  }),
  breaks('jobs.submit.queued', 'pending', {
    operations,
    alsoFails: along('there is no such status', 'jobs.job.status-enum'),
    onReply: onJob((job) => ({ ...job, status: 'pending' })),
  }),
  breaks('jobs.submit.queued', 'succeeded', {
    alsoFails: along('a job that has ended has begun', 'jobs.job.started-at-set'),
    operations,
    onReply: onJob((job) => ({ ...job, status: 'succeeded' })),
  }),
  breaks('jobs.submit.durable', '404-at-first', {
    operations: reading,
    onReply: (answer, seen) => {
      const { body } = answer;
      const isNew =
        body.kind === 'json' && since(body.value as Record<string, unknown>, 'created_at', seen) < 100;
      return isNew && answer.status === 200 ? refusedWith(answer, 404) : answer;
    },
  }),
];

const checks: readonly Deviation[] = [
  breaks('jobs.submit.sync-validation', '201-then-failed', {
    operations,
    alsoFails: [
      ...along(
        'what is taken has no error to judge',
        'jobs.submit.invalid-workflow',
        'jobs.submit.node-errors',
      ),
      ...along('an unknown class is a fault of the graph', 'jobs.submit.unknown-class'),
      ...along('without a refusal there is nothing that frees a key', 'jobs.idem.release-on-validation'),
    ],
    replaces: { jobs: faultsBecomeJobs },
  }),
  breaks('jobs.submit.invalid-workflow', 'other-code', {
    operations,
    onReply: when(
      (answer, seen) => plays(answer, seen, 'invalidGraph'),
      (answer) => onError(answer, (error) => ({ ...error, code: 'bad_request' })),
    ),
  }),
  breaks('jobs.submit.node-errors', 'texts', {
    operations,
    onReply: when(hasNodeErrors, (answer) =>
      onNodeErrors(answer, (list) => list.map((entry) => JSON.stringify(entry))),
    ),
  }),
  breaks('jobs.submit.node-errors', 'no-reason', {
    operations,
    onReply: when(hasNodeErrors, (answer) =>
      onNodeErrors(answer, (list) => list.map((entry) => ({ field: (entry as { field: string }).field }))),
    ),
  }),
  breaks('jobs.submit.node-errors', 'no-details', {
    operations,
    onReply: when(hasNodeErrors, (answer) => onError(answer, ({ details: _left, ...error }) => error)),
  }),
  breaks('jobs.submit.unknown-class', '201', { operations, replaces: { jobs: unknownClassesTaken } }),
  breaks('jobs.submit.ui-format', 'as-bad-graph', {
    operations,
    onReply: when(
      (answer, seen) => plays(answer, seen, 'editorFormat'),
      (answer, seen) => asThough(answer, seen, 'invalidGraph'),
    ),
  }),
  breaks('jobs.submit.webhook-url-rejected', 'ignored', {
    operations,
    alsoFails: along('with any value, null among them', 'jobs.submit.reserved-null'),
    replaces: { jobs: reservedTaken('webhook_url') },
  }),
  breaks('jobs.submit.inputs-rejected', 'ignored', {
    operations,
    alsoFails: [
      ...along('with any value, null among them', 'jobs.submit.reserved-null'),
      ...along('without a refusal there is nothing that frees a key', 'jobs.idem.release-on-reserved'),
    ],
    replaces: { jobs: reservedTaken('inputs') },
  }),
  breaks('jobs.submit.reserved-null', '201', { operations, replaces: { jobs: reservedTaken(null) } }),
  breaks('jobs.submit.extra-data-closed', 'ignored', { operations, replaces: { jobs: extraDataOpen } }),
  breaks('jobs.submit.extra-data-allowed', 'refused', {
    operations,
    onReply: when(
      (answer, seen) => created(answer) && 'extra_data' in sentBody(seen),
      (answer) => refusedWith(answer, 422),
    ),
  }),
  breaks('jobs.submit.asset-exists', '201', { operations, replaces: { jobs: assetsTaken('unknown') } }),
  breaks('jobs.submit.asset-owned', '201', { operations, replaces: { jobs: assetsTaken('foreign') } }),
  breaks('jobs.submit.malformed-json', 'comma-taken', {
    operations,
    alsoFails: along('the success has no job', 'jobs.submit.201', 'jobs.submit.queued'),
    onReply: when(
      (_answer, { request }) => Buffer.from(request.raw.body).toString().endsWith(',}'),
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('jobs.submit.malformed-json', '500-html', {
    operations,
    alsoFails: [
      ...along('an error of the API has the shape of its errors', 'jobs.errors.shape'),
      ...along('a body that is no JSON is not refused for itself', 'jobs.idem.release-on-validation'),
    ],
    onReply: when(
      (_answer, seen) => seen.request.body().kind === 'malformed',
      (answer) => withText(answer, 500, 'text/html', '<h1>Deviant on purpose</h1>'),
    ),
  }),
];

const keys: readonly Deviation[] = [
  breaks('jobs.idem.duplicate-422', 'replay', {
    operations,
    alsoFails: [
      ...along('the replay is a job', 'jobs.idem.never-reexecuted'),
      ...along('what comes at the same time is replayed too', 'jobs.idem.concurrent-one-201'),
      ...along('what comes after 23 hours is replayed too', 'jobs.idem.expires-24h'),
      ...along('the job that is replayed may have ended', 'jobs.submit.queued'),
    ],
    replaces: { jobs: reused('same', 'replay') },
  }),
  breaks('jobs.idem.duplicate-422', 'freed-by-failure', {
    operations,
    onReply: when(
      (answer, seen) => plays(answer, seen, 'usedKey') && JSON.stringify(sentBody(seen)).includes('"Fail"'),
      (answer) => refusedWith(answer, 409),
    ),
  }),
  breaks('jobs.idem.different-body-422', '409', {
    operations,
    alsoFails: [
      ...along('the code is the same, its status is not', 'jobs.errors.reuse-is-422'),
      ...along('a graph with faults is another body', 'jobs.idem.invalid-second-422'),
    ],
    replaces: { jobs: reused('other', 'conflict') },
  }),
  breaks('jobs.idem.different-body-422', 'second-job', {
    operations,
    alsoFails: [
      ...along('a graph with faults is another body', 'jobs.idem.invalid-second-422'),
      ...along('the other body becomes a job', 'jobs.idem.never-reexecuted'),
    ],
    replaces: { jobs: reused('other', 'second-job') },
  }),
  breaks('jobs.idem.invalid-second-422', 'checks-first', {
    operations,
    replaces: { jobs: checkedBeforeKey },
  }),
  breaks('jobs.idem.concurrent-one-201', 'check-then-set', {
    operations,
    replaces: { store: checkedThenSet },
  }),
  breaks('jobs.idem.never-reexecuted', 'second-job', {
    operations,
    alsoFails: along(
      'a second job is no refusal',
      'jobs.idem.duplicate-422',
      'jobs.idem.concurrent-one-201',
      'jobs.idem.expires-24h',
    ),
    replaces: { jobs: reused('same', 'second-job') },
  }),
  breaks('jobs.idem.never-reexecuted', 'job-in-refusal', {
    operations,
    onReply: when(
      (answer, seen) => plays(answer, seen, 'usedKey'),
      (answer, seen) => onJson(answer, 'any', (body) => ({ ...body, id: seen.id })),
    ),
  }),
  breaks('jobs.idem.no-replay-header', 'on-refusal', {
    operations,
    onReply: when(
      (answer, seen) => plays(answer, seen, 'usedKey'),
      (answer) => withHeaders(answer, [['Idempotency-Replayed', 'true']]),
    ),
  }),
  ...(
    [
      ['jobs.idem.release-on-validation', 'invalidGraph', 'missingAsset'],
      ['jobs.idem.release-on-ui-format', 'editorFormat'],
      ['jobs.idem.release-on-reserved', 'badRequest'],
      ['jobs.idem.release-on-upstream-reject', 'noCredits'],
    ] as const
  ).map(([rule, ...roles]) =>
    breaks(rule, 'kept', {
      operations,
      replaces: { jobs: keyKeptAfter(...roles) },
      ...(rule === 'jobs.idem.release-on-reserved'
        ? { alsoFails: along('unknown extra data is refused alike', 'jobs.idem.release-on-validation') }
        : {}),
    }),
  ),
  breaks('jobs.idem.no-key-ok', '400', {
    alsoFails: along('a call without a key is refused', 'jobs.submit.extra-data-allowed'),
    operations,
    onReply: when(
      (answer, seen) => created(answer) && keyOf(seen) === undefined,
      (answer) => refusedWith(answer, 400),
    ),
  }),
  breaks('jobs.idem.expires-24h', 'never', {
    operations,
    replaces: { policies: keyPolicy({ window: 'P1000D' }) },
  }),
  breaks('jobs.idem.expires-24h', 'in-an-hour', {
    operations,
    replaces: { policies: keyPolicy({ window: 'PT1H' }) },
  }),
];

const errors: readonly Deviation[] = [
  breaks('jobs.errors.shape', 'text', {
    operations: reading,
    onReply: (answer) => onJson(answer, 404, () => ({ error: 'Deviant on purpose.' })),
  }),
  breaks('jobs.errors.shape', 'bare-500', {
    operations,
    onReply: when(
      (answer, seen) => answer.status >= 400 && isEmptyObject(seen),
      (answer) => ({ ...withoutHeaders(answer, 'Content-Type'), status: 500, body: { kind: 'none' } }),
    ),
  }),
  breaks('jobs.errors.shape', 'no-message', {
    operations: reading,
    onReply: when(
      ({ status }) => status === 404,
      (answer) => onError(answer, ({ message: _left, ...error }) => error),
    ),
  }),
  breaks('jobs.errors.shape', 'details-as-list', {
    operations: reading,
    onReply: when(
      ({ status }) => status === 404,
      (answer) => onError(answer, (error) => ({ ...error, details: ['Deviant on purpose.'] })),
    ),
  }),
  breaks('jobs.errors.reuse-is-422', '409', {
    operations,
    alsoFails: along(
      'a refusal of a used key is known by both',
      'jobs.idem.duplicate-422',
      'jobs.idem.different-body-422',
      'jobs.idem.invalid-second-422',
      'jobs.idem.concurrent-one-201',
      'jobs.idem.expires-24h',
    ),
    onReply: when(
      (answer, seen) => plays(answer, seen, 'usedKey'),
      (answer) => ({ ...answer, status: 409 }),
    ),
  }),
];

/** Deviations of submitting jobs, and of errors. */
export const submitDeviations: readonly Deviation[] = [...answers, ...checks, ...keys, ...errors];

// --- internal ---

function hasNodeErrors(answer: Parameters<typeof plays>[0], seen: DeviationView): boolean {
  return plays(answer, seen, 'invalidGraph');
}

function onNodeErrors(
  answer: Parameters<typeof onError>[0],
  change: (list: readonly unknown[]) => readonly unknown[],
): ReturnType<typeof onError> {
  return onError(answer, (error) => {
    const details = error['details'] as {
      readonly node_errors: Readonly<Record<string, readonly unknown[]>>;
    };
    const changed = Object.entries(details.node_errors).map(([id, list]) => [id, change(list)]);
    return { ...error, details: { ...details, node_errors: Object.fromEntries(changed) } };
  });
}
