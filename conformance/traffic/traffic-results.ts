import type { Contract } from '../../contract/index.ts';
import { HIDDEN, secrecyOf, type Mask } from '../../contract/secrecy/index.ts';
import { clientChecks, clientResults } from '../client-rules/judge-client.ts';
import type { ClientExchange } from '../client-rules/exchange.ts';
import { ExchangeStore } from '../exchanges/exchange-store.ts';
import { MemoryBudget } from '../exchanges/memory-budget.ts';
import { SharedAnswers } from '../health/shared-answers.ts';
import { ruleSet, type RuleSet } from '../rule-set.ts';
import { judged } from '../suites.ts';
import { makeTarget } from '../target/target.ts';
import { assembleReport } from '../verdicts/assemble.ts';
import { Tally, type Outcome } from '../verdicts/outcome.ts';
import type { Report, RuleResult, RunFinding } from '../verdicts/report.ts';
import { summarise, type Gap } from '../verdicts/verdict.ts';
import { unpacked, type PackedEvidence, type TrafficStep } from './traffic-step.ts';

/** What a report on traffic is about. */
export interface TrafficSubject {
  readonly contracts: readonly Contract[];
  /** The address of the server. */
  readonly baseUrl: string;
  readonly toolVersion?: string;
  /** Epoch milliseconds; default: now. */
  readonly startedAt?: number;
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
  /** Whether only exchanges by themselves are judged: what follows from several took too long. */
  readonly isHurried?: boolean;
}

/** The results of all judges of the traffic, and the report on them. Their memory is bounded: old evidence is dropped. */
export class TrafficResults {
  readonly #subject: TrafficSubject;
  readonly #startedAt: number;
  readonly #tally = new Tally();
  readonly #gaps = new Map<string, Gap>();
  readonly #reads: SharedAnswers;
  readonly #findings: RunFinding[] = [];
  #secrets: readonly string[] = [];
  #evidence: PackedEvidence[] = [];
  #count = 0;
  #bytes = 0;
  #seen = 0;
  #shortened = 0;

  constructor(subject: TrafficSubject) {
    this.#subject = subject;
    this.#startedAt = subject.startedAt ?? Date.now();
    this.#reads = new SharedAnswers(subject.contracts);
  }

  add(step: TrafficStep): void {
    for (const item of step.items) this.#tally.add(item);
    for (const [rule, gap] of step.gaps)
      if (!this.#gaps.has(rule) || gap.verdict === 'error') this.#gaps.set(rule, gap);
    for (const reads of step.reads) this.#reads.add(reads);
    for (const finding of step.findings)
      if (this.#findings.length < MOST_FINDINGS) this.#findings.push(finding);
    this.#secrets = [...new Set([...this.#secrets, ...step.secrets])].slice(-MOST_SECRETS);
    this.#seen += step.seen;
    this.#shortened += step.shortened;
    for (const each of step.evidence) this.#keep(each);
  }

  /** All of it as one step, for another thread. */
  whole(): TrafficStep {
    const { checks, observations } = this.#tally;
    const reads = this.#reads.take();
    for (const each of reads) this.#reads.add(each);
    return {
      ...{ items: [...checks, ...observations], gaps: this.#gaps, reads, findings: this.#findings },
      ...{ secrets: this.#secrets, seen: this.#seen, shortened: this.#shortened, evidence: this.#evidence },
    };
  }

  async report(left: UnseenTraffic = {}): Promise<Report> {
    const { unjudged = 0, isHurried = false } = left;
    const { contracts, baseUrl, toolVersion = '0.0.0' } = this.#subject;
    const masks = this.#secrets.map((secret): Mask => ({ secret, placeholder: HIDDEN }));
    const secrecy = secrecyOf(contracts);
    const suited = contracts.map(judged);
    const rules = ruleSet(suited);
    const findings = [...this.#findings];
    const store = new ExchangeStore({
      oracles: isHurried ? [] : rules.oracles,
      ...{ masks, secrecy, memory: new MemoryBudget(), startedAt: this.#startedAt, most: MOST_KEPT },
      signal: new AbortController().signal,
      report: (finding) => void findings.push(finding),
    });
    const { checks: items, observations } = this.#tally;
    const read = this.#evidence.map(unpacked);
    const exchanges = read.flatMap((each) => each.exchanges);
    const shortened = this.#shortened;
    store.add({ items: [...items, ...observations], gaps: this.#gaps, exchanges, shortened });
    const target = makeTarget(suited, { baseUrl });
    const { outcome, ...stored } = await store.close();
    const report = assembleReport({
      target: { ...target, masks, secrecy },
      rules,
      contracts: suited,
      plan: { baseUrl, identity: 'the traffic that passed', billedAtMost: 0 },
      status: 'judged',
      outcomes: [outcome, notAsked(rules)],
      ...stored,
      findings,
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
    const checks = isHurried
      ? []
      : stretches(read.map(({ client, isAfterGap }) => ({ client, isAfterGap }))).flatMap((client) =>
          clientChecks(client, contracts, false),
        );
    const results = clientResults(contracts, checks, masks);
    // Some rules are for both sides: the behaviour of servers determines the verdict, that of clients becomes
    // a finding.
    const clients = results.filter(({ level }) => level === 'client');
    const own = new Set(clients.map(({ id }) => id));
    const shared = results.filter(({ id, verdict }) => verdict === 'fail' && !own.has(id));
    // The suite cannot repeat a client's request.
    const servers = report.rules.map((rule) => ({ ...rule, repeat: undefined }));
    const all = [...servers, ...clients];
    return {
      ...report,
      rules: all,
      findings: [...report.findings, ...this.#reads.findings(), ...leftOut(left), ...shared.map(findingOf)],
      summary: summarise(all),
      notJudged: report.notJudged.filter(({ id }) => !own.has(id)),
    };
  }

  #keep(evidence: PackedEvidence): void {
    this.#evidence.push(evidence);
    this.#count += evidence.count;
    this.#bytes += evidence.bytes.length;
    while (this.#count > MOST_KEPT || this.#bytes > MOST_BYTES) {
      const oldest = this.#evidence.shift();
      this.#count -= oldest?.count ?? 0;
      this.#bytes -= oldest?.bytes.length ?? 0;
    }
  }
}

/** The number of exchanges whose evidence is kept. */
export const MOST_KEPT = 5_000;

/** The most secrets that are remembered, the latest ones. */
export const MOST_SECRETS = 100;

export const MOST_FINDINGS = 100;

// --- internal ---

/** Of all evidence. */
const MOST_BYTES = 64 * 2 ** 20;

/** The number of exchanges that the rules for clients compare with each other. */
const MOST_OF_CLIENT = 2_000;

/** The latest exchanges, divided where others between them were left out. */
function stretches(
  read: readonly { readonly client: readonly ClientExchange[]; readonly isAfterGap: boolean }[],
): readonly (readonly ClientExchange[])[] {
  const all: ClientExchange[][] = [];
  let room = MOST_OF_CLIENT;
  let isAfterGap = true;
  for (const step of read.toReversed()) {
    const client = step.client.slice(Math.max(0, step.client.length - room));
    if (isAfterGap) all.unshift([...client]);
    else all[0]?.unshift(...client);
    room -= client.length;
    isAfterGap = step.isAfterGap;
    if (room <= 0) break;
  }
  return all;
}

function leftOut({
  unjudged = 0,
  cut = 0,
  unread = 0,
  replaced = 0,
  isHurried = false,
}: UnseenTraffic): RunFinding[] {
  const exchanges = (count: number): string => (count === 1 ? '1 exchange was' : `${count} exchanges were`);
  const says = [
    ...(unjudged === 0 ? [] : [`${exchanges(unjudged)} passed on but not judged: judging took too long`]),
    ...(unread === 0 ? [] : [`${exchanges(unread)} judged without a body: too many bodies passed at once`]),
    ...(replaced === 0
      ? []
      : [
          `judging one exchange took too long, ${replaced === 1 ? 'once' : `${replaced} times`}: exchanges before and after it were not compared with each other`,
        ]),
    ...(isHurried ? ['exchanges were not compared with each other: that took too long'] : []),
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
