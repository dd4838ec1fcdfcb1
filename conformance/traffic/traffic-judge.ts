import { HIDDEN, secrecyOf, type Mask } from '../../contract/secrecy/index.ts';
import type { ClientExchange } from '../client-rules/exchange.ts';
import { ExchangeStore } from '../exchanges/exchange-store.ts';
import { MemoryBudget } from '../exchanges/memory-budget.ts';
import { SharedAnswers } from '../health/shared-answers.ts';
import { readError } from '../verdicts/outcome.ts';
import type { Report, RunFinding } from '../verdicts/report.ts';
import { ruleSet } from '../rule-set.ts';
import type { Check } from '../scenarios/scenario.ts';
import { isOfAUser, judged } from '../suites.ts';
import { asClientExchange, asExchange, exchangeId, TRAFFIC, type PassedExchange } from './passed-exchange.ts';
import {
  MOST_FINDINGS,
  MOST_KEPT,
  MOST_SECRETS,
  TrafficResults,
  type TrafficSubject,
  type UnseenTraffic,
} from './traffic-results.ts';
import { packed, type TrafficStep } from './traffic-step.ts';

/** A rule that an exchange broke, alone or together with earlier ones. */
export interface TrafficBreach {
  readonly rule: string;
  readonly level: string;
  readonly expected: string;
  readonly observed: string;
}

/**
 * Judges a server and its clients by recorded exchanges: with the oracles of the suite, and with the rules
 * for clients. It sends nothing, so a rule that no exchange concerns stays not exercised. It keeps no result:
 * `take` gives them to the caller, who makes the report.
 */
export class TrafficJudge {
  readonly #subject: TrafficSubject;
  readonly #levels: ReadonlyMap<string, string>;
  readonly #masks: Mask[] = [];
  readonly #store: ExchangeStore;
  readonly #reads: SharedAnswers;
  readonly #ofUsers: ReadonlySet<string>;
  #client: ClientExchange[] = [];
  #findings: RunFinding[] = [];
  #secrets: string[] = [];
  #heard: TrafficBreach[] = [];
  #seen = 0;
  #isAfterGap = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(subject: TrafficSubject) {
    const startedAt = subject.startedAt ?? Date.now();
    this.#subject = { ...subject, startedAt };
    const { oracles, judged: rules } = ruleSet(subject.contracts.map(judged));
    this.#levels = new Map(rules.map(({ id, level }) => [id, level]));
    this.#reads = new SharedAnswers(subject.contracts);
    this.#ofUsers = new Set(subject.contracts.filter(isOfAUser).map(({ name }) => name));
    this.#store = new ExchangeStore({
      ...{ oracles, masks: this.#masks, secrecy: secrecyOf(subject.contracts), startedAt },
      memory: new MemoryBudget(),
      signal: new AbortController().signal,
      report: (finding) => void this.#findings.push(finding),
      most: MOST_KEPT,
      longestMs: LONGEST_JUDGEMENT_MS,
      onCheck: (check) => this.#hear(check),
    });
  }

  /** Masks a secret in everything that is stored from now on. Only the latest secrets are kept for this. */
  hide(secret: string): void {
    if (this.#masks.some((mask) => mask.secret === secret)) return;
    this.#masks.push({ secret, placeholder: HIDDEN });
    this.#secrets.push(secret);
    if (this.#masks.length > MOST_SECRETS) this.#masks.shift();
  }

  /** Concludes nothing from earlier exchanges any more, because some after them are left out. */
  forget(): void {
    this.#store.forget();
    this.#isAfterGap = true;
  }

  /** An exchange that could not be judged; the report mentions it. */
  giveUp(number: number, error: unknown): void {
    const { finding } = readError(error, `the judge of ${exchangeId(number)}`);
    if (finding !== undefined && this.#findings.length < MOST_FINDINGS) this.#findings.push(finding);
  }

  /** Judges a completed exchange, one after the other. Returns the rules that it broke. */
  see(passed: PassedExchange): Promise<readonly TrafficBreach[]> {
    const done = this.#queue.then(() => this.#judge(passed));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** What was concluded since the last call. */
  take(): TrafficStep {
    const { exchanges, ...part } = this.#store.take();
    const [client, findings, secrets, seen] = [this.#client, this.#findings, this.#secrets, this.#seen];
    const evidence = packed({ exchanges, client, isAfterGap: this.#isAfterGap });
    this.#client = [];
    this.#findings = [];
    this.#secrets = [];
    this.#seen = 0;
    this.#isAfterGap = false;
    return { ...part, seen, findings, secrets, reads: this.#reads.take(), evidence: [evidence] };
  }

  /** The report on what was not taken. */
  async report(left: UnseenTraffic = {}): Promise<Report> {
    await this.#queue;
    const results = new TrafficResults(this.#subject);
    results.add(this.take());
    return results.report(left);
  }

  async #judge(passed: PassedExchange): Promise<readonly TrafficBreach[]> {
    this.#seen += 1;
    if (passed.isUnsent !== true) this.#client.push(await asClientExchange(passed));
    this.#heard = [];
    const exchange = await asExchange(passed);
    const { id, api, operation, request, status, answer } = exchange;
    // As in a run of the suite: only a user's document decides which operations need a credential.
    const called = this.#ofUsers.has(api) ? operation : undefined;
    this.#reads.see({ id, api, operation: called, request, status, answer });
    this.#store.keep(exchange);
    await this.#store.settle(TRAFFIC, []);
    return this.#heard;
  }

  #hear({ rule, outcome, expected, got }: Check): void {
    const level = this.#levels.get(rule);
    if (outcome !== 'fail' || level === undefined) return;
    this.#heard.push({ rule, level, expected, observed: got });
  }
}

// --- internal ---

/** For one exchange. The others of its callers wait for its judgement. */
const LONGEST_JUDGEMENT_MS = 5_000;
