import type { Contract } from '../contract/index.ts';
import { curlLine, storeExchange } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import type { Outcome } from './outcome.ts';
import type { ProbePlan } from './plan.ts';
import type { Finding, ObservationResult, Report, RuleResult } from './report.ts';
import type { RuleSet } from './rule-set.ts';
import type { Target } from './target.ts';
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
  const stored = [...record.exchanges]
    .sort((a, b) => a.id.localeCompare(b.id))
    .map((exchange) =>
      storeExchange(exchange, startedAt, {
        masks: target.masks,
        ...(record.keepBytes === undefined ? {} : { keepBytes: record.keepBytes }),
      }),
    );
  const byId = new Map(stored.map((exchange) => [exchange.id, exchange]));
  const checks = groupBy(
    outcomes.flatMap((outcome) => outcome.checks),
    ({ rule }) => rule,
  );
  const results = rules.judged.map((rule): RuleResult => {
    const gaps = outcomes.flatMap((outcome) => outcome.gaps.get(rule.id) ?? []);
    const decided = decide(rule, checks.get(rule.id) ?? [], gaps);
    const first = byId.get(decided.exchanges[0] ?? '');
    const broken = decided.verdict === 'fail' || decided.verdict === 'warn';
    const { id, api, level, says, source } = rule;
    const repeat =
      broken && first !== undefined
        ? {
            replay: `tallystick conform replay report.json ${first.id}`,
            curl: curlLine(first, target.baseUrl.href),
          }
        : undefined;
    return { id, api, level, says, source, ...decided, repeat };
  });
  return {
    schemaVersion: 1,
    tool: { name: 'tallystick', version: record.toolVersion },
    contract: Object.fromEntries(record.contracts.map(({ name, sheet }) => [name, sheet?.contract ?? ''])),
    target: { baseUrl: plan.baseUrl, identity: plan.identity },
    status: record.status,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: record.endedAt - startedAt,
    seed: record.seed,
    allowed: [...target.allowed],
    requests: { sent: record.exchanges.length, billedAtMost: plan.billedAtMost },
    summary: summarise(results),
    findings: [...doubts(record.exchanges), ...record.findings],
    rules: results,
    observations: observationsOf(record),
    notJudged: rules.notJudged,
    exchanges: stored,
  };
}

// --- internal ---

const MOST_SEEN = 20;

function observationsOf({ contracts, rules, outcomes }: RunRecord): readonly ObservationResult[] {
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
      seen: [...new Set(list.map((one) => one.seen))].slice(0, MOST_SEEN),
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
      says: `${refused.length} of ${withCredential.length} calls with the valid credential were answered 401: passes may mean little`,
      help: undefined,
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
