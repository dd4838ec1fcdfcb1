import type { ForcedScenario } from './shape.ts';
import type { StateChange } from '../state/durable-state.ts';

/** What the control API says and takes under `snapshots`. */
export interface SnapshotList {
  /** By name. */
  readonly snapshots: readonly SnapshotShape[];
  /** Whether they outlive the process, as with a data folder. */
  readonly lasting: boolean;
}

/** A saved state of the mock. */
export interface SnapshotShape {
  /** 1 to 64 letters, digits, `.`, `_` and `-`; the first is a letter or a digit. */
  readonly name: string;
  /** The mock's clock when it was saved. */
  readonly at: number;
  /** Of how many changes the state is made, and how long its file is in bytes. */
  readonly changes: number;
  readonly size: number;
}

export interface SnapshotToSave {
  /** One of the same name is replaced. */
  readonly name: string;
}

/** A snapshot as a file: what `GET snapshots/{name}` gives, `PUT snapshots/{name}` takes. */
export interface SnapshotFile {
  readonly 'tallystick-mock-snapshot': 1;
  readonly at: number;
  readonly changes: readonly StateChange[];
  /** Scenarios that stood in the way of the next calls. */
  readonly scenarios: readonly ForcedScenario[];
}

export interface SnapshotStep {
  readonly do: 'restore';
  /** The clock is set to when it was saved, which is the usual; `keep` leaves it where it is, and what has expired since is gone. */
  readonly clock?: 'restore' | 'keep';
}

/** The answer to a restored snapshot. */
export interface RestoredSnapshot {
  /** Of how many changes. */
  readonly restored: number;
}
