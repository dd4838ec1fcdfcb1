import type { JobRecord } from './timeline.ts';

/** Where jobs are kept, and how a change at one replica comes to be known at the others. */
export interface Board {
  put(record: JobRecord): Promise<void>;
  find(id: string): Promise<JobRecord | undefined>;
  /** Keeps the first cancel of a job; the record as it then is. */
  cancel(id: string, at: number): Promise<JobRecord | undefined>;
  /** Tells of changes to a job, wherever they were made, until the answer is called. */
  watch(id: string, changed: () => void): Promise<() => void>;
  /** Whether it can be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A board for one process. */
export function memoryBoard(): Board {
  const records = new Map<string, JobRecord>();
  const watchers = new Watchers();
  return {
    put(record) {
      records.set(record.id, record);
      return Promise.resolve();
    },
    find: (id) => Promise.resolve(records.get(id)),
    cancel(id, at) {
      const record = records.get(id);
      const cancelled = record === undefined ? undefined : { cancelledAt: at, ...record };
      if (cancelled !== undefined) records.set(id, cancelled);
      watchers.tell(id);
      return Promise.resolve(cancelled);
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
