import type { Acceptance } from '../health/acceptance.ts';
import type { Health } from '../health/health.ts';
import type { Stocks } from '../health/stocks.ts';
import type { UndeclaredSecurity } from '../health/undeclared-security.ts';
import type { RequestHost } from './request-host.ts';
import type { RequestPlans } from '../scenarios/scenario.ts';

/** The shared state for all sessions of a run. */
export interface SessionHost extends RequestHost {
  /** Monitors the server; absent if nothing is judged. */
  readonly health?: Health | undefined;
  /** Tells bounds on things that exist from rates; absent if nothing is judged. */
  readonly stocks?: Stocks | undefined;
  /** Monitors the credentials; absent if nothing is judged. */
  readonly acceptance?: Acceptance | undefined;
  /** Learns which operations want a credential that their document does not declare; absent if nothing is judged. */
  readonly undeclared?: UndeclaredSecurity | undefined;
}

export interface SessionOwner {
  readonly id: string;
  readonly api: string;
  readonly requests: RequestPlans;
  /** Whether POSTs with a usable credential were allowed for it. */
  readonly mayPost: boolean;
  /** Extends its time limit by a wait that the server or the caller requested, in milliseconds. */
  readonly extend?: ((milliseconds: number) => void) | undefined;
}
