import type { Contract } from '../../contract/index.ts';
import type { Gate } from '../scenarios/gate.ts';
import { documentsOf } from '../cited-documents.ts';
import { courseOf } from '../exchanges/course.ts';
import { DEFAULT_KEEP, shortened } from '../exchanges/evidence.ts';
import { headerOf } from '../exchanges/exchange.ts';
import { masker } from '../exchanges/masking.ts';
import { causesOf } from './causes.ts';
import type { Outcome } from './outcome.ts';
import type { ProbePlan } from '../plan.ts';
import type {
  LeftThing,
  RunFinding,
  ObservationResult,
  Report,
  RuleResult,
  StoredExchange,
} from './report.ts';
import { repeatOf } from '../replay/repeat.ts';
import type { RuleSet } from '../rule-set.ts';
import type { Target } from '../target/target.ts';
import { sourcesIn } from '../replay/script-values.ts';
import { decide, summarise } from './verdict.ts';

/** All results of a run. */
export interface RunRecord {
  readonly target: Target;
  readonly rules: RuleSet;
  readonly contracts: readonly Contract[];
  readonly plan: Pick<ProbePlan, 'baseUrl' | 'identity' | 'billedAtMost'>;
  readonly status: Report['status'];
  readonly outcomes: readonly Outcome[];
  /** In the order of their ids. */
  readonly exchanges: readonly StoredExchange[];
  /** How many of them lost their bodies, because the report would otherwise be too large. */
  readonly shortened: number;
  readonly findings: readonly RunFinding[];
  readonly left: readonly LeftThing[];
  readonly gate: Gate | undefined;
  readonly settings: Report['settings'] & object;
  readonly sent: number;
  /** How many of those were POSTs with a usable credential. */
  readonly billable: number;
  readonly seed: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly toolVersion: string;
  readonly keepBytes: number | undefined;
}

/** Makes the report of a run: one verdict per rule, evidence masked. */
export function assembleReport(record: RunRecord): Report {
  const { target, rules, plan, outcomes, startedAt } = record;
  const hide = masker(target.masks);
  const checks = groupBy(
    outcomes.flatMap((outcome) => outcome.checks),
    ({ rule }) => rule,
  );
  const decisions = rules.judged.map((rule) => {
    const gaps = outcomes.flatMap((outcome) => outcome.gaps.get(rule.id) ?? []);
    return { rule, ...decide(rule, checks.get(rule.id) ?? [], gaps) };
  });
  const courses = decisions.filter(isBroken).map((decided) => courseOf(record.exchanges, decided));
  const repeated = new Set(courses.flat());
  // By default, the report keeps the data for the script of a broken rule; a limit of the user applies to
  // everything.
  const read = new Set(record.keepBytes === undefined ? courses.flatMap(sourcesIn) : []);
  const keep = record.keepBytes ?? DEFAULT_KEEP;
  const stored = record.exchanges.map((exchange) =>
    repeated.has(exchange)
      ? shortened(exchange, read.has(exchange.id) ? Number.POSITIVE_INFINITY : keep, Number.POSITIVE_INFINITY)
      : shortened(exchange, keep),
  );
  const places = placesOf(record.contracts);
  const documents = documentsOf(record.contracts);
  const address = {
    baseUrl: plan.baseUrl,
    identity: plan.identity,
    origins: Object.fromEntries(
      record.contracts.map(({ name }) => [name, target.baseOf(name).origin] as const),
    ),
  };
  const repeatable = {
    target: address,
    settings: record.settings,
    allowed: [...target.allowed],
    exchanges: stored,
  };
  const results = decisions.map(({ rule, ...decided }): RuleResult => {
    const { id, api, level, says, operation } = rule;
    const source = { ...rule.source, ...documents.get(rule.source.document) };
    const sheet = places.get(id);
    const repeat = isBroken(decided) ? repeatOf(repeatable, { id, ...decided }) : undefined;
    // Observations quote the server, which may echo the request.
    const told = {
      reason: decided.reason === undefined ? undefined : hide(decided.reason),
      expected: decided.expected === undefined ? undefined : hide(decided.expected),
      observed: decided.observed === undefined ? undefined : hide(decided.observed),
      ...(decided.failures === undefined
        ? {}
        : {
            failures: decided.failures.map((failure) => ({
              ...failure,
              expected: hide(failure.expected),
              observed: hide(failure.observed),
              ...(failure.cause === undefined ? {} : { cause: hide(failure.cause) }),
            })),
          }),
    };
    return {
      id,
      api,
      level,
      ...(operation === undefined ? {} : { operation }),
      says,
      source,
      ...(sheet === undefined ? {} : { sheet }),
      ...decided,
      ...told,
      repeat,
    };
  });
  const findings = [...leaks(results, rules.suites), ...doubts(record, results), ...record.findings].sort(
    (a, b) => Number(isMinor(a)) - Number(isMinor(b)),
  );
  return {
    schemaVersion: 1,
    tool: { name: 'tallystick', version: record.toolVersion },
    contract: Object.fromEntries(record.contracts.map(({ name, sheet }) => [name, sheet?.contract ?? ''])),
    target: address,
    status: record.status,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: record.endedAt - startedAt,
    seed: record.seed,
    settings: record.settings,
    allowed: [...target.allowed],
    ...(record.gate === undefined ? {} : { gate: record.gate }),
    requests: {
      sent: record.sent,
      billable: record.billable,
      billedAtMost: plan.billedAtMost,
      isBilled: target.isBilled,
    },
    summary: summarise(results),
    findings: findings.map(({ says, help, ...finding }) => ({
      ...finding,
      says: hide(says),
      help: help === undefined ? undefined : hide(help),
    })),
    ...(record.left.length === 0 ? {} : { left: record.left }),
    rules: results,
    causes: causesOf(results, stored),
    observations: observationsOf(record, hide),
    notJudged: rules.notJudged,
    exchanges: stored,
  };
}

// --- internal ---

const MOST_SEEN = 20;

/** The reason that ended the run or prevented verdicts comes first. */
function isMinor({ kind }: RunFinding): boolean {
  return !['unreachable', 'not-served', 'stopped', 'broken', 'document', 'leak', 'disturbed'].includes(kind);
}

function isBroken({ verdict }: Pick<RuleResult, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/** The place of each rule in its sheet. */
function placesOf(contracts: readonly Contract[]): ReadonlyMap<string, { file: string; line: number }> {
  const places = contracts.flatMap(({ sheet }) =>
    (sheet?.rules ?? []).flatMap(({ id }, index) => {
      const place = sheet?.locate(`/rules/${index}`);
      return place === undefined ? [] : [[id, { file: place.file, line: place.line }] as const];
    }),
  );
  return new Map(places);
}

function observationsOf(
  { contracts, rules, outcomes }: RunRecord,
  hide: (text: string) => string,
): readonly ObservationResult[] {
  const about = new Map<string, string>();
  for (const { sheet } of contracts) {
    for (const point of sheet?.unspecified ?? []) about.set(point.id, point.about);
  }
  for (const rule of rules.informative) about.set(rule.id, rule.says);
  const seen = groupBy(
    outcomes.flatMap((outcome) => outcome.observations),
    ({ id }) => id,
  );
  return [...seen]
    .filter(([id]) => about.has(id))
    .map(([id, list]) => ({
      id,
      about: about.get(id) ?? '',
      seen: [...new Set(list.map((one) => hide(one.seen)))].slice(0, MOST_SEEN),
      exchanges: [...new Set(list.flatMap((one) => one.exchanges))].slice(0, MOST_SEEN),
    }));
}

/**
 * The contract does not forbid repeating a secret, so the rule is only a recommendation; but a leak is a
 * finding.
 */
function leaks(rules: readonly RuleResult[], suites: RuleSet['suites']): readonly RunFinding[] {
  const secrecyRules = suites.flatMap((suite) => suite.secrecyRules ?? []);
  return rules
    .filter((rule) => secrecyRules.includes(rule.id) && isBroken(rule))
    .map(({ id, exchanges }) => ({
      kind: 'leak',
      about: id,
      says: 'the server repeats an access token in its answer',
      help: 'Replace the token: every log that recorded the answer contains it.',
      exchanges: exchanges.slice(0, 5),
    }));
}

/** Findings that can make a pass meaningless come first. */
function doubts(
  { exchanges, shortened: cut }: RunRecord,
  results: readonly RuleResult[],
): readonly RunFinding[] {
  const withCredential = exchanges.filter(
    ({ request, answer }) => request.as === 'valid' && answer !== undefined,
  );
  const refused = withCredential.filter(({ answer }) => answer?.status === 401);
  const unread = exchanges.filter(({ answer }) => answer?.unreadable !== undefined);
  const unreadIds = new Set(unread.map(({ id }) => id));
  const isOpen = results.some(
    ({ verdict, exchanges: seen }) => verdict === 'inconclusive' && seen.some((id) => unreadIds.has(id)),
  );
  const some = (list: readonly StoredExchange[]): readonly string[] => list.slice(0, 5).map(({ id }) => id);
  const findings: RunFinding[] = [];
  if (refused.length > 0 && refused.length * 4 >= withCredential.length)
    findings.push({
      kind: 'doubt',
      says: `${refused.length} of ${withCredential.length} calls with the valid credential returned 401, so that passed rules prove little`,
      help: 'Check that the credential may call every API of the run.',
      exchanges: some(refused),
    });
  if (unread.length > 0)
    findings.push({
      kind: isOpen ? 'broken' : 'doubt',
      says: `${unread.length} of ${exchanges.length} responses are ${unread.every(isUndecoded) ? 'in a content coding that the suite cannot decode' : 'larger than the limit of the suite'}: ${unread[0]?.id} ${unread[0]?.answer?.unreadable}`,
      help: 'Rules that need the rest of these responses are inconclusive.',
      exchanges: some(unread),
    });
  const compressed = exchanges.filter(isCompressedUnasked);
  const [coded] = compressed;
  if (coded !== undefined)
    findings.push({
      kind: 'doubt',
      says: `${compressed.length} of ${exchanges.length} responses were compressed (${coded.answer?.compressed}), although the requests asked for Accept-Encoding: identity`,
      help: 'They were decompressed and judged. Perhaps a proxy in front of the server compresses them; a client that cannot decompress fails.',
      exchanges: some(compressed),
    });
  if (cut > 0)
    findings.push({
      kind: 'doubt',
      says: `the bodies of ${cut} of ${exchanges.length} exchanges are not in the report: it would be too large`,
      help: 'Judge fewer rules at once (--rule), or keep less of each body (--keep).',
      exchanges: [],
    });
  return findings;
}

function isUndecoded({ answer }: StoredExchange): boolean {
  return answer?.unreadable?.startsWith('is encoded as') === true;
}

function isCompressedUnasked({ request, answer }: StoredExchange): boolean {
  if (answer?.compressed === undefined || answer.unreadable !== undefined) return false;
  return headerOf(request.headers, 'accept-encoding') === 'identity';
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
