import { isRecord } from '../../../../contract/index.ts';
import { along, bySearch } from '../../../deviations/breaks.ts';
import {
  asJson,
  asNothing,
  asStatus,
  asText,
  both,
  onBody,
  withHeader,
  withoutHeader,
  type AnswerChange,
} from '../../../deviations/changes.ts';
import {
  bodyBegins,
  bodyEnds,
  bodyFits,
  bodyIs,
  isError,
  not,
  sends,
  sentBody,
  status,
  when,
  type Condition,
} from '../../../deviations/conditions.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { checkedThenSet, keyPolicy } from '../../../deviations/key-parts.ts';
import {
  assetsTaken,
  checkedBeforeKey,
  extraDataOpen,
  faultsBecomeJobs,
  keyKeptAfter,
  keyKeptFor,
  reservedTaken,
  reused,
  takenForUsed,
  unknownClassesTaken,
} from './parts.ts';
import {
  withCodeOfRole,
  isQueued,
  job,
  onError,
  onJob,
  onRead,
  onSubmit,
  plays,
  refusedWith,
  since,
} from './wire.ts';

const created = status(201);

const isEmptyObject: Condition = (_, { request }) => {
  const body = request.body();
  return body.kind === 'json' && JSON.stringify(body.value) === '{}';
};

/** A node of the graph has no inputs. */
const hasThinNode = bodyFits((body) =>
  Object.values(body).some(
    (graph) => isRecord(graph) && Object.values(graph).some((node) => isRecord(node) && isThin(node)),
  ),
);

function isThin(node: Readonly<Record<string, unknown>>): boolean {
  return 'class_type' in node && !('inputs' in node);
}

const reservedByAny = along('with any value, null among them', 'jobs.submit.reserved-null');

const answers: readonly Deviation[] = [
  ...onSubmit({
    'jobs.submit.201~200': when(created, asStatus(200)),
    'jobs.submit.201~202': when(created, asStatus(202)),
    'jobs.submit.201~on-one-line-only': when([created, bodyBegins('\n')], refusedWith(400)),
    'jobs.submit.201~no-chunks': [
      when([created, sends('transfer-encoding', 'chunked')], refusedWith(400)),
      bySearch('the key of a submission in chunks has no job', 'jobs.idem.concurrent-one-201'),
    ],
    'jobs.submit.201~nearly-used-key': { jobs: takenForUsed('nearly-used') },
    'jobs.submit.201~key-of-refused-caller': { jobs: takenForUsed('of-refused-caller') },
    'jobs.submit.queued~pending': [
      onJob((job) => ({ ...job, status: 'pending' })),
      along('there is no such status', 'jobs.job.status-enum'),
    ],
    'jobs.submit.queued~succeeded': [
      onJob((job) => ({ ...job, status: 'succeeded' })),
      along('a job that has ended has begun', 'jobs.job.started-at-set'),
    ],
  }),
  ...onRead({
    'jobs.submit.extra-data-not-kept~on-reads': onJob(
      (read) => ({ ...read, extra_data: { api_key_service: 'deviant-on-purpose' } }),
      (read) => !isQueued(read),
    ),
    'jobs.submit.durable~404-at-first': when(
      [status(200), job((read, seen) => since(read, 'created_at', seen) < 1_000)],
      refusedWith(404),
    ),
  }),
];

const checks: readonly Deviation[] = onSubmit({
  'jobs.submit.sync-validation~201-then-failed': [
    { jobs: faultsBecomeJobs },
    along(
      'an accepted submission has no error to judge',
      'jobs.submit.invalid-workflow',
      'jobs.submit.node-errors',
    ),
    along('an unknown class is a fault of the graph', 'jobs.submit.unknown-class'),
    along('without a refusal there is nothing that frees a key', 'jobs.idem.release-on-validation'),
  ],
  'jobs.submit.invalid-workflow~other-code': when(
    plays('invalidGraph'),
    onError((error) => ({ ...error, code: 'bad_request' })),
  ),
  'jobs.submit.node-errors~texts': onNodeErrors((entry) => JSON.stringify(entry)),
  'jobs.submit.node-errors~by-position': when(
    plays('invalidGraph'),
    onError(({ details, ...error }) => ({
      ...error,
      details: { ...(details as object), node_errors: positioned(details) },
    })),
  ),
  'jobs.submit.node-errors~several-listed': when(
    [plays('invalidGraph'), bodyFits((body) => JSON.stringify(body).includes('tallystick_0'))],
    onError(({ details, ...error }) => ({
      ...error,
      details: { ...(details as object), node_errors: Object.values(positioned(details)) },
    })),
  ),
  'jobs.submit.node-errors~no-reason': onNodeErrors(({ field }) => ({ field })),
  'jobs.submit.node-errors~no-details': when(
    plays('invalidGraph'),
    onError(({ details: _left, ...error }) => error),
  ),
  'jobs.submit.unknown-class~201': { jobs: unknownClassesTaken },
  'jobs.submit.ui-format~as-bad-graph': when(plays('editorFormat'), withCodeOfRole('invalidGraph')),
  'jobs.submit.ui-format~as-bad-graph-with-a-key': when(
    [plays('editorFormat'), sends('idempotency-key')],
    withCodeOfRole('invalidGraph'),
  ),
  'jobs.submit.webhook-url-rejected~ignored': [{ jobs: reservedTaken('webhook_url') }, reservedByAny],
  'jobs.submit.inputs-rejected~ignored': [{ jobs: reservedTaken('inputs') }, reservedByAny],
  'jobs.submit.inputs-rejected~unread-in-chunks': [
    when(
      [isError, sends('transfer-encoding', 'chunked'), bodyFits((sent) => 'inputs' in sent)],
      asJson(200, {}),
    ),
    along('the success has no job', 'jobs.submit.201', 'jobs.submit.queued'),
  ],
  'jobs.submit.extra-data-closed~empty-texts': [
    when(
      [isError, bodyFits(({ extra_data: extra }) => isRecord(extra) && Object.values(extra).includes(''))],
      asJson(200, {}),
    ),
    along('the success has no job', 'jobs.submit.201', 'jobs.submit.queued'),
  ],
  'jobs.submit.reserved-null~201': { jobs: reservedTaken(null) },
  'jobs.submit.extra-data-closed~ignored': { jobs: extraDataOpen },
  'jobs.submit.extra-data-closed~listed': [
    when(
      bodyFits(({ extra_data: extra }) => Array.isArray(extra)),
      asJson(200, {}),
    ),
    along('the success has no job', 'jobs.submit.201', 'jobs.submit.queued'),
  ],
  'jobs.submit.extra-data-allowed~refused': [
    when([created, bodyFits((sent) => 'extra_data' in sent)], refusedWith(422)),
    along('no job with such a member is created', 'jobs.submit.extra-data-not-kept'),
  ],
  'jobs.submit.asset-exists~201': { jobs: assetsTaken('unknown') },
  'jobs.submit.asset-exists~unseen-with-more-members': [
    when(
      [isError, bodyFits((sent) => JSON.stringify(sent).includes('{"within":{"tallystick":1'))],
      asJson(200, {}),
    ),
    along('the success has no job', 'jobs.submit.201', 'jobs.submit.queued'),
    along("another account's asset is not seen either", 'jobs.submit.asset-owned'),
  ],
  'jobs.submit.asset-owned~201': { jobs: assetsTaken('foreign') },
  'jobs.submit.malformed-json~comma-taken': [
    when(bodyEnds(',}'), asJson(200, {})),
    along('the success has no job', 'jobs.submit.201', 'jobs.submit.queued'),
  ],
  'jobs.submit.malformed-json~500-html': [
    when(bodyIs('malformed'), asText('text/html', '<h1>Deviant on purpose</h1>', 500)),
    along('an error of the API has the shape of its errors', 'jobs.errors.shape'),
  ],
});

const keys = onSubmit({
  'jobs.idem.duplicate-422~replay': [
    { jobs: reused('same', 'replay') },
    along('the replay is a job', 'jobs.idem.never-reexecuted'),
    along('a concurrent request is replayed too', 'jobs.idem.concurrent-one-201'),
    along('a request after 23 hours is replayed too', 'jobs.idem.expires-24h'),
    along('the job that is replayed may have ended', 'jobs.submit.queued'),
  ],
  'jobs.idem.duplicate-422~freed-by-an-export': when(plays('usedKey'), freedByExport()),
  'jobs.idem.duplicate-422~unread-in-chunks': when(
    [plays('usedKey'), sends('transfer-encoding', 'chunked')],
    refusedWith(409),
  ),
  'jobs.idem.duplicate-422~freed-by-failure': when(
    [plays('usedKey'), bodyFits((sent) => JSON.stringify(sent).includes('"Fail"'))],
    refusedWith(409),
  ),
  'jobs.idem.duplicate-422~freed-by-a-long-run': [
    when(
      [plays('usedKey'), bodyFits((sent) => JSON.stringify(sent).includes('"SketchPicture"'))],
      refusedWith(409),
    ),
    bySearch('a search sends such a job twice at once, too', 'jobs.idem.concurrent-one-201'),
  ],
  'jobs.idem.different-body-422~409': [
    { jobs: reused('other', 'conflict') },
    along('the code is the same, its status is not', 'jobs.errors.reuse-is-422'),
    along('a graph with faults is another body', 'jobs.idem.invalid-second-422'),
  ],
  'jobs.idem.different-body-422~second-job': [
    { jobs: reused('other', 'second-job') },
    along('a graph with faults is another body', 'jobs.idem.invalid-second-422'),
    along('the other body becomes a job', 'jobs.idem.never-reexecuted'),
  ],
  'jobs.idem.invalid-second-422~checks-first': { jobs: checkedBeforeKey },
  'jobs.idem.concurrent-one-201~check-then-set': { store: checkedThenSet },
  'jobs.idem.never-reexecuted~second-job': [
    { jobs: reused('same', 'second-job') },
    along(
      'a second job is not a refusal',
      'jobs.idem.duplicate-422',
      'jobs.idem.concurrent-one-201',
      'jobs.idem.expires-24h',
    ),
  ],
  'jobs.idem.never-reexecuted~job-in-refusal': when(
    plays('usedKey'),
    onBody('any', (body, { id }) => ({ ...body, id })),
  ),
  'jobs.idem.no-replay-header~on-refusal': when(plays('usedKey'), withHeader('Idempotency-Replayed', 'true')),
  'jobs.idem.no-key-ok~400': [
    when([created, not(sends('idempotency-key'))], refusedWith(400)),
    along('a call without a key is refused', 'jobs.submit.extra-data-allowed'),
    along(
      'the job of the fixtures is created without a key',
      'jobs.submit.201',
      'jobs.submit.extra-data-not-kept',
    ),
  ],
  'jobs.idem.expires-24h~never': { policies: keyPolicy({ window: 'P1000D' }) },
  'jobs.idem.expires-24h~in-an-hour': { policies: keyPolicy({ window: 'PT1H' }) },
  'jobs.idem.release-on-validation~kept': { jobs: keyKeptAfter('invalidGraph', 'missingAsset') },
  'jobs.idem.release-on-validation~kept-for-lists': { jobs: keyKeptFor(/^\[/) },
  'jobs.idem.release-on-reserved~kept-for-callbacks': { jobs: keyKeptFor(/"webhook_url"/) },
  'jobs.idem.release-on-ui-format~kept': { jobs: keyKeptAfter('editorFormat') },
  'jobs.idem.release-on-reserved~kept': { jobs: keyKeptAfter('badRequest') },
  'jobs.idem.release-on-upstream-reject~kept': { jobs: keyKeptAfter('noCredits') },
});

const errors: readonly Deviation[] = [
  ...onRead({
    'jobs.errors.shape~text': onBody(404, () => ({ error: 'Deviant on purpose.' })),
    'jobs.errors.shape~no-message': when(
      status(404),
      onError(({ message: _left, ...error }) => error),
    ),
    'jobs.errors.shape~details-as-list': when(
      status(404),
      onError((error) => ({ ...error, details: ['Deviant on purpose.'] })),
    ),
  }),
  ...onSubmit({
    'jobs.errors.shape~bare-500': when(
      [isEmptyObject, isError],
      both(withoutHeader('Content-Type'), asNothing(500)),
    ),
    'jobs.errors.shape~crash-on-a-thin-node': when(
      hasThinNode,
      both(withoutHeader('Content-Type'), asNothing(500)),
    ),
    'jobs.errors.reuse-is-422~409': [
      when(plays('usedKey'), asStatus(409)),
      along(
        'a refusal of a used key is known by both',
        'jobs.idem.duplicate-422',
        'jobs.idem.different-body-422',
        'jobs.idem.invalid-second-422',
        'jobs.idem.concurrent-one-201',
        'jobs.idem.expires-24h',
      ),
    ],
  }),
];

/** Deviations of submitting jobs, and of errors. */
export const submitDeviations: readonly Deviation[] = [...answers, ...checks, ...keys, ...errors];

// --- internal ---

/** Changes the report about each node of an invalid graph. */
function onNodeErrors(change: (entry: { readonly field: string }) => unknown): AnswerChange {
  return when(
    plays('invalidGraph'),
    onError(({ details, ...error }) => {
      const { node_errors: nodes, ...others } = details as { readonly node_errors: Nodes };
      const changed = Object.entries(nodes).map(([id, entries]) => [id, entries.map(change)]);
      return { ...error, details: { ...others, node_errors: Object.fromEntries(changed) } };
    }),
  );
}

type Nodes = Readonly<Record<string, readonly { readonly field: string }[]>>;

/** The errors by the positions of their nodes instead of their IDs. */
function positioned(details: unknown): object {
  const { node_errors: nodes } = details as { readonly node_errors: Nodes };
  return Object.fromEntries(Object.values(nodes).map((entries, index) => [`${index}`, entries]));
}

/** A used key is no longer used after it came with an export of the interface. */
function freedByExport(): AnswerChange {
  const freed = new Set<string>();
  return (answer, seen) => {
    const key = seen.facts.idempotencyKey ?? '';
    if (freed.has(key)) return refusedWith(409)(answer, seen);
    if (JSON.stringify(sentBody(seen)).includes('"links":')) freed.add(key);
    return answer;
  };
}
