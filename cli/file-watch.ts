import { stat } from 'node:fs/promises';

/**
 * Looks at files and tells when they have changed and then kept still for one look, so that many changes in quick
 * succession are one, and half a file is never read. It looks names up each time, and so notices when a file is written
 * in place, when a new file is renamed over the old one, and when a link is swapped, on every file system and in containers; files that are
 * not there are looked for too.
 */
export class FileWatch {
  readonly #changed: (files: readonly string[]) => Promise<void>;
  readonly #everyMs: number;
  /** Each file as it was when it was last told or taken up. */
  readonly #known = new Map<string, string>();
  #seen: ReadonlyMap<string, string> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #turn: Promise<void> = Promise.resolve();

  /** @param changed is waited for; it may take up other files with `watch` */
  constructor(changed: (files: readonly string[]) => Promise<void>, { everyMs = 150 } = {}) {
    this.#changed = changed;
    this.#everyMs = everyMs;
  }

  /**
   * Looks at exactly these files from now on.
   *
   * @param since when the reading of them began, in epoch milliseconds: a file that is new here and was written since
   *   counts as changed
   */
  async watch(files: readonly string[], since: number): Promise<void> {
    const marks = await marksOf(files);
    for (const file of this.#known.keys()) if (!marks.has(file)) this.#known.delete(file);
    for (const [file, { mark, writtenAt }] of marks)
      if (!this.#known.has(file)) this.#known.set(file, writtenAt >= since ? 'written meanwhile' : mark);
    this.#arm();
  }

  /** Looks no more. Resolves when nothing of it runs any longer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  /** Looks now, as it does by itself time and again. */
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
  /** Another one for another content. */
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
