import type { Contract } from '../../contract/index.ts';
import { assembleReport } from '../verdicts/assemble.ts';
import { clientChecks, clientResults } from '../client-rules/judge-client.ts';
import type { ClientExchange } from '../client-rules/exchange.ts';
import { ExchangeStore } from '../exchanges/exchange-store.ts';
import { HIDDEN, secrecyOf, type Mask, type SecrecyFacts } from '../../contract/secrecy/index.ts';
import { MemoryBudget } from '../exchanges/memory-budget.ts';
import { readError, type Outcome } from '../verdicts/outcome.ts';
import type { Report, RuleResult, RunFinding } from '../verdicts/report.ts';
import { ruleSet, type RuleSet } from '../rule-set.ts';
import type { Check } from '../scenarios/scenario.ts';
import { judged } from '../suites.ts';
import { makeTarget } from '../target/target.ts';
import { summarise } from '../verdicts/verdict.ts';
import { asClientExchange, asExchange, exchangeId, TRAFFIC, type PassedExchange } from './passed-exchange.ts';

export interface TrafficJudgeOptions {
  readonly contracts: readonly Contract[];
  /** The address of the server. */
  readonly baseUrl: string;
  readonly toolVersion?: string;
  /** What a judge before this one found. */
  readonly found?: readonly TrafficBreach[];
}

/** A rule that an exchange broke, alone or together with earlier ones. */
export interface TrafficBreach {
  readonly rule: string;
  readonly level: string;
  readonly expected: string;
  readonly observed: string;
}

/** Numbers of exchanges that the judge did not see whole. */
export interface UnseenTraffic {
  /** Those that passed and were not judged. */
  readonly unjudged?: number;
  /** Those that were still open at the end. */
  readonly cut?: number;
  /** Those of which a body was not copied, because others took the room. */
  readonly unread?: number;
  /** How many judges had to be replaced, because they took too long. */
  readonly replaced?: number;
}

/**
 * Judges a server and its clients by recorded exchanges: with the oracles of the suite, and with the rules
 * for clients. It sends nothing, so a rule that no exchange concerns stays not exercised. Memory is bounded:
 * the evidence of old exchanges is dropped, but no verdict.
 */
export class TrafficJudge {
  readonly #contracts: readonly Contract[];
  readonly #options: TrafficJudgeOptions;
  readonly #rules: RuleSet;
  readonly #levels: ReadonlyMap<string, string>;
  readonly #masks: Mask[] = [];
  readonly #secrecy: SecrecyFacts;
  readonly #findings: RunFinding[] = [];
  readonly #store: ExchangeStore;
  readonly #stopped = new AbortController();
  readonly #startedAt = Date.now();
  readonly #client: ClientExchange[] = [];
  #heard: TrafficBreach[] = [];
  #seen = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: TrafficJudgeOptions) {
    this.#options = options;
    this.#contracts = options.contracts.map(judged);
    this.#secrecy = secrecyOf(options.contracts);
    this.#rules = ruleSet(this.#contracts);
    this.#levels = new Map(this.#rules.judged.map(({ id, level }) => [id, level]));
    this.#store = new ExchangeStore({
      oracles: this.#rules.oracles,
      memory: new MemoryBudget(),
      masks: this.#masks,
      secrecy: this.#secrecy,
      startedAt: this.#startedAt,
      signal: this.#stopped.signal,
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
    if (this.#masks.length > MOST_SECRETS) this.#masks.shift();
  }

  /** Concludes nothing from earlier exchanges any more, because some after them are left out. */
  forget(): void {
    this.#store.forget();
    this.#client.splice(0);
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

  /** The report on all exchanges. Nothing can be judged after it. */
  async report(left: UnseenTraffic = {}): Promise<Report> {
    await this.#queue;
    const { unjudged = 0 } = left;
    const { exchanges, outcome, shortened } = await this.#store.close();
    const { contracts, baseUrl, toolVersion = '0.0.0', found = [] } = this.#options;
    const target = makeTarget(this.#contracts, { baseUrl });
    const report = assembleReport({
      target: { ...target, masks: this.#masks, secrecy: this.#secrecy },
      rules: this.#rules,
      contracts: this.#contracts,
      plan: { baseUrl, identity: 'the traffic that passed', billedAtMost: 0 },
      status: 'judged',
      outcomes: [outcome, foundBefore(found), notAsked(this.#rules)],
      exchanges,
      shortened,
      findings: this.#findings,
      left: [],
      // Clients only send what they need, not what the judge would like to see.
      gate: { minExercised: 0 },
      settings: {},
      sent: this.#seen + unjudged,
      billable: 0,
      seed: 0,
      startedAt: this.#startedAt,
      endedAt: Date.now(),
      toolVersion,
      keepBytes: undefined,
    });
    const results = clientResults(contracts, clientChecks(this.#client, contracts, false), this.#masks);
    // Some rules are for both sides: the behaviour of servers determines the verdict, that of clients becomes
    // a finding.
    const clients = results.filter(({ level }) => level === 'client');
    const own = new Set(clients.map(({ id }) => id));
    const shared = results.filter(({ id, verdict }) => verdict === 'fail' && !own.has(id));
    // The suite cannot repeat a client's request.
    const servers = report.rules.map((rule) => ({ ...rule, repeat: undefined }));
    const rules = [...servers, ...clients];
    return {
      ...report,
      rules,
      findings: [...report.findings, ...leftOut(left), ...shared.map(findingOf)],
      summary: summarise(rules),
      notJudged: report.notJudged.filter(({ id }) => !own.has(id)),
    };
  }

  async #judge(passed: PassedExchange): Promise<readonly TrafficBreach[]> {
    this.#seen += 1;
    if (passed.isUnsent !== true) this.#client.push(await asClientExchange(passed));
    if (this.#client.length > MOST_OF_CLIENT) this.#client.splice(0, this.#client.length - MOST_OF_CLIENT);
    this.#heard = [];
    this.#store.keep(await asExchange(passed));
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

/** The number of exchanges whose evidence is kept. */
const MOST_KEPT = 5_000;

/** The number of exchanges that the rules for clients compare with each other. */
const MOST_OF_CLIENT = 2_000;

/** For one exchange. The others of its callers wait for its judgement. */
const LONGEST_JUDGEMENT_MS = 5_000;

const MOST_SECRETS = 100;

const MOST_FINDINGS = 100;

/** What an earlier judge found: its evidence is lost with it. */
function foundBefore(found: readonly TrafficBreach[]): Outcome {
  const checks = found.map(({ rule, expected, observed }): Check => ({
    ...{ kind: 'check', rule, outcome: 'fail', exchanges: [], expected, got: observed },
  }));
  return { checks, observations: [], gaps: new Map() };
}

function leftOut({ unjudged = 0, cut = 0, unread = 0, replaced = 0 }: UnseenTraffic): RunFinding[] {
  const exchanges = (count: number): string => (count === 1 ? '1 exchange was' : `${count} exchanges were`);
  const says = [
    ...(unjudged === 0 ? [] : [`${exchanges(unjudged)} passed on but not judged: judging took too long`]),
    ...(unread === 0 ? [] : [`${exchanges(unread)} judged without a body: too many bodies passed at once`]),
    ...(replaced === 0
      ? []
      : ['judging one exchange took too long: what earlier ones showed is lost, except broken rules']),
    ...(cut === 0 ? [] : [`${exchanges(cut)} still open at the end, and cut`]),
  ];
  return says.map((each) => ({ kind: 'unjudgeable', says: each, help: undefined, exchanges: [] }));
}

function findingOf({ id, expected = '', observed = '', exchanges }: RuleResult): RunFinding {
  const says = `a client broke its part of ${id}: expected ${expected}; got ${observed}`;
  return { kind: 'doubt', about: id, says, help: undefined, exchanges: exchanges.slice(0, 5) };
}

/** Cases that no exchange showed. If other cases of the rule were shown, these decide. */
function notAsked({ judged: rules }: RuleSet): Outcome {
  const reason = 'no exchange shows it';
  return {
    checks: [],
    observations: [],
    gaps: new Map(rules.map(({ id }) => [id, { verdict: 'not-exercised', reason }])),
  };
}
