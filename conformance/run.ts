import { randomUUID } from 'node:crypto';
import { loadOwnContract } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import { Acceptance } from './health/acceptance.ts';
import { admit, unreachable } from './health/admission.ts';
import { assembleReport } from './verdicts/assemble.ts';
import { ExchangeStore } from './exchanges/exchange-store.ts';
import { findingsOf } from './health/health-findings.ts';
import { Health } from './health/health.ts';
import { SharedAnswers } from './health/shared-answers.ts';
import { Stocks } from './health/stocks.ts';
import { masker } from '../contract/secrecy/index.ts';
import { UndeclaredSecurity } from './health/undeclared-security.ts';
import { MemoryBudget } from './exchanges/memory-budget.ts';
import { gapFor, undecidedBy } from './verdicts/outcome.ts';
import type { Outcome } from './verdicts/outcome.ts';
import { mayBill } from './scenarios/billing.ts';
import { closeScenarios } from './scenarios/gates.ts';
import { planFor, requirePatience, rulesFor, rulesLeftOut } from './plan.ts';
import { rationed } from './http/rate.ts';
import type { Report, RunFinding, StoredExchange } from './verdicts/report.ts';
import { RetryWaits } from './http/retry-after.ts';
import { UNJUDGEABLE_HELP, toExplore } from './rule-set.ts';
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
import { TimeBudget } from './scenarios/time-budget.ts';
import { TimeLimits } from './scenarios/time-limit.ts';
import { leftOn } from './writes/left.ts';
import { WriteLedger } from './writes/ledger.ts';
import { madeUpTexts } from './writes/made-up-texts.ts';
import { takeBack } from './writes/take-back.ts';
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
  const rules = rulesFor(contracts, options);
  const madeUp = options.allow?.includes('writes') === true ? madeUpTexts(contracts, rules.suites) : [];
  const target = makeTarget(contracts, { ...options, madeUp });
  const run = new Run(target, rules, contracts, options);
  try {
    return await run.judge();
  } finally {
    run.close();
  }
}

// --- internal ---

/** A key that begins with a letter: a server that reads only the digits of an id must not find something by it. */
function keyOfLetter(): string {
  for (;;) {
    const key = randomUUID();
    if (/^[a-f]/.test(key)) return key;
  }
}

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
  readonly #stocks: Stocks;
  readonly #undeclared = new UndeclaredSecurity();
  readonly #shared: SharedAnswers;
  readonly #host: SessionHost;
  #sent = 0;
  #billable = 0;
  readonly #limits: TimeLimits;
  readonly #runs: ScenarioRuns;
  readonly #ledger: WriteLedger;
  readonly #transports = new Map<string, Transport>();

  constructor(target: Target, rules: RuleSet, contracts: readonly Contract[], options: ConformanceOptions) {
    this.#target = target;
    this.#rules = rules;
    this.#contracts = contracts;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const preflights = preflightsOf(rules.suites, target);
    this.#health = new Health(preflights);
    this.#acceptance = new Acceptance(preflights);
    this.#shared = new SharedAnswers(contracts);
    this.#limits = new TimeLimits(this.#clock);
    this.#startedAt = this.#clock.now();
    this.#seed = options.seed ?? Math.floor(this.#startedAt / 86_400_000);
    this.#explore = toExplore(options);
    const memory = new MemoryBudget();
    const writes = rules.suites.flatMap(({ api, writes: own }) =>
      own === undefined ? [] : [[api, own] as const],
    );
    this.#ledger = new WriteLedger(new Map(writes), target.fixtures);
    this.#stocks = new Stocks(
      (exchange) =>
        rules.suites.some(({ api, statesStock }) => api === exchange.api && statesStock?.(exchange) === true),
      (api, operation) =>
        this.#ledger.remaining().some(({ thing }) => thing.api === api && thing.operation === operation),
    );
    this.#store = new ExchangeStore({
      oracles: rules.oracles,
      masks: target.masks,
      secrecy: target.secrecy,
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
      keep: (exchange) => {
        this.#shared.see(exchange);
        return this.#store.keep(exchange);
      },
      ledger: this.#ledger,
      memory,
      health: this.#health,
      stocks: this.#stocks,
      acceptance: this.#acceptance,
      undeclared: this.#undeclared,
      excludeFromOracles: (ids) => this.#store.excludeFromOracles(ids),
      obtained: new Map(),
      signal: this.#stop.signal,
      freshKey: keyOfLetter,
      random: (owner) => seededRandom(`${this.#seed}/${owner}`),
    };
    this.#runs = new ScenarioRuns({
      host: this.#host,
      health: this.#health,
      ledger: this.#ledger,
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
    const { onEvent, signal, budgetMs } = this.#options;
    const interrupted = (): void => this.#stop.abort(new Hindered('the run was interrupted'));
    if (signal?.aborted === true) interrupted();
    signal?.addEventListener('abort', interrupted, { once: true });
    const budget = budgetMs === undefined ? undefined : new TimeBudget(budgetMs, this.#clock, this.#stop);
    const options = { ...this.#options, explore: this.#explore };
    const plan = planFor(this.#target, this.#rules, options);
    requirePatience(this.#target, plan, this.#options.timeoutMs);
    onEvent?.({ event: 'planned', plan });

    const outcomes = this.#unjudgeable();
    const states = closeScenarios(this.#target, this.#rules.scenarios, options);
    for (const { scenario, closed } of states)
      if (closed !== undefined) outcomes.push(gapFor(decidedBy(scenario), closed));
    for (const [rule, gap] of rulesLeftOut(this.#target, this.#rules)) outcomes.push(gapFor([rule], gap));
    const wanted = states.filter(({ closed }) => closed === undefined).map(({ scenario }) => scenario);
    const { open, outcomes: refused, status: admitted } = await this.#admit(wanted);
    outcomes.push(...refused);
    const unfinished = await this.#runAll(open, plan.billedAtMost);
    for (const scenario of open.filter(({ id }) => !this.#runs.begun.has(id)))
      outcomes.push(gapFor(decidedBy(scenario), this.#whyStopped()));
    outcomes.push(...this.#runs.outcomes.values());
    budget?.end();
    const { exchanges, outcome, shortened } = await this.#store.close();
    signal?.removeEventListener('abort', interrupted);
    const spent = budget?.finding(unfinished, open.length);
    if (spent !== undefined) this.#findings.push(spent);
    const begun = signal?.aborted === true ? 'interrupted' : admitted;
    const status = this.#statusOf(begun, exchanges, outcomes);
    outcomes.push(outcome);
    for (const { judgeLosses } of this.#rules.suites)
      if (judgeLosses !== undefined) outcomes.push(judgeLosses(this.#health.losses, this.#target));
    for (const finding of this.#undeclared.findings(this.#contracts, this.#target)) this.#report(finding);
    for (const finding of this.#shared.findings()) this.#report(finding);
    for (const finding of this.#stocks.findings()) this.#report(finding);
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
      left: leftOn(this.#target, this.#ledger, masker(this.#target.masks, this.#target.secrecy)),
      gate: this.#options.gate,
      settings: {
        ...this.#options.paths,
        ...(this.#options.fuzz === undefined ? {} : { fuzz: this.#options.fuzz }),
        ...(this.#explore === 0 ? {} : { explore: this.#explore }),
        ...(this.#options.only === undefined ? {} : { only: this.#options.only }),
        ...(this.#options.except === undefined ? {} : { except: this.#options.except }),
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

  /** The rules without a scenario that could decide them. */
  #unjudgeable(): Outcome[] {
    return [...this.#rules.unjudgeable].map(([id, gap]) => {
      const says = `${id}: ${gap.reason}`;
      if (gap.verdict === 'error')
        this.#report({ kind: 'unjudgeable', about: id, says, help: UNJUDGEABLE_HELP, exchanges: [] });
      return gapFor([id], gap);
    });
  }

  /** Asks the server whether the scenarios can begin. */
  async #admit(wanted: readonly Scenario[]): Promise<{
    readonly open: readonly Scenario[];
    readonly outcomes: readonly Outcome[];
    readonly status: Report['status'];
  }> {
    const { open, outcomes, findings, strange, status } = await admit(wanted, {
      host: this.#host,
      rules: this.#rules,
      apis: this.#contracts.map(({ name }) => name),
      waitMs: this.#options.waitMs ?? 0,
      whyStopped: () => this.#whyStopped(),
    });
    this.#findings.push(...findings);
    this.#store.excludeFromOracles(strange);
    const isRefused = wanted.length > 0 && open.length === 0;
    return { open, outcomes, status: isRefused && status !== undefined ? status : 'judged' };
  }

  /**
   * Runs the scenarios.
   *
   * @returns how many did not end
   */
  async #runAll(open: readonly Scenario[], billedAtMost: number): Promise<number> {
    // Scenarios that take hours run last and alone: otherwise, the records of other scenarios would expire in
    // the meantime.
    const isLong = ({ permissions }: Scenario): boolean => permissions.includes('long');
    const others = open.filter((scenario) => !isLong(scenario) && !scenario.isFirst);
    await this.#runs.run(
      open.filter(({ isFirst }) => isFirst),
      open.length,
    );
    // A search runs when no other scenario does, so that its findings have no other cause.
    for (const isSearch of [false, true])
      await this.#runs.run(
        others.filter((scenario) => scenario.isSearch === isSearch),
        open.length,
      );
    await this.#runs.run(open.filter(isLong), open.length);
    const unfinished = open.length - this.#runs.done;
    await this.#runs.repeatDisturbed(open, billedAtMost - this.#billable);
    await takeBack(this.#host, this.#ledger);
    await this.#health.finish(this.#host);
    return unfinished;
  }

  /** How the run ended, with the findings about the server as a whole. */
  #statusOf(
    begun: Report['status'],
    exchanges: readonly StoredExchange[],
    outcomes: readonly Outcome[],
  ): Report['status'] {
    const { stopped, origins } = this.#health;
    const isDead = exchanges.length > 0 && exchanges.every(({ answer }) => answer === undefined);
    let status = begun;
    if (isDead && status === 'judged') {
      status = 'unreachable';
      this.#findings.push(unreachable(this.#target.baseUrl, exchanges[0]));
    } else if (status !== 'unreachable' && status !== 'not-served')
      this.#findings.unshift(...findingsOf(this.#health, exchanges.length, undecidedBy(outcomes)));
    if (status === 'judged' && stopped.length > 0 && stopped.length === origins.size) status = 'unreachable';
    this.#findings.unshift(...this.#acceptance.findings);
    return status;
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
