import { randomUUID } from 'node:crypto';
import { loadOwnContract } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import { abortable, makeBreather } from './abortable.ts';
import { admit, unreachable } from './admission.ts';
import { assembleReport } from './assemble.ts';
import { mustNotMeet } from './crowding.ts';
import { ExchangeStore } from './exchange-store.ts';
import { MemoryBudget } from './memory-budget.ts';
import { Tally, failedRules, gapFor, readError, withoutChanged } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { closeScenarios, planFor, requirePatience } from './plan.ts';
import type { PlanOptions, ProbePlan } from './plan.ts';
import type { Finding, Report } from './report.ts';
import { ruleSet } from './rule-set.ts';
import type { RuleSet } from './rule-set.ts';
import { Hindered } from './scenario.ts';
import type { Check, Scenario } from './scenario.ts';
import { schedule } from './schedule.ts';
import { seededRandom } from './seed.ts';
import { openSession } from './session.ts';
import type { SessionHost } from './session.ts';
import { socketTransport } from './socket-transport.ts';
import { makeTarget } from './target.ts';
import type { Target } from './target.ts';
import { systemClock } from './transport.ts';
import type { Clock, Transport } from './transport.ts';
import type { Gap } from './verdict.ts';

export interface ConformanceOptions extends Omit<PlanOptions, 'contracts'> {
  /** Default: the model router. */
  readonly contracts?: readonly Contract[];
  /** Default: sockets to the base URL. */
  readonly transport?: Transport;
  readonly clock?: Clock;
  /** Scenarios at the same time; default 4. */
  readonly concurrency?: number;
  /** Requests per second at most; default unlimited. */
  readonly rate?: number;
  /** Of the random choices; printed in the report. */
  readonly seed?: number;
  /** How long to wait for the server to answer at all, in milliseconds; default 0. */
  readonly waitMs?: number;
  /** Milliseconds for the whole run. */
  readonly budgetMs?: number;
  readonly failFast?: boolean;
  readonly keepBytes?: number;
  readonly signal?: AbortSignal;
  readonly toolVersion?: string;
  readonly onEvent?: (event: RunEvent) => void;
}

export type RunEvent =
  | { readonly event: 'planned'; readonly plan: ProbePlan }
  | { readonly event: 'scenario'; readonly id: string; readonly done: number; readonly of: number }
  | {
      readonly event: 'check';
      readonly rule: string;
      readonly outcome: Check['outcome'];
      readonly scenario: string;
    }
  | { readonly event: 'finished'; readonly report: Report };

/**
 * Judges a live server by the rules of the contracts. Nothing is thrown for what the server does; what it is worth is
 * in the report (`exitCode` reads it).
 *
 * @throws {TargetError} when the base URL makes no sense, or a time limit cuts runs short
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const contracts = options.contracts ?? [await loadOwnContract('router')];
  const target = makeTarget(contracts, options);
  const rules = ruleSet(contracts, options);
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
  readonly #startedAt: number;
  readonly #store: ExchangeStore;
  readonly #findings: Finding[] = [];
  readonly #stop = new AbortController();
  readonly #host: SessionHost;
  #sent = 0;
  #failed = false;
  #done = 0;
  readonly #begun = new Set<string>();
  readonly #transports = new Map<string, Transport>();

  constructor(target: Target, rules: RuleSet, contracts: readonly Contract[], options: ConformanceOptions) {
    this.#target = target;
    this.#rules = rules;
    this.#contracts = contracts;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#startedAt = this.#clock.now();
    this.#seed = options.seed ?? Math.floor(this.#startedAt / 86_400_000);
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
      readTimeoutMs: options.timeoutMs,
      fuzz: options.fuzz,
      nextId: () => `x${String((this.#sent += 1)).padStart(4, '0')}`,
      keep: (exchange) => this.#store.keep(exchange),
      memory,
      obtained: new Map(),
      signal: this.#stop.signal,
      freshKey: randomUUID,
      random: (owner) => seededRandom(`${this.#seed}/${owner}`),
    };
  }

  /** Closes the connections that the run opened by itself. */
  close(): void {
    for (const transport of this.#transports.values()) transport.close?.();
  }

  #transportTo(api: string): Transport {
    const { transport } = this.#options;
    if (transport !== undefined) return transport;
    const base = this.#target.baseOf(api);
    const known = this.#transports.get(base.origin) ?? socketTransport(base);
    this.#transports.set(base.origin, known);
    return known;
  }

  async judge(): Promise<Report> {
    const { onEvent, signal } = this.#options;
    const interrupted = (): void => this.#stop.abort(new Hindered('the run was interrupted'));
    if (signal?.aborted === true) interrupted();
    signal?.addEventListener('abort', interrupted, { once: true });
    const budget = new AbortController();
    if (this.#options.budgetMs !== undefined) {
      const spent = new Hindered(
        `the time budget of ${this.#options.budgetMs / 1000} s for the run is used up`,
      );
      this.#clock.sleep(this.#options.budgetMs, budget.signal).then(
        () => this.#stop.abort(spent),
        () => undefined,
      );
    }
    const plan = planFor(this.#target, this.#rules, this.#options);
    requirePatience(this.#target, plan, this.#options.timeoutMs);
    onEvent?.({ event: 'planned', plan });

    const outcomes: Outcome[] = [];
    const states = closeScenarios(this.#target, this.#rules.scenarios, this.#options);
    for (const { scenario, closed } of states)
      if (closed !== undefined) outcomes.push(gapFor(scenario.judges, closed));
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
    this.#store.markStrange(admission.strange);
    open = admission.open;
    if (hadWork && open.length === 0 && admission.status !== undefined) status = admission.status;

    // What takes hours goes last and by itself: meanwhile the records of all other scenarios would age away.
    const isLong = ({ permissions }: Scenario): boolean => permissions.includes('long');
    await this.#runAll(
      open.filter((scenario) => !isLong(scenario)),
      open.length,
      outcomes,
    );
    await this.#runAll(open.filter(isLong), open.length, outcomes);
    for (const scenario of open.filter(({ id }) => !this.#begun.has(id))) {
      outcomes.push(gapFor(scenario.judges, this.#whyStopped()));
    }
    budget.abort();
    const { exchanges, outcome, shortened } = await this.#store.close();
    signal?.removeEventListener('abort', interrupted);
    if (signal?.aborted === true) status = 'interrupted';
    if (
      exchanges.length > 0 &&
      exchanges.every(({ answer }) => answer === undefined) &&
      status === 'judged' &&
      !this.#stop.signal.aborted
    ) {
      status = 'unreachable';
      const [first] = exchanges;
      this.#findings.push(unreachable(this.#target.baseUrl, first));
    }
    outcomes.push(outcome);
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

  async #runAll(scenarios: readonly Scenario[], all: number, outcomes: Outcome[]): Promise<void> {
    await schedule(scenarios, {
      concurrency: this.#options.concurrency ?? 4,
      mustNotMeet: (one, other) => mustNotMeet(one, other, this.#target),
      stopped: () => this.#stop.signal.aborted || (this.#options.failFast === true && this.#failed),
      run: async (scenario) => {
        this.#begun.add(scenario.id);
        const outcome = await this.#runWithRetries(scenario);
        outcomes.push(outcome);
        await this.#store.settle(scenario.id, outcome.checks);
        this.#done += 1;
        this.#options.onEvent?.({ event: 'scenario', id: scenario.id, done: this.#done, of: all });
      },
    });
  }

  /** A verdict that changes when nothing else did is none: neither a failure nor a pass. */
  async #runWithRetries(scenario: Scenario): Promise<Outcome> {
    let outcome = await this.#runScenario(scenario);
    if (!scenario.sensitive) return outcome;
    for (let retry = 0; retry < (this.#options.retries ?? 0); retry += 1) {
      if (failedRules(outcome).size === 0 || this.#stop.signal.aborted) return outcome;
      outcome = withoutChanged(outcome, await this.#runScenario(scenario));
    }
    return outcome;
  }

  async #runScenario(scenario: Scenario): Promise<Outcome> {
    const tally = new Tally();
    const posts = Object.values(scenario.requests).some(({ method }) => method === 'POST');
    const budgetMs = scenario.budgetMs + (posts ? this.#target.deadlineMs : 0);
    const timer = new AbortController();
    const over = new AbortController();
    this.#clock.sleep(budgetMs, timer.signal).then(
      () => over.abort(new Hindered(`the scenario exceeded its time limit of ${budgetMs / 1000} s`)),
      () => undefined,
    );
    const signal = AbortSignal.any([this.#stop.signal, over.signal]);
    const session = openSession(this.#host, { ...scenario, mayPost: this.#mayPost(scenario) }, signal);
    let gap: Gap | undefined;
    const items = scenario.run(session);
    const breathe = makeBreather();
    let told = 0;
    try {
      for (;;) {
        // A probe that waits for something else than the session must not hold the run.
        const next = await abortable(items.next(), signal);
        if (next.done === true) break;
        const item = next.value;
        if (item.kind === 'check' && !scenario.judges.includes(item.rule))
          throw new Error(`${scenario.id} judges ${item.rule}, which it did not declare`);
        tally.add(item);
        if (item.kind === 'check') {
          if (item.outcome === 'fail') this.#failed = true;
          told += 1;
          if (told <= MOST_TOLD)
            this.#options.onEvent?.({
              event: 'check',
              rule: item.rule,
              outcome: item.outcome,
              scenario: scenario.id,
            });
        }
        const turn = breathe();
        if (turn === undefined) continue;
        await turn;
        signal.throwIfAborted();
      }
    } catch (error) {
      const read = readError(signal.aborted ? signal.reason : error, scenario.id);
      ({ gap } = read);
      const { finding } = read;
      if (finding !== undefined) this.#report(finding);
    } finally {
      timer.abort();
      over.abort();
      void items.return().catch(() => undefined);
    }
    const { checks, observations } = tally;
    const judged = new Set(checks.map(({ rule }) => rule));
    // A case that was not tried any more may be the one that fails.
    const isPart = (rule: string): boolean =>
      gap?.verdict === 'inconclusive' && scenario.severalCases.includes(rule);
    const open = gap === undefined ? [] : scenario.judges.filter((rule) => !judged.has(rule) || isPart(rule));
    return { checks, observations, gaps: new Map(open.map((rule) => [rule, gap as Gap])) };
  }

  /** One finding per fixture and per fault: what thirty scenarios meet is still one thing to mend. */
  #report(finding: Finding): void {
    const known = this.#findings.some(
      ({ kind, about, says }) =>
        kind === finding.kind && (about === undefined ? says === finding.says : about === finding.about),
    );
    if (!known) this.#findings.push(finding);
  }

  #mayPost(scenario: Scenario): boolean {
    return (
      scenario.permissions.length > 0 && scenario.permissions.every((one) => this.#target.allowed.has(one))
    );
  }
}

/** So many checks of a scenario are told as events; a server decides how many there are. */
const MOST_TOLD = 10_000;

/** Spreads requests over time. */
function rationed(clock: Clock, perSecond: number | undefined): SessionHost['turn'] {
  if (perSecond === undefined) return () => Promise.resolve();
  const gapMs = 1000 / perSecond;
  let next = 0;
  return async (signal) => {
    const at = Math.max(next, clock.now());
    next = at + gapMs;
    if (at > clock.now()) await clock.sleep(at - clock.now(), signal);
  };
}
