import type { Contract } from '../contract/index.ts';
import type { PlanOptions, ProbePlan } from './plan.ts';
import type { Report } from './report.ts';
import type { Wait } from './retry-after.ts';
import type { Check } from './scenario.ts';
import type { SocketOptions } from './connection.ts';
import type { Clock, Transport } from './transport.ts';

/** What `runConformance` takes. */
export interface ConformanceOptions extends Omit<PlanOptions, 'contracts'> {
  /** Default: the model router. */
  readonly contracts?: readonly Contract[];
  /** Default: sockets to the base URL. */
  readonly transport?: Transport;
  /** Certificates and proxies of these sockets. */
  readonly sockets?: SocketOptions | undefined;
  readonly clock?: Clock;
  /** Scenarios at the same time; default 4. */
  readonly concurrency?: number;
  /** Requests per second at most, also a fraction; default unlimited. */
  readonly rate?: number;
  /** The longest `Retry-After` that is waited for, in milliseconds; default 2 minutes. */
  readonly longestWaitMs?: number;
  /** Of the random choices; printed in the report. */
  readonly seed?: number;
  /** How long to wait for the server to answer at all, in milliseconds; default 0. */
  readonly waitMs?: number;
  /** Milliseconds for the whole run. */
  readonly budgetMs?: number;
  readonly failFast?: boolean;
  readonly keepBytes?: number;
  /** Paths as a user typed them, for the commands that repeat a part of the run. */
  readonly paths?: Pick<Report['settings'] & object, 'fixturesFile' | 'contract' | 'folder'>;
  readonly signal?: AbortSignal;
  readonly toolVersion?: string;
  readonly onEvent?: (event: RunEvent) => void;
}

/** What a run reports while it runs. */
export type RunEvent =
  | { readonly event: 'planned'; readonly plan: ProbePlan }
  | { readonly event: 'scenario'; readonly id: string; readonly done: number; readonly of: number }
  | {
      readonly event: 'check';
      readonly rule: string;
      readonly outcome: Check['outcome'];
      readonly scenario: string;
    }
  /** Begins to wait, because the server asked for it. */
  | ({ readonly event: 'wait' } & Wait)
  | { readonly event: 'finished'; readonly report: Report };
