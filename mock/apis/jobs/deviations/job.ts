import type { Deviation, DeviationView } from '../../../deviations/deviation.ts';
import {
  cancelling,
  isOver,
  isQueued,
  isRunning,
  onJob,
  onStatusEvents,
  reading,
  since,
  strangeId,
  submitting,
  watching,
  type JsonRecord,
} from './wire.ts';
import { along, breaks } from '../../../deviations/wire.ts';

const printed = { text: 'Deviant on purpose.' };

const withLogs = (job: JsonRecord): JsonRecord => ({ ...job, logs: printed });

const isFailed = ({ status }: JsonRecord): boolean => status === 'failed';

/** Jobs that have ended some time ago. */
const isLongOver = (job: JsonRecord, seen: DeviationView): boolean =>
  isOver(job) && since(job, 'completed_at', seen) > 700;

/** What a job shows at its end, and no longer after a while. */
const forgotten: readonly Deviation[] = [
  breaks('jobs.job.frozen-after-end', 'outputs-lost', {
    operations: reading,
    onReply: onJob((job) => ({ ...job, outputs: [] }), isLongOver),
  }),
  breaks('jobs.job.frozen-after-end', 'error-appears', {
    operations: reading,
    onReply: onJob(
      (job) => ({ ...job, error: { code: 'late', message: 'Deviant on purpose.' } }),
      (job, seen) => isLongOver(job, seen) && !isFailed(job),
    ),
  }),
  breaks('jobs.job.times-stay', 'start-forgotten', {
    operations: reading,
    alsoFails: [
      ...along('a job that succeeded has run', 'jobs.job.started-at-set'),
      ...along('a time is one of the things that stay', 'jobs.job.frozen-after-end'),
    ],
    onReply: onJob((job) => ({ ...job, started_at: null }), isLongOver),
  }),
  breaks('jobs.job.time-order', 'other-zone', {
    operations: reading,
    alsoFails: [
      ...along('the stream tells the true time', 'jobs.job.times-stay'),
      ...along('a job that has ended is seen with another value', 'jobs.job.frozen-after-end'),
    ],
    onReply: onJob(
      (job) => ({
        ...job,
        completed_at: new Date(Date.parse(String(job['completed_at'])) + 7_200_000).toISOString(),
      }),
      isOver,
    ),
  }),
  breaks('jobs.urls.resolvable', 'events-nowhere', {
    operations: reading,
    onReply: onJob((job) => ({
      ...job,
      urls: Object.fromEntries(
        Object.entries(job['urls'] as JsonRecord).map(([name, link]) => [
          name,
          String(link).replace(/\/events$/, '/frames/events'),
        ]),
      ),
    })),
  }),
  breaks('jobs.urls.resolvable', 'another-job', {
    operations: submitting,
    onReply: onJob((job) => ({
      ...job,
      urls: JSON.parse(JSON.stringify(job['urls']).replaceAll(String(job['id']), strangeId)) as unknown,
    })),
  }),
];

/** What only one operation shows leaves the others as witnesses. */
const members: readonly Deviation[] = [
  breaks('jobs.job.required-fields', 'no-start-while-queued', {
    operations: reading,
    onReply: onJob(({ started_at: _left, ...job }) => job, isQueued),
  }),
  breaks('jobs.job.required-fields', 'no-error', {
    alsoFails: along('a job that has ended is seen with another value', 'jobs.job.frozen-after-end'),
    operations: cancelling,
    onReply: onJob(({ error: _left, ...job }) => job),
  }),
  breaks('jobs.job.id-uuid', 'integer', {
    operations: cancelling,
    onReply: onJob((job) => ({ ...job, id: 4711 })),
  }),
  breaks('jobs.job.id-uuid', 'short', {
    operations: cancelling,
    onReply: onJob((job) => ({ ...job, id: String(job['id']).slice(0, 8) })),
  }),
  breaks('jobs.job.status-enum', 'two-ls', {
    operations: cancelling,
    onReply: onJob((job) => ({ ...job, status: 'cancelled' }), isOver),
  }),
  breaks('jobs.job.date-times', 'epoch', {
    alsoFails: along('a job that has ended is seen with another value', 'jobs.job.frozen-after-end'),
    operations: cancelling,
    onReply: onJob((job) => ({ ...job, created_at: Date.parse(String(job['created_at'])) })),
  }),
  breaks('jobs.job.date-times', 'no-zone', {
    operations: cancelling,
    onReply: onJob((job) => ({ ...job, expires_at: String(job['expires_at']).replace('Z', '') })),
  }),
  breaks('jobs.job.date-times', 'created-null', {
    alsoFails: [
      ...along('the time is another one in the next view', 'jobs.job.times-stay'),
      ...along('a job that has ended is seen with another value', 'jobs.job.frozen-after-end'),
    ],
    operations: cancelling,
    onReply: onJob((job) => ({ ...job, created_at: null })),
  }),
  breaks('jobs.job.nullables', 'outputs-null', {
    operations: submitting,
    onReply: onJob((job) => ({ ...job, outputs: null })),
  }),
  breaks('jobs.job.nullables', 'position-as-text', {
    operations: reading,
    onReply: onJob((job) => ({ ...job, queue_position: '1' }), isQueued),
  }),
  breaks('jobs.job.nullables', 'progress-as-number', {
    operations: reading,
    alsoFails: along('a number has no members to compare', 'jobs.job.progress-same-data'),
    onReply: onJob((job) => ({ ...job, progress: 0.5 }), isRunning),
  }),
  breaks('jobs.job.progress-same-data', 'percent', {
    operations: reading,
    onReply: onJob((job) => ({ ...job, progress: { percent: 40 } }), hasProgress),
  }),
  breaks('jobs.job.progress-same-data', 'missing', {
    operations: reading,
    onReply: onJob((job) => ({ ...job, progress: null }), hasProgress),
  }),
  breaks('jobs.job.outputs-objects', 'addresses', {
    operations: reading,
    onReply: onJob((job) => ({
      ...job,
      outputs: (job['outputs'] as readonly JsonRecord[]).map(({ url }) => url),
    })),
  }),
  breaks('jobs.job.outputs-grow', 'reset', {
    alsoFails: along('a job that has ended is seen with another value', 'jobs.job.frozen-after-end'),
    operations: reading,
    onReply: onJob((job) => ({ ...job, outputs: [] }), isEverySecond),
  }),
  breaks('jobs.job.started-at-set', 'null-while-running', {
    operations: reading,
    onReply: onJob((job) => ({ ...job, started_at: null }), isRunning),
  }),
  breaks('jobs.job.started-at-null-queued', 'at-creation', {
    alsoFails: along('the time is another one in the next view', 'jobs.job.times-stay'),
    operations: submitting,
    onReply: onJob((job) => ({ ...job, started_at: job['created_at'] })),
  }),
  breaks('jobs.job.time-order', 'swapped', {
    operations: reading,
    alsoFails: [
      ...along('the start is another one than before', 'jobs.job.times-stay'),
      ...along('a job that has ended is seen with another value', 'jobs.job.frozen-after-end'),
    ],
    onReply: onJob(
      (job) => ({ ...job, started_at: job['completed_at'], completed_at: job['started_at'] }),
      isOver,
    ),
  }),
  breaks('jobs.job.times-stay', 'created-later', {
    alsoFails: along('a job that has ended is seen with another value', 'jobs.job.frozen-after-end'),
    operations: reading,
    onReply: onJob(
      (job) => ({ ...job, created_at: new Date(Date.parse(String(job['created_at'])) - 1000).toISOString() }),
      isEverySecond,
    ),
  }),
  breaks('jobs.job.expires-after-creation', 'at-birth', {
    operations: submitting,
    onReply: onJob((job) => ({ ...job, expires_at: job['created_at'] })),
  }),
  breaks('jobs.job.error-on-failed', 'null', {
    operations: reading,
    onReply: onJob((job) => ({ ...job, error: null }), isFailed),
  }),
  breaks('jobs.job.metrics-nullable', 'zero-while-queued', {
    operations: submitting,
    onReply: onJob((job) => ({ ...job, metrics: { execution_ms: 0 } })),
  }),
  breaks('jobs.job.metrics-nullable', 'null', {
    operations: submitting,
    onReply: onJob((job) => ({ ...job, metrics: null })),
  }),
];

const links: readonly Deviation[] = [
  breaks('jobs.urls.object', 'null', {
    operations: cancelling,
    onReply: onJob((job) => ({ ...job, urls: null })),
  }),
  breaks('jobs.urls.form', 'relative', {
    operations: cancelling,
    onReply: onLinks((link) => link.replace(/^\//, '')),
  }),
  breaks('jobs.urls.form', 'two-slashes', {
    operations: cancelling,
    onReply: onLinks((link) => `//jobs.example${link}`),
  }),
  breaks('jobs.urls.mount-prefix', 'dropped', {
    operations: submitting,
    onReply: onLinks((link, seen) => link.slice(link.indexOf(seen.operation?.path ?? ''))),
  }),
  breaks('jobs.urls.resolvable', 'other-job', {
    operations: reading,
    onReply: onLinks((link) => link.replace(/[0-9a-f-]{36}/, strangeId)),
  }),
];

const logs: readonly Deviation[] = [
  breaks('jobs.logs.get-only-post', 'on-201', { operations: submitting, onReply: onJob(withLogs) }),
  breaks('jobs.logs.get-only-cancel', 'on-cancel', { operations: cancelling, onReply: onJob(withLogs) }),
  breaks('jobs.logs.get-only-stream', 'in-event', {
    operations: watching,
    onReply: onStatusEvents(withLogs),
  }),
  breaks('jobs.logs.absent-not-null', 'null', {
    operations: reading,
    onReply: onJob((job) => ({ ...job, logs: null }), isQueued),
  }),
  breaks('jobs.logs.surface', 'cloud', { operations: reading, onReply: onJob(withLogs, isOver) }),
  breaks('jobs.logs.surface', 'running', {
    operations: reading,
    alsoFails: along('the job has not ended', 'jobs.logs.not-before-finish'),
    onReply: onJob(withLogs, isRunning),
  }),
  breaks('jobs.logs.surface', 'failed', { operations: reading, onReply: onJob(withLogs, isFailed) }),
  breaks('jobs.logs.surface', 'self-hosted', { operations: reading, onReply: onJob(withLogs, isOver) }),
  breaks('jobs.logs.demo-withheld', 'shown', { operations: reading, onReply: onJob(withLogs, isOver) }),
  breaks('jobs.logs.demo-withheld', 'running', {
    operations: reading,
    alsoFails: along('the job has not ended', 'jobs.logs.not-before-finish'),
    onReply: onJob(withLogs, isRunning),
  }),
  breaks('jobs.logs.not-before-finish', 'while-running', {
    operations: reading,
    onReply: onJob(withLogs, isRunning),
  }),
  breaks('jobs.logs.success-and-failure', 'success-only', {
    operations: reading,
    onReply: onJob(withoutLogs, isFailed),
  }),
  breaks('jobs.logs.lifetime', 'an-hour', {
    operations: reading,
    onReply: onJob(withoutLogs, (job, seen) => since(job, 'completed_at', seen) > HOUR_MS),
  }),
];

/** Deviations of what a job looks like. */
export const jobDeviations: readonly Deviation[] = [...forgotten, ...members, ...links, ...logs];

// --- internal ---

const HOUR_MS = 3_600_000;

function hasProgress({ progress }: JsonRecord): boolean {
  return progress !== null;
}

function withoutLogs({ logs: _left, ...job }: JsonRecord): JsonRecord {
  return job;
}

function isEverySecond(_job: JsonRecord, { startedAt }: DeviationView): boolean {
  return Math.floor(startedAt / 1_000) % 2 === 0;
}

function onLinks(change: (link: string, seen: DeviationView) => string): NonNullable<Deviation['onReply']> {
  return onJob((job, seen) => ({
    ...job,
    urls: Object.fromEntries(
      Object.entries(job['urls'] as JsonRecord).map(([name, link]) => [name, change(String(link), seen)]),
    ),
  }));
}
