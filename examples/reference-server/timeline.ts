import type { Job } from '../../generated/jobs/types.ts';
import type { Step } from './graph.ts';

/** The stored data of a job: its work, and its course so far, in order. */
export interface JobRecord {
  readonly id: string;
  readonly account: string;
  readonly steps: readonly Step[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly cancelledAt?: number;
  readonly course: readonly Happening[];
  /** How many workers have taken it since its last progress. */
  readonly tries: number;
}

export type Happening =
  | { readonly at: number; readonly kind: 'status'; readonly status: Job['status']; readonly reason?: string }
  | { readonly at: number; readonly kind: 'progress'; readonly done: number; readonly node: string }
  | { readonly at: number; readonly kind: 'preview'; readonly picture: string };

export function isOver(status: Job['status']): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled' || status === 'expired';
}

/** A job after the first `count` happenings of its course. */
export function jobAfter(
  record: JobRecord,
  count: number,
  { base, logs }: { readonly base: string; readonly logs: boolean },
): Job {
  const course = record.course.slice(0, Math.max(1, count));
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
      status === 'failed'
        ? { node: record.steps[progress.length]?.node ?? '', message: statuses.at(-1)?.reason ?? '' }
        : null,
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

/** A complete snapshot of the progress. */
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
