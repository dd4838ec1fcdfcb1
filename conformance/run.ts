import { randomUUID } from 'node:crypto';
import { loadOwnContract } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import { Acceptance } from './health/acceptance.ts';
import { admit, unreachable } from './health/admission.ts';
import { assembleReport } from './verdicts/assemble.ts';
import { ExchangeStore } from './exchanges/exchange-store.ts';
import { findingsOf } from './health/health-findings.ts';
import { Health } from './health/health.ts';
import { MemoryBudget } from './exchanges/memory-budget.ts';
import { gapFor, undecidedBy } from './verdicts/outcome.ts';
import type { Outcome } from './verdicts/outcome.ts';
import { mayBill } from './scenarios/billing.ts';
import { closeScenarios } from './scenarios/gates.ts';
import { planFor, requirePatience, rulesFor } from './plan.ts';
import { rationed } from './http/rate.ts';
import type { RunFinding, Report } from './verdicts/report.ts';
import { RetryWaits } from './http/retry-after.ts';
import { UNJUDGEABLE, UNJUDGEABLE_HELP, toExplore } from './rule-set.ts';
import type { RuleSet } from './rule-set.ts';
import { decidedBy, Hindered } from './scenarios/scenario.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { ScenarioRuns } from './scenarios/scenario-runs.ts';
import { seededRandom } from './schemas/seed.ts';
import type { SessionHost } from './sessions/session-host.ts';
import { socketTransport } from './http/socket-transport.ts';
import type { ConformanceOptions } from './run-options.ts';
import { judged, preflightsOf } from './suites.ts';
import { makeTarget } from './target/target.ts';
import type { Target } from './target/target.ts';
import { TimeLimits } from './scenarios/time-limit.ts';
import { systemClock } from './http/transport.ts';
import type { Clock, Transport } from './http/transport.ts';
import type { Gap } from './verdicts/verdict.ts';

/**
 * Judges a live server by the rules of the contracts. The server's behaviour never causes an exception; the
 * result is in the report (`exitCode` evaluates it).
 *
 * @throws {TargetError} when the base URL is invalid, a pattern matches no rule, or a time limit would cut
 * runs short
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const contracts = (options.contracts ?? [await loadOwnContract('router')]).map(judged);
  const target = makeTarget(contracts, options);
  const rules = rulesFor(contracts, options);
  const run = new Run(target, rules, contracts, options);
  try {
    return await run.judge();
  } finally {
    run.close();
  }
}

// --- internal ---

class Run {
  readonly #target: Target;
  readonly #rules: RuleSet;
  readonly #contracts: readonly Contract[];
  readonly #options: ConformanceOptions;
  readonly #clock: Clock;
  readonly #seed: number;
  readonly #explore: number;
  readonly #startedAt: number;
  readonly #store: ExchangeStore;
  readonly #findings: RunFinding[] = [];
  readonly #stop = new AbortController();
  readonly #health: Health;
  readonly #acceptance: Acceptance;
  readonly #host: SessionHost;
  #sent = 0;
  #billable = 0;
  readonly #limits: TimeLimits;
  readonly #runs: ScenarioRuns;
  readonly #transports = new Map<string, Transport>();

  constructor(target: Target, rules: RuleSet, contracts: readonly Contract[], options: ConformanceOptions) {
    this.#target = target;
    this.#rules = rules;
    this.#contracts = contracts;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const preflights = preflightsOf(rules.suites);
    this.#health = new Health(preflights);
    this.#acceptance = new Acceptance(preflights);
    this.#limits = new TimeLimits(this.#clock);
    this.#startedAt = this.#clock.now();
    this.#seed = options.seed ?? Math.floor(this.#startedAt / 86_400_000);
    this.#explore = toExplore(options);
    const memory = new MemoryBudget();
    this.#store = new ExchangeStore({
      oracles: rules.oracles,
      masks: target.masks,
      keepBytes: options.keepBytes,
      memory,
      startedAt: this.#startedAt,
      signal: this.#stop.signal,
      report: (finding) => this.#report(finding),
    });
    this.#host = {
      target,
      transportTo: (api) => this.#transportTo(api),
      clock: this.#clock,
      turn: rationed(this.#clock, options.rate),
      waits: new RetryWaits({
        longestMs: options.longestWaitMs,
        ...(options.budgetMs === undefined ? {} : { endsAt: this.#startedAt + options.budgetMs }),
        onWait: (wait) => options.onEvent?.({ event: 'wait', ...wait }),
      }),
      extendAll: (milliseconds) => this.#limits.extendAll(milliseconds),
      readTimeoutMs: options.timeoutMs,
      fuzz: options.fuzz,
      explore: this.#explore,
      nextId: (plan) => {
        this.#sent += 1;
        if (mayBill(plan)) this.#billable += 1;
        return `x${String(this.#sent).padStart(4, '0')}`;
      },
      keep: (exchange) => this.#store.keep(exchange),
      memory,
      health: this.#health,
      acceptance: this.#acceptance,
      excludeFromOracles: (ids) => this.#store.excludeFromOracles(ids),
      obtained: new Map(),
      signal: this.#stop.signal,
      freshKey: randomUUID,
      random: (owner) => seededRandom(`${this.#seed}/${owner}`),
    };
    this.#runs = new ScenarioRuns({
      host: this.#host,
      health: this.#health,
      limits: this.#limits,
      store: this.#store,
      options,
      report: (finding) => this.#report(finding),
    });
    // Faults of certificates or proxies are reported before anything is sent.
    for (const { name } of contracts) this.#transportTo(name);
  }

  /** Closes the connections that the run itself opened. */
  close(): void {
    for (const transport of this.#transports.values()) transport.close?.();
  }

  #transportTo(api: string): Transport {
    const { transport } = this.#options;
    if (transport !== undefined) return transport;
    const base = this.#target.baseOf(api);
    const known = this.#transports.get(base.origin) ?? socketTransport(base, this.#options.sockets);
    this.#transports.set(base.origin, known);
    return known;
  }

  async judge(): Promise<Report> {
    const { onEvent, signal } = this.#options;
    const interrupted = (): void => this.#stop.abort(new Hindered('the run was interrupted'));
    if (signal?.aborted === true) interrupted();
    signal?.addEventListener('abort', interrupted, { once: true });
    const budget = new AbortController();
    let isSpent = false;
    if (this.#options.budgetMs !== undefined) {
      const spent = new Hindered(
        `the time budget of ${this.#options.budgetMs / 1000} s for the run is used up`,
      );
      this.#clock.sleep(this.#options.budgetMs, budget.signal).then(
        () => this.#stop.abort(spent),
        () => undefined,
      );
      this.#stop.signal.addEventListener('abort', () => (isSpent = this.#stop.signal.reason === spent));
    }
    const options = { ...this.#options, explore: this.#explore };
    const plan = planFor(this.#target, this.#rules, options);
    requirePatience(this.#target, plan, this.#options.timeoutMs);
    onEvent?.({ event: 'planned', plan });

    const outcomes: Outcome[] = [];
    for (const { id } of this.#rules.unjudgeable) {
      outcomes.push(gapFor([id], { verdict: 'error', reason: UNJUDGEABLE }));
      this.#report({
        kind: 'unjudgeable',
        about: id,
        says: `${id}: ${UNJUDGEABLE}`,
        help: UNJUDGEABLE_HELP,
        exchanges: [],
      });
    }
    const states = closeScenarios(this.#target, this.#rules.scenarios, options);
    for (const { scenario, closed } of states)
      if (closed !== undefined) outcomes.push(gapFor(decidedBy(scenario), closed));
    let open = states.filter(({ closed }) => closed === undefined).map(({ scenario }) => scenario);

    let status: Report['status'] = 'judged';
    const hadWork = open.length > 0;
    const admission = await admit(open, {
      host: this.#host,
      rules: this.#rules,
      apis: this.#contracts.map(({ name }) => name),
      waitMs: this.#options.waitMs ?? 0,
      whyStopped: () => this.#whyStopped(),
    });
    outcomes.push(...admission.outcomes);
    this.#findings.push(...admission.findings);
    this.#store.excludeFromOracles(admission.strange);
    open = admission.open;
    if (hadWork && open.length === 0 && admission.status !== undefined) status = admission.status;

    // Scenarios that take hours run last and alone: otherwise, the records of other scenarios would expire in
    // the meantime.
    const isLong = ({ permissions }: Scenario): boolean => permissions.includes('long');
    // A search runs when no other scenario does, so that its findings have no other cause.
    for (const isSearch of [false, true])
      await this.#runs.run(
        open.filter((scenario) => !isLong(scenario) && scenario.isSearch === isSearch),
        open.length,
      );
    await this.#runs.run(open.filter(isLong), open.length);
    const unfinished = open.length - this.#runs.done;
    await this.#runs.repeatDisturbed(open, plan.billedAtMost - this.#billable);
    await this.#health.finish(this.#host);
    for (const scenario of open.filter(({ id }) => !this.#runs.begun.has(id)))
      outcomes.push(gapFor(decidedBy(scenario), this.#whyStopped()));
    outcomes.push(...this.#runs.outcomes.values());
    budget.abort();
    const { exchanges, outcome, shortened } = await this.#store.close();
    signal?.removeEventListener('abort', interrupted);
    if (signal?.aborted === true) status = 'interrupted';
    if (isSpent)
      this.#findings.push({
        kind: 'disturbed',
        says: `The time budget of ${(this.#options.budgetMs ?? 0) / 1000} s is used up: ${unfinished} of ${open.length} scenarios did not end`,
        help: 'Rules that were not decided by then are inconclusive. Give the run more time (--budget), or test fewer rules at once (--rule, --shard).',
        exchanges: [],
      });
    const isDead = exchanges.length > 0 && exchanges.every(({ answer }) => answer === undefined);
    if (isDead && status === 'judged') {
      status = 'unreachable';
      this.#findings.push(unreachable(this.#target.baseUrl, exchanges[0]));
    } else if (status !== 'unreachable' && status !== 'not-served')
      this.#findings.unshift(...findingsOf(this.#health, exchanges.length, undecidedBy(outcomes)));
    const stopped = this.#health.stopped.length;
    if (status === 'judged' && stopped > 0 && stopped === this.#health.origins.size) status = 'unreachable';
    this.#findings.unshift(...this.#acceptance.findings);
    outcomes.push(outcome);
    for (const { judgeLosses } of this.#rules.suites)
      if (judgeLosses !== undefined) outcomes.push(judgeLosses(this.#health.losses, this.#target));
    for (const finding of this.#host.waits.findings()) this.#report(finding);
    for (const finding of this.#target.bearer?.findings() ?? []) this.#report(finding);
    const report = assembleReport({
      target: this.#target,
      rules: this.#rules,
      contracts: this.#contracts,
      plan,
      status,
      outcomes,
      exchanges,
      shortened,
      findings: this.#findings,
      gate: this.#options.gate,
      settings: {
        ...this.#options.paths,
        ...(this.#options.fuzz === undefined ? {} : { fuzz: this.#options.fuzz }),
        ...(this.#explore === 0 ? {} : { explore: this.#explore }),
      },
      sent: this.#sent,
      billable: this.#billable,
      seed: this.#seed,
      startedAt: this.#startedAt,
      endedAt: this.#clock.now(),
      toolVersion: this.#options.toolVersion ?? '0.0.0',
      keepBytes: this.#options.keepBytes,
    });
    onEvent?.({ event: 'finished', report });
    return report;
  }

  #whyStopped(): Gap {
    const { aborted, reason } = this.#stop.signal;
    return aborted
      ? { verdict: 'inconclusive', reason: (reason as Error).message }
      : { verdict: 'not-exercised', reason: 'the run stopped at the first broken rule' };
  }

  /**
   * One finding per fixture and per fault: if thirty scenarios encounter it, there is still only one fault to
   * correct.
   */
  #report(finding: RunFinding): void {
    const known = this.#findings.some(
      ({ kind, about, says }) =>
        kind === finding.kind && (about === undefined ? says === finding.says : about === finding.about),
    );
    if (!known) this.#findings.push(finding);
  }
}
