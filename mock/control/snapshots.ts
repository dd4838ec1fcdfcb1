import { ControlMistake } from './api-control.ts';
import { asMistake, formed } from './reading.ts';
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
    const { name: wanted } = formed(body, { members: { name: 'string' }, required: ['name'] });
    return asMistake(() => snapshots.save(wanted));
  }
  const { clock = 'restore' } = formed(body, stepForm);
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

const stepForm = {
  members: { do: { oneOf: ['restore'] }, clock: { oneOf: ['restore', 'keep'] } },
  required: ['do'],
} as const;

function noneNamed(name: string): ControlMistake {
  return new ControlMistake(`Snapshot ${name} does not exist.`, 404);
}
