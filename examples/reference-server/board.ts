import { randomUUID } from 'node:crypto';
import { type Happening, isOver, type JobRecord } from './timeline.ts';

/** A job in the hands of a worker, which owns it under its `fence` until its lease ends. */
export interface TakenJob {
  readonly record: JobRecord;
  readonly fence: string;
}

/** Where jobs are kept, who works on them, and how a change at one replica comes to be known at the others. */
export interface Board {
  put(record: JobRecord): Promise<void>;
  find(id: string): Promise<JobRecord | undefined>;
  /** Asks a job that is not over to be cancelled, and tells so in its course; the record as it then is. */
  cancel(id: string, at: number): Promise<JobRecord | undefined>;
  /** Takes a job that nobody works on: a new one, or one whose worker has let its lease end. */
  take(leaseMs: number): Promise<TakenJob | undefined>;
  /**
   * Adds to the course of a job and keeps it for `leaseMs` milliseconds more. After a cancel only the end of that is
   * added: the worker sees in the record that it is to stop.
   *
   * @returns the record as it then is; nothing when the job is another worker's, or over
   */
  report(
    { record, fence }: TakenJob,
    happenings: readonly Happening[],
    leaseMs: number,
  ): Promise<JobRecord | undefined>;
  /** Tells of changes to a job, wherever they were made, until the answer is called. */
  watch(id: string, changed: () => void): Promise<() => void>;
  /** Whether it can be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Whether these happenings are the last of a job. */
export function endsWith(happenings: readonly Happening[]): boolean {
  const last = happenings.at(-1);
  return last?.kind === 'status' && isOver(last.status);
}

/** Whether they may be told of a job that is to be cancelled. */
export function endsCancel(happenings: readonly Happening[]): boolean {
  const last = happenings.at(-1);
  return last?.kind === 'status' && last.status === 'canceled';
}

/** What a cancel adds to the course of a job. */
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

/** Who of this process waits for news of which job. */
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
