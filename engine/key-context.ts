import type { Limits } from './limits.ts';
import type { EngineStore, InProcess, StoredResponse } from './store.ts';

/** What the ledger of keys needs from its surroundings. */
export interface KeyPorts<Copy = StoredResponse> {
  readonly store: Omit<EngineStore<Copy>, 'enter' | 'stay' | 'leave'>;
  /** Set for a store in the same process as the calls that use it. */
  readonly local: InProcess | undefined;
  readonly limits: Pick<Limits, 'leaseMs' | 'storeTimeoutMs'>;
  readonly now: () => number;
  /** Calls back after this many milliseconds. Returns a function that cancels the timer. */
  readonly after: (ms: number, back: () => void) => () => void;
}

export interface KeyContext<Copy = StoredResponse> {
  readonly ports: KeyPorts<Copy>;
  readonly scope: string;
  readonly key: string;
  readonly leaseMs: number;
  /** Receives the failures of the store. */
  readonly onFailure: (error: unknown) => void;
  /** Called once if this call no longer owns its key; with the failure if the store could not be asked. */
  readonly onLost: (error?: unknown) => void;
}
