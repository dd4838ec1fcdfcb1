import type { Contract } from '../contract/index.ts';
import type { PlanOptions, ProbePlan } from './plan.ts';
import type { Report } from './verdicts/report.ts';
import type { Wait } from './http/retry-after.ts';
import type { Check } from './scenarios/scenario.ts';
import type { SocketOptions } from './http/connection.ts';
import type { Clock, Transport } from './http/transport.ts';

/** The options of `runConformance`. */
export interface ConformanceOptions extends Omit<PlanOptions, 'contracts'> {
  /** Default: the model router. */
  readonly contracts?: readonly Contract[];
  /** Default: sockets to the base URL. */
  readonly transport?: Transport;
  /** Certificates and proxies of these sockets. */
  readonly sockets?: SocketOptions | undefined;
  readonly clock?: Clock;
  /** How many scenarios run at the same time; default 4. */
  readonly concurrency?: number;
  /** The maximum of requests per second, possibly a fraction; default: unlimited. */
  readonly rate?: number;
  /** The longest `Retry-After` that is honoured, in milliseconds; default 2 minutes. */
  readonly longestWaitMs?: number;
  /** The seed of the random choices; printed in the report. */
  readonly seed?: number;
  /** How long to wait for the first answer of the server, in milliseconds; default 0. */
  readonly waitMs?: number;
  /** The time limit of the whole run, in milliseconds. */
  readonly budgetMs?: number;
  readonly failFast?: boolean;
  readonly keepBytes?: number;
  /** Paths as the user typed them, for the commands that repeat a part of the run. */
  readonly paths?: Pick<Report['settings'] & object, 'fixturesFile' | 'contract' | 'overlays' | 'folder'>;
  readonly signal?: AbortSignal;
  readonly toolVersion?: string;
  readonly onEvent?: (event: RunEvent) => void;
}

/** The progress events of a run. */
export type RunEvent =
  | { readonly event: 'planned'; readonly plan: ProbePlan }
  | { readonly event: 'scenario'; readonly id: string; readonly done: number; readonly of: number }
  | {
      readonly event: 'check';
      readonly rule: string;
      readonly outcome: Check['outcome'];
      readonly scenario: string;
    }
  /** A wait begins, because the server requested it. */
  | ({ readonly event: 'wait' } & Wait)
  | { readonly event: 'finished'; readonly report: Report };
