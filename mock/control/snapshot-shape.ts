import type { ForcedScenario } from './steering-shape.ts';
import type { StateChange } from '../state/durable-state.ts';

/** The named snapshots of the mock. */
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
  /** The number of changes in the state, and the length of its file in bytes. */
  readonly changes: number;
  readonly size: number;
}

export interface SnapshotToSave {
  /** One with the same name is replaced. */
  readonly name: string;
}

/**
 * A snapshot as a file: the answer of `GET snapshots/{name}`, and the body of `PUT snapshots/{name}`. Nothing in it is
 * masked, because it restores the state.
 */
export interface SnapshotFile {
  readonly 'tallystick-mock-snapshot': 1;
  /** What secrets a reader may find in it. */
  readonly about?: string;
  readonly at: number;
  readonly changes: readonly StateChange[];
  /** Scenarios that were active for the next calls. */
  readonly scenarios: readonly ForcedScenario[];
}

export interface SnapshotStep {
  readonly do: 'restore';
  /**
   * By default, the clock is set to the time of the snapshot. `keep` leaves the clock unchanged, and
   * everything that has expired since is removed.
   */
  readonly clock?: 'restore' | 'keep';
}

/** The answer to a restored snapshot. */
export interface RestoredSnapshot {
  /** The number of changes. */
  readonly restored: number;
}
