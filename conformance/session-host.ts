import type { Acceptance } from './acceptance.ts';
import type { Health } from './health.ts';
import type { RequestHost } from './request-host.ts';
import type { RequestPlans } from './scenario.ts';

/** What all sessions of a run have in common. */
export interface SessionHost extends RequestHost {
  /** Watches over the server; absent where nothing is judged. */
  readonly health?: Health | undefined;
  /** Watches over the credentials; absent where nothing is judged. */
  readonly acceptance?: Acceptance | undefined;
}

export interface SessionOwner {
  readonly id: string;
  readonly api: string;
  readonly requests: RequestPlans;
  /** Whether POSTs with a usable credential were allowed for it. */
  readonly mayPost: boolean;
  /** Moves its time limit by a wait that the server or the caller asked for, in milliseconds. */
  readonly extend?: ((milliseconds: number) => void) | undefined;
}
