import { onJson, type Deviation } from '../../../deviations/deviation.ts';
import {
  cancelling,
  isOver,
  isQueued,
  onEveryJob,
  onJob,
  reading,
  refusedWith,
  since,
  strangeId,
  watching,
  type JsonRecord,
} from './wire.ts';
import { jobsOfOthers, openToAll, readLag, stopping } from './parts.ts';
import { dataOf, onFrames } from '../../../deviations/on-frames.ts';
import { along, bearsCredential, breaks, when, withJson } from '../../../deviations/wire.ts';

const isSuccess = ({ status }: JsonRecord): boolean => status === 'succeeded';
const isFailure = ({ status }: JsonRecord): boolean => status === 'failed';

const reads: readonly Deviation[] = [
  breaks('jobs.read.ok', 'wrapped', { operations: reading, onReply: onJob((job) => ({ job }), isQueued) }),
  breaks('jobs.read.same-id', 'other', {
    operations: reading,
    onReply: onJob((job) => ({ ...job, id: strangeId }), isQueued),
  }),
  breaks('jobs.read.authoritative', 'stale', {
    operations: reading,
    alsoFails: along(
      'what was told first is not known any more',
      'jobs.job.outputs-grow',
      'jobs.state.legal-path',
    ),
    replaces: { jobs: readLag(2_500) },
  }),
  breaks('jobs.read.unknown', '200-null', {
    operations: reading,
    alsoFails: along("another account's job is as unknown", 'jobs.auth.scoped'),
    onReply: when(
      ({ status }) => status === 404,
      (answer) => withJson(answer, 200, null),
    ),
  }),
  breaks('jobs.read.until-expiry', 'an-hour', {
    operations: reading,
    onReply: (answer, seen) => {
      const { body, status } = answer;
      const isOld = body.kind === 'json' && since(body.value as JsonRecord, 'created_at', seen) > HOUR_MS;
      return status === 200 && isOld ? refusedWith(answer, 404) : answer;
    },
  }),
];

const states: readonly Deviation[] = [
  breaks('jobs.state.legal-path', 'back-to-queued', {
    operations: watching,
    onReply: (answer) =>
      onFrames(answer, async function* (frames) {
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
  }),
  breaks('jobs.state.terminal-final', 'failed-later', {
    alsoFails: along('a job that failed has an error', 'jobs.job.error-on-failed'),
    operations: reading,
    onReply: onJob(
      (job) => ({ ...job, status: 'failed' }),
      (job, seen) => isSuccess(job) && since(job, 'completed_at', seen) > 700,
    ),
  }),
  breaks('jobs.state.terminal-final', 'cancelled-afterwards', {
    operations: cancelling,
    onReply: onJob((job) => ({ ...job, status: 'canceled' }), isSuccess),
  }),
  breaks('jobs.state.success', 'failed', {
    alsoFails: along('a job that failed has an error', 'jobs.job.error-on-failed'),
    operations: [...reading, ...watching],
    onReply: onEveryJob((job) => ({ ...job, status: 'failed' }), isSuccess),
  }),
  breaks('jobs.state.failure', 'succeeded', {
    operations: [...reading, ...watching],
    alsoFails: along('what did not fail has no error', 'jobs.job.error-on-failed'),
    onReply: onEveryJob((job) => ({ ...job, status: 'succeeded' }), isFailure),
  }),
  breaks('jobs.job.failed-not-http-error', '500', {
    operations: reading,
    alsoFails: along(
      'a job that cannot be read shows nothing',
      'jobs.state.failure',
      'jobs.job.error-on-failed',
      'jobs.logs.surface',
    ),
    onReply: when(
      ({ body }) => body.kind === 'json' && isFailure((body.value ?? {}) as JsonRecord),
      (answer) => refusedWith(answer, 500),
    ),
  }),
  breaks('jobs.state.legal-path', 'runs-on', {
    operations: reading,
    onReply: onJob(
      (job) => ({ ...job, status: 'running', started_at: job['started_at'] ?? job['created_at'] }),
      ({ status }) => status === 'canceling',
    ),
  }),
  breaks('jobs.state.legal-path', 'queued-runs-on', {
    operations: [...cancelling, ...reading],
    // A job that was cancelled in the queue is canceling, runs for a second, and is canceled then.
    onReply: onJob(
      (job, { operation }) =>
        operation !== undefined && cancelling.includes(operation.id)
          ? { ...job, status: 'canceling', completed_at: null }
          : { ...job, status: 'running', started_at: job['created_at'], completed_at: null },
      (job, seen) =>
        job['status'] === 'canceled' && job['started_at'] === null && since(job, 'completed_at', seen) < 1000,
    ),
  }),
  breaks('jobs.state.canceled-via-canceling', 'from-running', {
    operations: cancelling,
    alsoFails: [
      ...along('what is not canceling says that it runs', 'jobs.cancel.canceling'),
      ...along('what was read as canceled is told as running again', 'jobs.state.terminal-final'),
      ...along('the time is another one in the next view', 'jobs.job.times-stay'),
    ],
    replaces: { jobs: stopping('at-once') },
    onReply: onJob(
      (job) => ({ ...job, status: 'running', completed_at: null }),
      ({ status, started_at: begun }) => status === 'canceled' && begun !== null,
    ),
  }),
];

const cancellations: readonly Deviation[] = [
  breaks('jobs.cancel.200', '202', {
    operations: cancelling,
    onReply: when(
      ({ status }) => status === 200,
      (answer) => ({ ...answer, status: 202 }),
    ),
  }),
  breaks('jobs.cancel.canceling', 'still-running', {
    operations: cancelling,
    onReply: onJob(
      (job) => ({ ...job, status: 'running' }),
      (job) => job['started_at'] !== null && !isOver(job),
    ),
  }),
  breaks('jobs.cancel.canceling', 'ignored', {
    operations: cancelling,
    alsoFails: along(
      'a job that runs on is never canceled',
      'jobs.cancel.eventually-canceled',
      'jobs.state.canceled-via-canceling',
    ),
    replaces: { jobs: stopping('ignored') },
  }),
  breaks('jobs.cancel.eventually-canceled', 'stuck', {
    operations: cancelling,
    alsoFails: along('a job that is never canceled shows no way there', 'jobs.state.canceled-via-canceling'),
    replaces: { jobs: stopping('stuck') },
  }),
  breaks('jobs.cancel.unknown', '200', {
    operations: cancelling,
    alsoFails: along("another account's job is as unknown", 'jobs.auth.scoped'),
    onReply: (answer) =>
      answer.status === 404 ? onJson({ ...answer, status: 200 }, 200, () => ({})) : answer,
  }),
];

const accounts: readonly Deviation[] = [
  breaks('jobs.auth.required', 'open', { replaces: { jobs: openToAll } }),
  breaks('jobs.auth.required', 'open-read', {
    operations: reading,
    onReply: when(
      (answer, seen) => answer.status === 401 && !bearsCredential(seen),
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('jobs.auth.scoped', 'open', { operations: reading, replaces: { jobs: jobsOfOthers } }),
  breaks('jobs.auth.self-hosted-static', 'any-token', {
    operations: reading,
    replaces: { jobs: (honest) => ({ ...openToAll(honest), ...jobsOfOthers(honest) }) },
  }),
  ...['jobs.auth.self-hosted-open', 'jobs.auth.demo-open'].map((rule) =>
    breaks(rule, '401', {
      operations: reading,
      onReply: when(
        (answer, seen) => answer.status === 404 && !bearsCredential(seen),
        (answer) => refusedWith(answer, 401),
      ),
    }),
  ),
];

/** Deviations of reading and cancelling jobs, of their states, and of who may. */
export const lifeDeviations: readonly Deviation[] = [...reads, ...states, ...cancellations, ...accounts];

// --- internal ---

const HOUR_MS = 3_600_000;
