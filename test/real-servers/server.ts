import type { State } from './state.ts';

/** A public server that runs here, from nothing, for one run of the suite. */
export interface RealServer {
  readonly name: string;
  /** The version that is installed, and that the findings are about. */
  readonly version: string;
  /** Where its document comes from, for the page. */
  readonly document: string;
  /** What it writes by itself, or about every call: no change by the run. */
  readonly ownWrites: readonly OwnWrite[];
  /** Downloads it into a folder, which later runs use again. */
  install(folder: string): Promise<void>;
  /** Starts it with an empty database, and makes what its owner has there. Its document is in `folder` then. */
  start(installed: string, folder: string): Promise<RunningServer>;
}

export interface RunningServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** The path of its OpenAPI document. */
  readonly document: string;
  /** What `conform` reads from the environment as the credential, such as `TALLYSTICK_BEARER`. */
  readonly credential: Readonly<Record<string, string>>;
  state(): Promise<State>;
  stop(): Promise<void>;
}

/** A table, or some members of its rows, that change without a change by the run. */
export interface OwnWrite {
  readonly table: string;
  /** The members that may differ in a row that stays; without it, every row may come, change or go. */
  readonly members?: readonly string[];
  readonly because: string;
}
