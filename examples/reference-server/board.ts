import { randomUUID } from 'node:crypto';
import { type Happening, isOver, type JobRecord } from './timeline.ts';

/** A job that a worker owns under its `fence` until its lease ends. */
export interface TakenJob {
  readonly record: JobRecord;
  readonly fence: string;
}

/** Stores jobs, assigns workers, and propagates changes between replicas. */
export interface Board {
  put(record: JobRecord): Promise<void>;
  find(id: string): Promise<JobRecord | undefined>;
  /**
   * Requests the cancellation of an unfinished job, and records that in its course; returns the resulting
   * record.
   */
  cancel(id: string, at: number): Promise<JobRecord | undefined>;
  /** Takes a job without a worker: a new one, or one whose worker's lease has ended. */
  take(leaseMs: number): Promise<TakenJob | undefined>;
  /**
   * Adds to the course of a job and extends its lease by `leaseMs` milliseconds. After a cancellation only
   * its end is added: the record tells the worker to stop.
   *
   * @returns the resulting record; `undefined` if another worker owns the job, or if it has ended
   */
  report(
    { record, fence }: TakenJob,
    happenings: readonly Happening[],
    leaseMs: number,
  ): Promise<JobRecord | undefined>;
  /** Reports changes to a job from any replica, until the returned function is called. */
  watch(id: string, changed: () => void): Promise<() => void>;
  /** Whether the store is reachable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Whether these happenings end the job. */
export function endsWith(happenings: readonly Happening[]): boolean {
  const last = happenings.at(-1);
  return last?.kind === 'status' && isOver(last.status);
}

/** Whether these may be added to a job that is being cancelled. */
export function endsCancel(happenings: readonly Happening[]): boolean {
  const last = happenings.at(-1);
  return last?.kind === 'status' && last.status === 'canceled';
}

/** The happenings that a cancellation adds to the course of a job. */
export function cancelling(at: number): Happening {
  return { at, kind: 'status', status: 'canceling' };
}

/** A board for one process. */
export function memoryBoard(): Board {
  const records = new Map<string, JobRecord>();
  const open = new Map<string, { fence: string; endsAt: number }>();
  const watchers = new Watchers();
  return {
    put(record) {
      records.set(record.id, record);
      open.set(record.id, { fence: '', endsAt: 0 });
      return Promise.resolve();
    },
    find: (id) => Promise.resolve(records.get(id)),
    cancel(id, at) {
      const record = records.get(id);
      if (record === undefined || !open.has(id) || record.cancelledAt !== undefined)
        return Promise.resolve(record);
      const cancelled = { ...record, cancelledAt: at, course: [...record.course, cancelling(at)] };
      records.set(id, cancelled);
      watchers.tell(id);
      return Promise.resolve(cancelled);
    },
    take(leaseMs) {
      const [id] = [...open].find(([, { endsAt }]) => endsAt <= Date.now()) ?? [];
      const known = id === undefined ? undefined : records.get(id);
      if (known === undefined) return Promise.resolve(undefined);
      const record = { ...known, tries: known.tries + 1 };
      const fence = randomUUID();
      records.set(record.id, record);
      open.set(record.id, { fence, endsAt: Date.now() + leaseMs });
      return Promise.resolve({ record, fence });
    },
    report({ record: { id }, fence }, happenings, leaseMs) {
      const known = records.get(id);
      const owned = open.get(id);
      if (known === undefined || owned?.fence !== fence) return Promise.resolve(undefined);
      owned.endsAt = Date.now() + leaseMs;
      if (known.cancelledAt !== undefined && !endsCancel(happenings)) return Promise.resolve(known);
      const tries = happenings.length > 0 ? 0 : known.tries;
      const record = { ...known, tries, course: [...known.course, ...happenings] };
      records.set(id, record);
      if (endsWith(happenings)) open.delete(id);
      if (happenings.length > 0) watchers.tell(id);
      return Promise.resolve(record);
    },
    watch: (id, changed) => Promise.resolve(watchers.add(id, changed)),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** The listeners of this process, by job. */
export class Watchers {
  readonly #byId = new Map<string, Set<() => void>>();

  add(id: string, changed: () => void): () => void {
    const watching = this.#byId.get(id) ?? new Set();
    this.#byId.set(id, watching.add(changed));
    return () => {
      watching.delete(changed);
      if (watching.size === 0) this.#byId.delete(id);
    };
  }

  tell(id: string): void {
    for (const changed of [...(this.#byId.get(id) ?? [])]) changed();
  }

  /** After a connection was lost, anything may have happened. */
  tellAll(): void {
    for (const id of [...this.#byId.keys()]) this.tell(id);
  }
}
