import { runsAtMost } from './billing.ts';
import { sentBy } from './gates.ts';
import { mustNotMeet } from './crowding.ts';
import type { ExchangeStore } from '../exchanges/exchange-store.ts';
import { completed, failedRules, undecidedBy, withoutChanged } from '../verdicts/outcome.ts';
import type { Outcome } from '../verdicts/outcome.ts';
import type { RunFinding } from '../verdicts/report.ts';
import type { ConformanceOptions } from '../run-options.ts';
import type { Scenario } from './scenario.ts';
import { runScenario } from './scenario-run.ts';
import { schedule } from './schedule.ts';
import type { SessionHost } from '../sessions/session-host.ts';
import type { Health } from '../health/health.ts';
import type { WriteLedger } from '../writes/ledger.ts';
import { takeBack } from '../writes/take-back.ts';
import type { TimeLimits } from './time-limit.ts';

interface Parts {
  readonly host: SessionHost;
  readonly health: Health;
  readonly ledger: WriteLedger;
  readonly limits: TimeLimits;
  readonly store: ExchangeStore;
  readonly options: Pick<ConformanceOptions, 'concurrency' | 'failFast' | 'onEvent' | 'retries'>;
  readonly report: (finding: RunFinding) => void;
}

/** Runs the scenarios, several at a time, and records their results and the progress of the run. */
export class ScenarioRuns {
  /** By scenario. */
  readonly outcomes = new Map<string, Outcome>();
  readonly begun = new Set<string>();
  done = 0;
  readonly #parts: Parts;
  #failed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get #concurrency(): number {
    return this.#parts.options.concurrency ?? 4;
  }

  async run(scenarios: readonly Scenario[], all: number, concurrency = this.#concurrency): Promise<void> {
    const { host, ledger, options, store } = this.#parts;
    await schedule(scenarios, {
      concurrency,
      mustNotMeet: (one, other) => mustNotMeet(one, other, host.target),
      stopped: () => host.signal.aborted || (options.failFast === true && this.#failed),
      run: async (scenario) => {
        this.begun.add(scenario.id);
        const outcome = await this.#runWithRetries(scenario);
        await takeBack(host, ledger, scenario.id);
        const before = this.outcomes.get(scenario.id);
        this.outcomes.set(scenario.id, before === undefined ? outcome : completed(before, outcome));
        await store.settle(scenario.id, outcome.checks);
        if (before !== undefined) return;
        if (!host.signal.aborted) this.done += 1;
        options.onEvent?.({ event: 'scenario', id: scenario.id, done: this.done, of: all });
      },
    });
  }

  /**
   * Scenarios that a temporary fault left undecided are repeated at the end, as far as the plan allows: no
   * more POSTs are sent than it announced.
   *
   * @param runs the number of POSTs with a usable credential that the plan leaves
   */
  async repeatDisturbed(open: readonly Scenario[], runs: number): Promise<void> {
    const { health, host } = this.#parts;
    const { disturbed } = health;
    if (disturbed.size === 0 || host.signal.aborted) return;
    for (const [id, value] of [...host.obtained])
      await value.then(
        () => undefined,
        () => host.obtained.delete(id),
      );
    let runsLeft = runs;
    const again = open.filter((scenario) => {
      const outcome = this.outcomes.get(scenario.id);
      // A scenario that takes hours is not repeated.
      if (outcome === undefined || scenario.permissions.includes('long') || scenario.isSearch) return false;
      if (![...undecidedBy([outcome])].some((id) => disturbed.has(id))) return false;
      const needed = runsAtMost(sentBy(scenario.api, scenario.requests, host.target), host);
      if (needed > runsLeft) return false;
      runsLeft -= needed;
      return true;
    });
    // Scenarios that make things at the same time may fill what none of them fills alone.
    await this.run(again, open.length, host.stocks?.hasSeen === true ? 1 : this.#concurrency);
  }

  /** A verdict that changes for no other reason is neither a failure nor a pass. */
  async #runWithRetries(scenario: Scenario): Promise<Outcome> {
    const { host, options } = this.#parts;
    let outcome = await this.#runOnce(scenario);
    if (!scenario.sensitive) return outcome;
    for (let retry = 0; retry < (options.retries ?? 0); retry += 1) {
      if (failedRules(outcome).size === 0 || host.signal.aborted) return outcome;
      outcome = withoutChanged(outcome, await this.#runOnce(scenario));
    }
    return outcome;
  }

  async #runOnce(scenario: Scenario): Promise<Outcome> {
    const { health, host, limits, options, report } = this.#parts;
    let told = 0;
    return runScenario(scenario, {
      host,
      limits,
      gone: health.signalOf(host, scenario.api),
      onCheck: ({ rule, outcome }) => {
        if (outcome === 'fail') this.#failed = true;
        told += 1;
        if (told <= MOST_TOLD) options.onEvent?.({ event: 'check', rule, outcome, scenario: scenario.id });
      },
      report,
    });
  }
}

// --- internal ---

/** The limit for events about checks of a scenario, because a server determines their number. */
const MOST_TOLD = 10_000;
