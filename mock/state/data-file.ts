import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.ts';
import { valueOfText, type StateChange } from './durable-state.ts';

/** Changes of one moment, with that time by the mock's clock. */
interface Batch {
  readonly at: number;
  readonly changes: readonly StateChange[];
  /** Everything before it is dropped. */
  readonly anew?: true;
}

/**
 * The file in which a mock stores its state: a line of JSON for each moment with changes, appended before an
 * answer leaves the mock, so that a killed process loses nothing that was answered. It begins with a
 * snapshot, and is rewritten atomically by a rename. The last line may be incomplete: then nothing of it was
 * answered.
 */
export class DataFile {
  readonly #folder: string;
  readonly #file: string;
  readonly #now: () => number;
  readonly #unlock: () => void;
  #descriptor: number | undefined;
  #pending: StateChange[] = [];
  #appended = 0;

  /** @throws {RangeError} if another process has locked the folder, or if it is not writable */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#file = join(folder, 'state.jsonl');
    this.#now = now;
    try {
      mkdirSync(folder, { recursive: true });
      this.#unlock = lockFolder(folder);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new RangeError(`State cannot be stored in ${folder}: ${reason}`, { cause: error });
    }
  }

  /**
   * The stored changes, in order.
   *
   * @throws {RangeError} for a file that cannot be read, that no mock has written, or that is damaged before
   * its last line
   */
  load(): Batch[] {
    const text = read(this.#file);
    if (text === '') return [];
    const lines = text.split('\n');
    const [head = '', ...rest] = lines;
    if (valueOfText(head) === undefined || !head.includes(`"${FORMAT}":${String(VERSION)}`))
      throw new RangeError(`${this.#file}:1 is not the state of a mock of this version`);
    const batches: Batch[] = [];
    for (const [index, line] of rest.entries()) {
      if (line === '') continue;
      const batch = valueOfText(line) as Batch | undefined;
      // Only the last line can be incomplete, because it was being written when the process ended.
      if (
        batch === undefined &&
        index < rest.length - 1 &&
        rest.slice(index + 1).some((later) => later !== '')
      )
        throw new RangeError(`${this.#file}:${String(index + 2)} is not JSON`);
      if (batch?.anew === true) batches.length = 0;
      if (batch !== undefined) batches.push(batch);
    }
    return batches;
  }

  /** Records a change. It is on the disk before the call that caused it can be answered. */
  keep(change: StateChange): void {
    if (this.#descriptor === undefined) return;
    this.#pending.push(change);
    if (this.#pending.length === 1) queueMicrotask(() => this.flush());
  }

  flush(): void {
    if (this.#pending.length === 0 || this.#descriptor === undefined) return;
    const line = lineOf({ at: this.#now(), changes: this.#pending });
    this.#pending = [];
    writeSync(this.#descriptor, line);
    this.#appended += line.length;
  }

  /** Whether the file has grown so much that it should be rewritten. */
  get isLong(): boolean {
    return this.#appended > LONGEST_APPENDIX;
  }

  /**
   * Replaces everything by these changes. If the file exists and is short, one more line is appended instead,
   * because a new file takes time to reach the disk, and tests reset often.
   */
  rewrite(changes: Iterable<StateChange>): void {
    if (this.#descriptor !== undefined && !this.isLong) {
      this.#pending = [];
      const line = lineOf({ at: this.#now(), changes: [...changes], anew: true });
      writeSync(this.#descriptor, line);
      this.#appended += line.length;
      return;
    }
    const next = `${this.#file}.partial`;
    const descriptor = openSync(next, 'w');
    writeSync(descriptor, `${JSON.stringify({ [FORMAT]: VERSION })}\n`);
    for (const change of changes) writeSync(descriptor, lineOf({ at: this.#now(), changes: [change] }));
    // The content has to be on the disk before its name is.
    fsyncSync(descriptor);
    renameSync(next, this.#file);
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = descriptor;
    this.#pending = [];
    this.#appended = 0;
  }

  /** In bytes. */
  size(): number {
    return statSync(this.#file).size;
  }

  close(): void {
    this.flush();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#unlock();
  }

  get folder(): string {
    return this.#folder;
  }
}

// --- internal ---

const FORMAT = 'tallystick-mock-state';
const VERSION = 1;
const LONGEST_APPENDIX = 32 * 2 ** 20;

function lineOf(batch: Batch): string {
  return `${JSON.stringify(batch)}\n`;
}

/** Empty for a missing file. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new RangeError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}
