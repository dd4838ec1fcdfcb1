import type { Deviation, DeviationView } from '../../../deviations/deviation.ts';
import { along, bySearch } from '../../../deviations/breaks.ts';
import type { AnswerChange } from '../../../deviations/changes.ts';
import {
  isOver,
  isQueued,
  isRunning,
  onCancel,
  onJob,
  onRead,
  onStatusEvents,
  onSubmit,
  onWatch,
  since,
  unknownJobId,
  type JsonRecord,
} from './wire.ts';

const printed = { text: 'Deviant on purpose.' };

const withLogs = (job: JsonRecord): JsonRecord => ({ ...job, logs: printed });

const isFailed = ({ status }: JsonRecord): boolean => status === 'failed';

/** Jobs that ended some time ago. */
const isLongOver = (job: JsonRecord, seen: DeviationView): boolean =>
  isOver(job) && since(job, 'completed_at', seen) > 700;

const anotherValue = along('a job that has ended is seen with another value', 'jobs.job.frozen-after-end');
const anotherTime = along('the time is another one in the next view', 'jobs.job.times-stay');
const notOver = along('the job has not ended', 'jobs.logs.not-before-finish');

/** Members that a job shows at its end, but no longer after some time. */
const forgotten: readonly Deviation[] = [
  ...onRead({
    'jobs.job.frozen-after-end~outputs-lost': onJob((job) => ({ ...job, outputs: [] }), isLongOver),
    'jobs.job.frozen-after-end~error-appears': [
      onJob(
        (job) => ({ ...job, error: { code: 'late', message: 'Deviant on purpose.' } }),
        (job, seen) => isLongOver(job, seen) && !isFailed(job),
      ),
      along('a job that succeeded shows an error', 'jobs.job.error-on-failed'),
    ],
    'jobs.job.times-stay~start-forgotten': [
      onJob((job) => ({ ...job, started_at: null }), isLongOver),
      along('a job that succeeded has run', 'jobs.job.started-at-set'),
      along('a time is one of the things that stay', 'jobs.job.frozen-after-end'),
    ],
    'jobs.job.time-order~other-zone': [
      onJob(
        (job) => ({
          ...job,
          completed_at: new Date(Date.parse(String(job['completed_at'])) + 7_200_000).toISOString(),
        }),
        isOver,
      ),
      along('the stream shows the true time', 'jobs.job.times-stay'),
      anotherValue,
    ],
    'jobs.urls.resolvable~events-nowhere': onLinks((link) => link.replace(/\/events$/, '/frames/events')),
  }),
  ...onSubmit({
    'jobs.urls.resolvable~another-job': onJob((job) => ({
      ...job,
      urls: JSON.parse(JSON.stringify(job['urls']).replaceAll(String(job['id']), unknownJobId)) as unknown,
    })),
  }),
];

/** Works on one operation only, so that the others remain correct for other rules. */
const members: readonly Deviation[] = [
  ...onRead({
    'jobs.job.required-fields~no-start-while-queued': onJob(({ started_at: _left, ...job }) => job, isQueued),
    'jobs.job.nullables~position-as-text': onJob((job) => ({ ...job, queue_position: '1' }), isQueued),
    'jobs.job.nullables~progress-as-number': [
      onJob((job) => ({ ...job, progress: 0.5 }), isRunning),
      bySearch('a number has no members to compare', 'jobs.job.progress-same-data'),
    ],
    'jobs.job.progress-same-data~percent': onJob(
      (job) => ({ ...job, progress: { percent: 40 } }),
      hasProgress,
    ),
    'jobs.job.progress-same-data~missing': onJob((job) => ({ ...job, progress: null }), hasProgress),
    'jobs.job.outputs-objects~addresses': onJob((job) => ({
      ...job,
      outputs: (job['outputs'] as readonly JsonRecord[]).map(({ url }) => url),
    })),
    'jobs.job.outputs-grow~reset': [onJob((job) => ({ ...job, outputs: [] }), isEverySecond), anotherValue],
    'jobs.job.started-at-set~null-while-running': onJob((job) => ({ ...job, started_at: null }), isRunning),
    'jobs.job.time-order~swapped': [
      onJob((job) => ({ ...job, started_at: job['completed_at'], completed_at: job['started_at'] }), isOver),
      along('the start is another one than before', 'jobs.job.times-stay'),
      anotherValue,
    ],
    'jobs.job.times-stay~start-of-a-failure-forgotten': [
      onJob((job) => ({ ...job, started_at: null }), isFailed),
      along('a stream had shown it at the end', 'jobs.job.frozen-after-end'),
    ],
    'jobs.job.times-stay~created-later': [
      onJob(
        (job) => ({
          ...job,
          created_at: new Date(Date.parse(String(job['created_at'])) - 1000).toISOString(),
        }),
        isEverySecond,
      ),
      anotherValue,
    ],
    'jobs.job.error-on-failed~left-over': [
      onJob(
        (job) => ({ ...job, error: { message: 'a node was tried again' } }),
        ({ status }) => status === 'succeeded',
      ),
      anotherValue,
    ],
    'jobs.job.error-on-failed~null': [onJob((job) => ({ ...job, error: null }), isFailed), anotherValue],
  }),
  ...onCancel({
    'jobs.job.required-fields~no-error': [onJob(({ error: _left, ...job }) => job), anotherValue],
    'jobs.job.id-uuid~integer': onJob((job) => ({ ...job, id: 4711 })),
    'jobs.job.id-uuid~short': onJob((job) => ({ ...job, id: String(job['id']).slice(0, 8) })),
    'jobs.job.status-enum~two-ls': onJob((job) => ({ ...job, status: 'cancelled' }), isOver),
    'jobs.job.date-times~epoch': [
      onJob((job) => ({ ...job, created_at: Date.parse(String(job['created_at'])) })),
      anotherValue,
    ],
    'jobs.job.date-times~no-zone': onJob((job) => ({
      ...job,
      expires_at: String(job['expires_at']).replace('Z', ''),
    })),
    'jobs.job.date-times~created-null': [
      onJob((job) => ({ ...job, created_at: null })),
      anotherTime,
      anotherValue,
    ],
  }),
  ...onSubmit({
    'jobs.job.nullables~outputs-null': onJob((job) => ({ ...job, outputs: null })),
    'jobs.job.started-at-null-queued~at-creation': [
      onJob((job) => ({ ...job, started_at: job['created_at'] })),
      anotherTime,
    ],
    'jobs.job.expires-after-creation~at-birth': onJob((job) => ({ ...job, expires_at: job['created_at'] })),
    'jobs.job.metrics-nullable~zero-while-queued': onJob((job) => ({ ...job, metrics: { execution_ms: 0 } })),
    'jobs.job.metrics-nullable~null': onJob((job) => ({ ...job, metrics: null })),
  }),
];

const links: readonly Deviation[] = [
  ...onCancel({
    'jobs.urls.object~null': onJob((job) => ({ ...job, urls: null })),
    'jobs.urls.form~relative': onLinks((link) => link.replace(/^\//, '')),
    'jobs.urls.form~two-slashes': onLinks((link) => `//jobs.example${link}`),
  }),
  ...onSubmit({
    'jobs.urls.mount-prefix~dropped': onLinks((link, seen) =>
      link.slice(link.indexOf(seen.operation?.path ?? '')),
    ),
  }),
  ...onRead({
    'jobs.urls.resolvable~other-job': onLinks((link) => link.replace(/[0-9a-f-]{36}/, unknownJobId)),
  }),
];

const logs: readonly Deviation[] = [
  ...onSubmit({
    'jobs.logs.get-only-post~on-201': onJob(withLogs),
  }),
  ...onCancel({
    'jobs.logs.get-only-cancel~on-cancel': onJob(withLogs),
  }),
  ...onWatch({
    'jobs.logs.get-only-stream~in-event': onStatusEvents(withLogs),
  }),
  ...onRead({
    'jobs.logs.absent-not-null~null': onJob((job) => ({ ...job, logs: null }), isQueued),
    'jobs.logs.surface~cloud': onJob(withLogs, isOver),
    'jobs.logs.surface~running': [onJob(withLogs, isRunning), notOver],
    'jobs.logs.surface~failed': onJob(withLogs, isFailed),
    'jobs.logs.surface~self-hosted': onJob(withLogs, isOver),
    'jobs.logs.demo-withheld~shown': onJob(withLogs, isOver),
    'jobs.logs.demo-withheld~running': [onJob(withLogs, isRunning), notOver],
    'jobs.logs.not-before-finish~while-running': onJob(withLogs, isRunning),
    'jobs.logs.success-and-failure~success-only': onJob(withoutLogs, isFailed),
    'jobs.logs.lifetime~an-hour': onJob(
      withoutLogs,
      (job, seen) => since(job, 'completed_at', seen) > HOUR_MS,
    ),
  }),
];

/** Deviations of the job resource. */
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

function onLinks(change: (link: string, seen: DeviationView) => string): AnswerChange {
  return onJob((job, seen) => ({
    ...job,
    urls: Object.fromEntries(
      Object.entries(job['urls'] as JsonRecord).map(([name, link]) => [name, change(String(link), seen)]),
    ),
  }));
}
