import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotFile, SnapshotShape } from '../control/snapshot-shape.ts';
import { isRecord, misfitOf, type Form } from '../../contract/index.ts';
import { readChanges } from './changes.ts';
import { checkedTime } from './clock-values.ts';
import { forcedForm, readForced } from '../scenarios/forced-scenarios.ts';
import { valueOfText } from './durable-state.ts';

/** Named states of a mock, which can be restored. */
export interface Snapshots {
  /** By name. */
  list(): readonly SnapshotShape[];
  /** Whether they outlive the process. */
  readonly lasting: boolean;
  /**
   * Saves the current state under this name, and replaces an earlier one.
   *
   * @throws {RangeError} for an invalid name, and if there are too many
   */
  save(name: string): SnapshotShape;
  /**
   * Restores a snapshot. The clock continues from the time of the snapshot, except with `keep`, and for
   * clocks that cannot be controlled.
   *
   * @throws {RangeError} if there is none with this name, or if it is damaged; then nothing has changed
   */
  restore(name: string, options?: { readonly clock?: 'restore' | 'keep' }): { readonly restored: number };
  /** Returns whether it existed. */
  remove(name: string): boolean;
  /** The file of a snapshot; `undefined` if there is none with this name. */
  file(name: string): SnapshotFile | undefined;
  /**
   * Imports a file that `file` returned, here or elsewhere. It is not restored.
   *
   * @throws {RangeError} for anything else, with its place; then nothing has changed
   */
  import(name: string, file: unknown): SnapshotShape;
}

/** The parts that snapshots need. */
interface SnapshotSource {
  /** The current state. */
  readonly present: () => Omit<SnapshotFile, typeof FORMAT | 'about'>;
  /** Replaces it by that of a validated snapshot, completely or not at all. */
  readonly become: (state: SnapshotFile, clock: 'restore' | 'keep') => void;
}

/** @param folder for snapshots that outlive the process; without it, they are kept in memory */
export function snapshotsOf({ present, become }: SnapshotSource, folder?: string): Snapshots {
  const shelf = folder === undefined ? memoryShelf() : folderShelf(folder);
  const put = (name: string, file: SnapshotFile): SnapshotShape => {
    if (!NAME.test(name))
      throw new RangeError(
        'The name of a snapshot is 1 to 64 letters, digits, ".", "_" or "-", and begins with a letter or a digit.',
      );
    const names = shelf.names();
    if (names.length >= MOST && !names.includes(name))
      throw new RangeError(`There are ${String(MOST)} snapshots already: delete one first.`);
    const text = textOf(file);
    shelf.write(name, text);
    return shapeOf(name, file, text);
  };
  // Cached, because reading a long one takes a while, and a list is requested often.
  const shapes = new Map<string, { readonly stamp: string; readonly shape: SnapshotShape | undefined }>();
  const shapeAt = (name: string): SnapshotShape | undefined => {
    const stamp = shelf.stamp(name);
    const known = shapes.get(name);
    if (known?.stamp === stamp) return known.shape;
    const text = shelf.read(name) ?? '';
    const file = valueOfText(text);
    const shape = isSnapshot(file) ? shapeOf(name, file, text) : undefined;
    shapes.set(name, { stamp, shape });
    return shape;
  };
  const read = (name: string): SnapshotFile | undefined => {
    const text = NAME.test(name) ? shelf.read(name) : undefined;
    return text === undefined ? undefined : readSnapshot(valueOfText(text), `The snapshot ${name}`);
  };
  return {
    lasting: folder !== undefined,
    list: () => shelf.names().flatMap((name) => shapeAt(name) ?? []),
    save: (name) => put(name, { [FORMAT]: 1, about: ABOUT, ...present() }),
    restore(name, { clock = 'restore' } = {}) {
      const file = read(name);
      if (file === undefined) throw new RangeError(`Snapshot ${name} does not exist.`);
      become(file, clock);
      return { restored: file.changes.length };
    },
    remove: (name) => NAME.test(name) && shelf.remove(name),
    file: read,
    import: (name, file) => put(name, readSnapshot(file, 'This')),
  };
}

// --- internal ---

const FORMAT = 'tallystick-mock-snapshot';
/** For those who find the file: it cannot be masked, because a restored mock answers with what it contains. */
const ABOUT =
  'The state of a mock. It contains what callers stored, as they sent it, also passwords in bodies. It contains no bearer token, cookie or key with which calls were made.';
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const MOST = 100;

/**
 * Serialised texts by name, so that a snapshot cannot change together with the state that it was made from.
 */
interface Shelf {
  readonly names: () => readonly string[];
  readonly read: (name: string) => string | undefined;
  /** A new object for each text. */
  readonly stamp: (name: string) => string;
  readonly write: (name: string, text: string) => void;
  readonly remove: (name: string) => boolean;
}

function memoryShelf(): Shelf {
  const texts = new Map<string, string>();
  return {
    names: () => [...texts.keys()].sort(),
    read: (name) => texts.get(name),
    stamp: (name) => texts.get(name) ?? '',
    write: (name, text) => void texts.set(name, text),
    remove: (name) => texts.delete(name),
  };
}

/** One file each, so that they can be committed and shared. Other files in the folder are ignored. */
function folderShelf(folder: string): Shelf {
  const pathOf = (name: string): string => join(folder, `${name}.json`);
  const names = (): string[] => {
    try {
      return readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.slice(0, -'.json'.length))
        .filter((name) => NAME.test(name))
        .sort();
    } catch {
      return [];
    }
  };
  return {
    names,
    read(name) {
      try {
        return readFileSync(pathOf(name), 'utf8');
      } catch {
        return undefined;
      }
    },
    stamp(name) {
      const { mtimeMs, size, ino } = statSync(pathOf(name), { throwIfNoEntry: false }) ?? {};
      return [mtimeMs, size, ino].join(' ');
    },
    write(name, text) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${pathOf(name)}.partial`, text);
      renameSync(`${pathOf(name)}.partial`, pathOf(name));
    },
    remove(name) {
      if (!names().includes(name)) return false;
      rmSync(pathOf(name), { force: true });
      return true;
    },
  };
}

/** One line per change, so that two snapshots can be compared line by line. */
function textOf({ changes, ...head }: SnapshotFile): string {
  const lines = changes.map((change) => JSON.stringify(change)).join(',\n');
  return `${JSON.stringify(head).slice(0, -1)},"changes":[\n${lines}\n]}\n`;
}

function shapeOf(name: string, { at, changes }: SnapshotFile, text: string): SnapshotShape {
  return { name, at, changes: changes.length, size: Buffer.byteLength(text) };
}

/** A copy in which everything is validated. */
function readSnapshot(value: unknown, what: string): SnapshotFile {
  if (!isSnapshot(value))
    throw new RangeError(`${what} is not a snapshot of a mock of this version ("${FORMAT}": 1).`);
  const misfit = misfitOf(value, snapshotForm);
  if (misfit !== undefined) throw new RangeError(`${what}: ${misfit.pointer}: ${misfit.message}`);
  return {
    [FORMAT]: 1,
    about: ABOUT,
    at: checkedTime('at', value.at),
    changes: readChanges(value.changes),
    scenarios: value.scenarios.map(readForced),
  };
}

const snapshotForm: Form = {
  members: {
    [FORMAT]: 'number',
    about: 'string',
    at: 'number',
    changes: 'anything',
    scenarios: { listOf: forcedForm },
  },
  required: ['at', 'changes', 'scenarios'],
};

/** Distinguishes snapshots from other files; their content is not validated. */
function isSnapshot(value: unknown): value is SnapshotFile {
  return isRecord(value) && value[FORMAT] === 1 && Array.isArray(value['changes']);
}
