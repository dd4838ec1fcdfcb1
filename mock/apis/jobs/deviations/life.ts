import { along, breaks, bySearch } from '../../../deviations/breaks.ts';
import { asJson, asStatus } from '../../../deviations/changes.ts';
import { bearsCredential, not, status, when } from '../../../deviations/conditions.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import {
  isOver,
  isQueued,
  job,
  onCancel,
  onEveryJob,
  onJob,
  onRead,
  onSubmit,
  onWatch,
  refusedWith,
  since,
  unknownJobId,
  type JsonRecord,
} from './wire.ts';
import {
  cancelledByDuplicate,
  failuresCancelled,
  jobsOfOthers,
  openToAll,
  readLag,
  stopping,
} from './parts.ts';
import { dataOf, onFrames } from '../../../deviations/on-frames.ts';

const isSuccess = ({ status }: JsonRecord): boolean => status === 'succeeded';
const asksForCredential = when([status(404), not(bearsCredential)], refusedWith(401));
const isFailure = ({ status }: JsonRecord): boolean => status === 'failed';

const reads: readonly Deviation[] = onRead({
  'jobs.read.ok~wrapped': onJob((job) => ({ job }), isQueued),
  'jobs.read.same-id~other': onJob((job) => ({ ...job, id: unknownJobId }), isQueued),
  'jobs.read.authoritative~stale': [
    { jobs: readLag(2_500) },
    along('the state that was shown first is unknown', 'jobs.job.outputs-grow', 'jobs.state.legal-path'),
    along('an old state is read after a newer one', 'jobs.job.times-stay', 'jobs.state.terminal-final'),
  ],
  'jobs.read.unknown~200-null': [
    when(status(404), asJson(200, null)),
    along("another account's job is as unknown", 'jobs.auth.scoped'),
    along('null is not a job', 'jobs.read.ok'),
  ],
  'jobs.read.until-expiry~an-hour': when(
    [status(200), job((read, seen) => since(read, 'created_at', seen) > HOUR_MS)],
    refusedWith(404),
  ),
});

const states: readonly Deviation[] = [
  ...onWatch({
    'jobs.state.legal-path~back-to-queued': onFrames(async function* (frames) {
      let queued: string | undefined;
      for await (const frame of frames) {
        yield frame;
        const status = dataOf(frame)?.['status'];
        if (status === 'queued') queued = frame;
        if (status !== 'running' || queued === undefined) continue;
        yield queued;
        yield frame;
        queued = undefined;
      }
    }),
    // A caller that watches from the beginning sees no state between waiting and the end.
    'jobs.state.legal-path~never-running': onFrames(async function* (frames) {
      let isFromQueue = false;
      for await (const frame of frames) {
        const status = dataOf(frame)?.['status'];
        isFromQueue ||= status === 'queued';
        if (!(isFromQueue && status === 'running')) yield frame;
      }
    }),
  }),
  ...onSubmit({ 'jobs.state.legal-path~canceled-by-duplicate': { jobs: cancelledByDuplicate } }),
  ...onRead({
    'jobs.state.terminal-final~failed-later': [
      onJob(
        (job) => ({ ...job, status: 'failed' }),
        (job, seen) => isSuccess(job) && since(job, 'completed_at', seen) > 700,
      ),
      along('a job that failed has an error', 'jobs.job.error-on-failed'),
    ],
    'jobs.job.failed-not-http-error~500': [
      when(job(isFailure), refusedWith(500)),
      along(
        'a job that cannot be read shows nothing',
        'jobs.state.failure',
        'jobs.job.error-on-failed',
        'jobs.logs.surface',
      ),
    ],
    'jobs.state.legal-path~runs-on': [
      onJob(
        (job) => ({ ...job, status: 'running', started_at: job['started_at'] ?? job['created_at'] }),
        ({ status }) => status === 'canceling',
      ),
      along('the job that runs on has a start that the canceled one has not', 'jobs.job.times-stay'),
    ],
  }),
  ...breaks(
    'getJob',
    'streamJobEvents',
  )({
    'jobs.state.success~failed': [
      onEveryJob((job) => ({ ...job, status: 'failed' }), isSuccess),
      [
        ...along('a job that failed has an error', 'jobs.job.error-on-failed'),
        ...along('its stream and a later answer say how it ended', 'jobs.state.terminal-final'),
      ],
    ],
    'jobs.state.failure~succeeded': [
      onEveryJob((job) => ({ ...job, status: 'succeeded' }), isFailure),
      [
        ...along('what did not fail has no error', 'jobs.job.error-on-failed'),
        ...along('its stream and a later answer say how it ended', 'jobs.state.terminal-final'),
      ],
    ],
  }),
  ...breaks(
    'cancelJob',
    'getJob',
  )({
    'jobs.state.terminal-final~failed-then-canceled': { jobs: failuresCancelled },
    // A job that was cancelled in the queue is canceling for a second, and canceled then.
    'jobs.state.legal-path~queued-runs-on': [
      onJob(
        (job, { operation }) =>
          operation?.id === 'cancelJob'
            ? { ...job, status: 'canceling', completed_at: null }
            : { ...job, status: 'running', started_at: job['created_at'], completed_at: null },
        (job, seen) =>
          job['status'] === 'canceled' &&
          job['started_at'] === null &&
          since(job, 'completed_at', seen) < 1000,
      ),
      along('the job that runs on has a start that the canceled one has not', 'jobs.job.times-stay'),
    ],
  }),
  ...onCancel({
    'jobs.state.terminal-final~cancelled-afterwards': onJob(
      (job) => ({ ...job, status: 'canceled' }),
      isSuccess,
    ),
    'jobs.state.canceled-via-canceling~from-running': [
      {
        jobs: stopping('at-once'),
        onReply: onJob(
          (job) => ({ ...job, status: 'running', completed_at: null }),
          ({ status, started_at: begun }) => status === 'canceled' && begun !== null,
        ),
      },
      along('a job that is not canceling is shown as running', 'jobs.cancel.canceling'),
      along('a job that was read as canceled is shown as running again', 'jobs.state.terminal-final'),
      along('the time is another one in the next view', 'jobs.job.times-stay'),
    ],
  }),
];

const cancellations: readonly Deviation[] = onCancel({
  'jobs.cancel.200~202': when(status(200), asStatus(202)),
  'jobs.cancel.canceling~still-running': [
    onJob(
      (job) => ({ ...job, status: 'running' }),
      (job) => job['started_at'] !== null && !isOver(job),
    ),
    along('a read says canceling before', 'jobs.state.legal-path'),
  ],
  'jobs.cancel.canceling~ignored': [
    { jobs: stopping('ignored') },
    along(
      'a job that runs on is never canceled',
      'jobs.cancel.eventually-canceled',
      'jobs.state.canceled-via-canceling',
    ),
  ],
  'jobs.cancel.eventually-canceled~stuck': [
    { jobs: stopping('stuck') },
    along('a job that is never canceled shows no way there', 'jobs.state.canceled-via-canceling'),
  ],
  'jobs.cancel.unknown~200': [
    when(status(404), asJson(200, {})),
    along("another account's job is as unknown", 'jobs.auth.scoped'),
    along('an empty object is not a job', 'jobs.cancel.200'),
  ],
});

const accounts: readonly Deviation[] = [
  ...breaks()({
    'jobs.auth.required~open': { jobs: openToAll },
  }),
  ...onRead({
    'jobs.auth.required~open-read': [
      when([status(401), not(bearsCredential)], asJson(200, {})),
      bySearch('a caller without a credential gets an empty object instead of the job', 'jobs.read.ok'),
    ],
    'jobs.auth.scoped~open': { jobs: jobsOfOthers },
    'jobs.auth.self-hosted-static~any-token': {
      jobs: (honest) => ({ ...openToAll(honest), ...jobsOfOthers(honest) }),
    },
    'jobs.auth.self-hosted-open~401': asksForCredential,
    'jobs.auth.demo-open~401': asksForCredential,
  }),
];

/** Deviations of reading and cancelling jobs, of their states, and of access. */
export const lifeDeviations: readonly Deviation[] = [...reads, ...states, ...cancellations, ...accounts];

// --- internal ---

const HOUR_MS = 3_600_000;
