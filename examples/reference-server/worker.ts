import { setMaxListeners } from 'node:events';
import { within } from '../../generated/server-runtime/patience.ts';
import type { Board, TakenJob } from './board.ts';
import type { Happening, JobRecord } from './timeline.ts';

export interface WorkerOptions {
  readonly board: Board;
  readonly now: () => number;
  /** How long a job waits for a sign of life from its worker before another one takes it over. */
  readonly leaseMs?: number;
  /** The limit for the jobs that it works on at once. */
  readonly most?: number;
}

export interface Worker {
  /** There may be a job to take. */
  nudge(): void;
  /** Takes no more jobs and returns its current ones: another worker continues them at once. */
  stop(): Promise<void>;
}

/**
 * Works on the jobs of a board, together with the workers of other replicas. The board stores the progress of
 * a job, so that the worker that takes it over continues there; only the step in progress is repeated. A job
 * whose workers keep dying is failed, because it may be the cause.
 */
export function startWorker({ board, now, leaseMs = 2_000, most = 200 }: WorkerOptions): Worker {
  const inHand = new Map<string, { readonly job: TakenJob; readonly over: Promise<void> }>();
  const stopped = new AbortController();
  // Each of its jobs waits for it.
  setMaxListeners(most, stopped.signal);
  let looking = false;

  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      while (!stopped.signal.aborted && inHand.size < most) {
        // A job that an engine assigns later than that belongs to another worker.
        const job = await within(board.take(leaseMs), leaseMs);
        if (job === undefined) return;
        const { id } = job.record;
        const over = perform(job, { board, now, leaseMs, signal: stopped.signal })
          // The board is unavailable, or the job now belongs to another worker, which continues it.
          .catch(() => undefined)
          .finally(() => inHand.delete(id));
        inHand.set(id, { job, over });
      }
    } catch {
      // The board is unavailable: the next poll may reach it.
    } finally {
      looking = false;
    }
  };
  const looks = setInterval(() => void look(), leaseMs / 4);
  looks.unref();

  return {
    nudge: () => void look(),
    async stop() {
      clearInterval(looks);
      const left = [...inHand.values()];
      stopped.abort(new Error('this worker stops'));
      await Promise.all(
        left.map(async ({ job, over }) => {
          await over;
          await within(board.report(job, [], 0), leaseMs).catch(() => undefined);
        }),
      );
    },
  };
}

// --- internal ---

const QUEUED_MS = 70;
const CANCELLING_MS = 90;
const MOST_TRIES = 5;

interface Parts {
  readonly board: Board;
  readonly now: () => number;
  readonly leaseMs: number;
  readonly signal: AbortSignal;
}

/** Does the remaining work of a job. Throws if it is to be left to others. */
async function perform(job: TakenJob, { board, now, leaseMs, signal }: Parts): Promise<void> {
  const { id, steps, createdAt } = job.record;
  let record = job.record;
  const changed = new AbortController();
  const leave = await board.watch(id, () => {
    void board.find(id).then(
      (found) => {
        if (found?.cancelledAt !== undefined) changed.abort();
      },
      () => undefined,
    );
  });
  const beat = setInterval(() => void board.report(job, [], leaseMs).catch(() => undefined), leaseMs / 3);
  const tell = async (...happenings: readonly Happening[]): Promise<boolean> => {
    const kept = await within(board.report(job, happenings, leaseMs), leaseMs);
    if (kept === undefined) throw new Error('this job is another worker’s');
    record = kept;
    return record.cancelledAt === undefined;
  };
  const status = (value: Extract<Happening, { kind: 'status' }>['status'], reason?: string): Happening => ({
    ...{ at: now(), kind: 'status', status: value },
    ...(reason === undefined ? {} : { reason }),
  });
  /** Whether the job is still wanted. */
  const work = async (ms: number): Promise<boolean> => {
    await rest(ms, [signal, changed.signal]);
    signal.throwIfAborted();
    return !changed.signal.aborted;
  };
  const run = async (): Promise<boolean> => {
    if (record.cancelledAt !== undefined) return false;
    if (record.tries > MOST_TRIES)
      return tell(status('failed', `Its workers went away, ${String(MOST_TRIES)} in a row.`));
    if (!hasRun(record)) {
      if (!(await work(createdAt + QUEUED_MS - now())) || !(await tell(status('running')))) return false;
    }
    for (const { node, ms, previews, fails } of steps.slice(doneOf(record))) {
      if (!(await work(ms))) return false;
      if (fails) return tell(status('failed', 'The node stumbled.'));
      const done = doneOf(record) + 1;
      const progress: Happening = { at: now(), kind: 'progress', done, node };
      const picture = Buffer.from(`${id} ${String(done - 1)}`).toString('base64');
      const preview: readonly Happening[] = previews ? [{ at: now(), kind: 'preview', picture }] : [];
      if (!(await tell(progress, ...preview))) return false;
    }
    return tell(status('succeeded'));
  };
  try {
    if (await run()) return;
    await rest(CANCELLING_MS, [signal]);
    signal.throwIfAborted();
    await tell(status('canceled'));
  } finally {
    clearInterval(beat);
    leave();
  }
}

function hasRun({ course }: JobRecord): boolean {
  return course.some((happening) => happening.kind === 'status' && happening.status === 'running');
}

function doneOf({ course }: JobRecord): number {
  return course.filter(({ kind }) => kind === 'progress').length;
}

/** Waits until the time is over or there is news. */
function rest(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(stop, Math.max(0, ms));
    for (const signal of signals) signal.addEventListener('abort', stop, { once: true });
    if (signals.some(({ aborted }) => aborted)) stop();
  });
}
