import { ControlMistake } from './api-control.ts';
import { asMistake, membersOf } from './reading.ts';
import type { SnapshotFile, SnapshotList } from './snapshot-shape.ts';
import type { Snapshots } from '../state/snapshots.ts';

/** `GET snapshots` and `GET snapshots/{name}`. */
export function readSnapshots(snapshots: Snapshots, name: string | undefined): SnapshotList | SnapshotFile {
  if (name === undefined) return { snapshots: snapshots.list(), lasting: snapshots.lasting };
  const file = asMistake(() => snapshots.file(name));
  if (file === undefined) throw noneNamed(name);
  return file;
}

/** `POST snapshots` saves, `POST snapshots/{name}` restores. */
export function stepSnapshot(snapshots: Snapshots, name: string | undefined, body: unknown): object {
  if (name === undefined) {
    const { name: wanted } = membersOf(body, ['name']);
    return asMistake(() => snapshots.save(String(wanted)));
  }
  const { do: what, clock = 'restore' } = membersOf(body, ['do', 'clock']);
  if (what !== 'restore') throw new ControlMistake('"do" must be restore.');
  if (clock !== 'restore' && clock !== 'keep') throw new ControlMistake('"clock" must be restore or keep.');
  if (asMistake(() => snapshots.file(name)) === undefined) throw noneNamed(name);
  return asMistake(() => snapshots.restore(name, { clock }));
}

/** `PUT snapshots/{name}` with a file. */
export function takeSnapshot(snapshots: Snapshots, name: string | undefined, body: unknown): object {
  if (name === undefined) throw new ControlMistake('PUT /control/v1/snapshots/{name}');
  return asMistake(() => snapshots.import(name, body));
}

/** `DELETE snapshots/{name}`. */
export function removeSnapshot(snapshots: Snapshots, name: string | undefined): object {
  if (name === undefined) throw new ControlMistake('DELETE /control/v1/snapshots/{name}');
  if (!snapshots.remove(name)) throw noneNamed(name);
  return { removed: name };
}

// --- internal ---

function noneNamed(name: string): ControlMistake {
  return new ControlMistake(`Snapshot ${name} does not exist.`, 404);
}
