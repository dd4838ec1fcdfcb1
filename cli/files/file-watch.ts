import { stat } from 'node:fs/promises';

/**
 * Polls files and reports a change when the files have stayed the same for one further poll, so that many quick
 * changes count as one, and no half-written file is read. It looks up the names each time. So it detects files that
 * are written in place, renamed over the old one, or reached by a changed link, on every file system and in
 * containers. It also waits for files that do not exist yet.
 */
export class FileWatch {
  readonly #changed: (files: readonly string[]) => Promise<void>;
  readonly #everyMs: number;
  /** The state of each file when it was last reported or added. */
  readonly #known = new Map<string, string>();
  #seen: ReadonlyMap<string, string> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #turn: Promise<void> = Promise.resolve();

  /** @param changed is awaited; it may add other files with `watch` */
  constructor(changed: (files: readonly string[]) => Promise<void>, { everyMs = 150 } = {}) {
    this.#changed = changed;
    this.#everyMs = everyMs;
  }

  /**
   * Watches exactly these files from now on.
   *
   * @param since when they began to be read, in epoch milliseconds: a new file that was written since then counts as
   * changed
   */
  async watch(files: readonly string[], since: number): Promise<void> {
    const marks = await marksOf(files);
    for (const file of this.#known.keys()) if (!marks.has(file)) this.#known.delete(file);
    for (const [file, { mark, writtenAt }] of marks)
      if (!this.#known.has(file)) this.#known.set(file, writtenAt >= since ? 'written meanwhile' : mark);
    this.#arm();
  }

  /** Ends the watch. Resolves when no poll is running any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  /** Polls now, in addition to the regular polls. */
  async look(): Promise<void> {
    if (this.#isClosed) return;
    const marks = await marksOf([...this.#known.keys()]);
    const now = new Map([...marks].map(([file, { mark }]) => [file, mark]));
    const differing = [...now].filter(([file, mark]) => this.#known.get(file) !== mark).map(([file]) => file);
    const isStill = [...now].every(([file, mark]) => this.#seen?.get(file) === mark);
    this.#seen = now;
    if (differing.length === 0 || !isStill || this.#isClosed) return;
    for (const [file, mark] of now) this.#known.set(file, mark);
    await this.#changed(differing);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#known.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#turn = this.look().finally(() => {
        this.#arm();
      });
    }, this.#everyMs);
  }
}

// --- internal ---

interface Mark {
  /** Differs if the content differs. */
  readonly mark: string;
  readonly writtenAt: number;
}

async function marksOf(files: readonly string[]): Promise<ReadonlyMap<string, Mark>> {
  const marks = await Promise.all(
    files.map(async (file): Promise<[string, Mark]> => {
      const stats = await stat(file).catch(() => undefined);
      if (stats === undefined) return [file, { mark: 'missing', writtenAt: 0 }];
      const { mtimeMs, ctimeMs, size, ino } = stats;
      return [file, { mark: [mtimeMs, ctimeMs, size, ino].join(' '), writtenAt: mtimeMs }];
    }),
  );
  return new Map(marks);
}
