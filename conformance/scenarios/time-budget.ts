import type { Clock } from '../http/transport.ts';
import type { RunFinding } from '../verdicts/report.ts';
import { Hindered } from './scenario.ts';

/** The time that a run may take, of `--budget`: when it is used up, the run stops. */
export class TimeBudget {
  readonly #seconds: number;
  readonly #spent: Hindered;
  readonly #ended = new AbortController();
  readonly #stop: AbortController;

  constructor(milliseconds: number, clock: Clock, stop: AbortController) {
    this.#seconds = milliseconds / 1000;
    this.#spent = new Hindered(`the time budget of ${this.#seconds} s for the run is used up`);
    this.#stop = stop;
    clock.sleep(milliseconds, this.#ended.signal).then(
      () => stop.abort(this.#spent),
      () => undefined,
    );
  }

  /** The run has ended. */
  end(): void {
    this.#ended.abort();
  }

  /** What is reported of the scenarios that did not end, if this budget has stopped the run. */
  finding(unfinished: number, all: number): RunFinding | undefined {
    if (this.#stop.signal.reason !== this.#spent) return undefined;
    return {
      kind: 'disturbed',
      says: `The time budget of ${this.#seconds} s is used up: ${unfinished} of ${all} scenarios did not end`,
      help: 'Rules that were not decided by then are inconclusive. Give the run more time (--budget), or test fewer rules at once (--rule, --shard).',
      exchanges: [],
    };
  }
}
