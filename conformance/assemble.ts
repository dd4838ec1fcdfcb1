import type { Contract } from '../contract/index.ts';
import { curlLine, masker, storeExchange } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import type { Outcome } from './outcome.ts';
import type { ProbePlan } from './plan.ts';
import type { Finding, ObservationResult, Report, RuleResult } from './report.ts';
import type { RuleSet } from './rule-set.ts';
import type { Target } from './target.ts';
import { replayCommand } from './typed-command.ts';
import { decide, summarise } from './verdict.ts';

/** All that a run has come to know. */
export interface RunRecord {
  readonly target: Target;
  readonly rules: RuleSet;
  readonly contracts: readonly Contract[];
  readonly plan: ProbePlan;
  readonly status: Report['status'];
  readonly outcomes: readonly Outcome[];
  readonly exchanges: readonly Exchange[];
  readonly findings: readonly Finding[];
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
  const repeated = new Set(decisions.filter(isBroken).map(({ exchanges }) => exchanges[0]));
  const stored = [...record.exchanges]
    .sort((a, b) => a.id.localeCompare(b.id))
    .map((exchange) =>
      storeExchange(exchange, startedAt, {
        masks: target.masks,
        ...(record.keepBytes === undefined ? {} : { keepBytes: record.keepBytes }),
        ...(repeated.has(exchange.id) ? { keepSentBytes: KEEP_REPEATED_BYTES } : {}),
      }),
    );
  const places = placesOf(record.contracts);
  const byId = new Map(stored.map((exchange) => [exchange.id, exchange]));
  const results = decisions.map(({ rule, ...decided }): RuleResult => {
    const first = byId.get(decided.exchanges[0] ?? '');
    const { id, api, level, says, source } = rule;
    const sheet = places.get(id);
    const repeat =
      isBroken(decided) && first !== undefined
        ? {
            replay: replayCommand('report.json', first.id),
            curl: curlLine(first, target.baseOf(first.api).href),
          }
        : undefined;
    // What was seen is told in words of the server, and a server may echo what it was sent.
    const told = {
      reason: decided.reason === undefined ? undefined : hide(decided.reason),
      expected: decided.expected === undefined ? undefined : hide(decided.expected),
      observed: decided.observed === undefined ? undefined : hide(decided.observed),
    };
    return {
      id,
      api,
      level,
      says,
      source,
      ...(sheet === undefined ? {} : { sheet }),
      ...decided,
      ...told,
      repeat,
    };
  });
  const findings = [...doubts(record.exchanges), ...record.findings];
  return {
    schemaVersion: 1,
    tool: { name: 'tallystick', version: record.toolVersion },
    contract: Object.fromEntries(record.contracts.map(({ name, sheet }) => [name, sheet?.contract ?? ''])),
    target: {
      baseUrl: plan.baseUrl,
      identity: plan.identity,
      origins: Object.fromEntries(
        record.contracts.map(({ name }) => [name, target.baseOf(name).origin] as const),
      ),
    },
    status: record.status,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: record.endedAt - startedAt,
    seed: record.seed,
    allowed: [...target.allowed],
    requests: { sent: record.exchanges.length, billedAtMost: plan.billedAtMost },
    summary: summarise(results),
    findings: findings.map((finding) => ({ ...finding, says: hide(finding.says) })),
    rules: results,
    observations: observationsOf(record, hide),
    notJudged: rules.notJudged,
    exchanges: stored,
  };
}

// --- internal ---

const MOST_SEEN = 20;

/** So much of a request stands in the report when it is what a broken rule asks to be repeated. */
const KEEP_REPEATED_BYTES = 65_536;

function isBroken({ verdict }: Pick<RuleResult, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/** Where each rule stands in its sheet. */
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

/** What can make a pass meaningless stands first. */
function doubts(exchanges: readonly Exchange[]): readonly Finding[] {
  const withCredential = exchanges.filter(
    ({ request, answer }) => request.as === 'valid' && answer !== undefined,
  );
  const refused = withCredential.filter(({ status }) => status === 401);
  if (refused.length === 0 || refused.length * 4 < withCredential.length) return [];
  return [
    {
      kind: 'doubt',
      says: `${refused.length} of ${withCredential.length} calls with the valid credential returned 401, so that passed rules prove little`,
      help: 'Check that the credential may call every API of the run.',
      exchanges: refused.slice(0, 5).map(({ id }) => id),
    },
  ];
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
