import type { Job } from '../../generated/jobs/types.ts';
import type { Step } from './graph.ts';

/** What is kept of a job. What becomes of it follows from this and the time, so that any replica can tell. */
export interface JobRecord {
  readonly id: string;
  readonly account: string;
  readonly steps: readonly Step[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly cancelledAt?: number;
}

export type Happening =
  | { readonly at: number; readonly kind: 'status'; readonly status: Job['status'] }
  | { readonly at: number; readonly kind: 'progress'; readonly done: number; readonly node: string }
  | { readonly at: number; readonly kind: 'preview'; readonly picture: string };

const QUEUED_MS = 70;
const CANCELLING_MS = 90;

/** All that happens to a job, as far as is known today; a cancel makes it another course. */
export function courseOf({ id, steps, createdAt, cancelledAt }: JobRecord): readonly Happening[] {
  const course: Happening[] = [{ at: createdAt, kind: 'status', status: 'queued' }];
  let at = createdAt + QUEUED_MS;
  course.push({ at, kind: 'status', status: 'running' });
  let failed = false;
  steps.forEach(({ ms, node, previews, fails }, index) => {
    if (failed) return;
    at += ms;
    failed = fails;
    if (fails) return;
    course.push({ at, kind: 'progress', done: index + 1, node });
    if (previews)
      course.push({ at, kind: 'preview', picture: Buffer.from(`${id} ${String(index)}`).toString('base64') });
  });
  course.push({ at, kind: 'status', status: failed ? 'failed' : 'succeeded' });
  if (cancelledAt === undefined || cancelledAt >= at) return course;
  return [
    ...course.filter((happening) => happening.at <= cancelledAt),
    { at: cancelledAt, kind: 'status', status: 'canceling' },
    { at: cancelledAt + CANCELLING_MS, kind: 'status', status: 'canceled' },
  ];
}

export function isOver(status: Job['status']): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled' || status === 'expired';
}

/** A job as it stands after the first `count` happenings of its course. */
export function jobAfter(
  record: JobRecord,
  count: number,
  { base, logs }: { readonly base: string; readonly logs: boolean },
): Job {
  const course = courseOf(record).slice(0, Math.max(1, count));
  const statuses = course.filter((happening) => happening.kind === 'status');
  const progress = course.filter((happening) => happening.kind === 'progress');
  const status = statuses.at(-1)?.status ?? 'queued';
  const timeOf = (wanted: (status: Job['status']) => boolean): number | undefined =>
    statuses.find((each) => wanted(each.status))?.at;
  const startedAt = timeOf((each) => each === 'running');
  const completedAt = timeOf(isOver);
  const last = progress.at(-1);
  const printed = progress.map(({ node, done }) => `${node} ${String(done)}`).join('\n');
  return {
    id: record.id,
    status,
    created_at: date(record.createdAt),
    started_at: startedAt === undefined ? null : date(startedAt),
    completed_at: completedAt === undefined ? null : date(completedAt),
    expires_at: date(record.expiresAt),
    queue_position: status === 'queued' ? 0 : null,
    progress: last === undefined ? null : progressOf(record, last),
    outputs: progress.map(({ node, done }) => ({ node, part: done })),
    error:
      status === 'failed' ? { node: record.steps.at(-1)?.node ?? '', message: 'The node stumbled.' } : null,
    urls: {
      self: `${base}/jobs/${record.id}`,
      events: `${base}/jobs/${record.id}/events`,
      cancel: `${base}/jobs/${record.id}/cancel`,
    },
    metrics: {
      execution_ms:
        startedAt === undefined ? null : (completedAt ?? course.at(-1)?.at ?? startedAt) - startedAt,
    },
    ...(logs && isOver(status) && printed !== '' ? { logs: { printed } } : {}),
  };
}

/** A snapshot of how far a job has come: every one says all. */
export function progressOf(
  record: JobRecord,
  { done, node }: Extract<Happening, { kind: 'progress' }>,
): Record<string, unknown> {
  return { done, of: record.steps.length, node };
}

// --- internal ---

function date(ms: number): string {
  return new Date(ms).toISOString();
}
