import { courseOf } from './course.ts';
import { fuzzScenarios, scenarios } from './probes/index.ts';
import type { Report, RuleResult } from './report.ts';
import { runConformance } from './run.ts';
import type { ConformanceOptions } from './run.ts';
import type { Scenario } from './scenario.ts';
import { TargetError } from './target.ts';

/** A rule of a report, judged a second time. */
export interface RuleReplay {
  readonly before: RuleResult;
  readonly now: RuleResult;
  /** The whole second run. */
  readonly report: Report;
}

/**
 * Runs again what showed a rule, with the random choices of the first run. Secrets, fixtures and permissions come from the
 * caller alone: a report may come from anybody.
 *
 * @throws {TargetError} when the report has no such rule, or the options make no run
 */
export async function repeatRule(
  report: Report,
  id: string,
  options: Omit<ConformanceOptions, 'rules' | 'levels' | 'scenarios' | 'seed' | 'fuzz'>,
): Promise<RuleReplay> {
  const before = report.rules.find((rule) => rule.id === id);
  if (before === undefined) throw new TargetError(`The report has no rule ${id}`);
  const shown = scenariosOf(report, before);
  const fuzz = report.settings?.fuzz;
  const again = await runConformance({
    ...options,
    rules: [id],
    seed: report.seed,
    ...(shown.length === 0 ? {} : { scenarios: shown.map((one) => one.id) }),
    ...(fuzz === undefined ? {} : { fuzz }),
  });
  const now = again.rules.find((rule) => rule.id === id);
  if (now === undefined) throw new TargetError(`No live server is judged by ${id}`);
  return { before, now, report: again };
}

/**
 * The scenarios that showed a rule: those that failed, else all that were seen. Empty where only what several scenarios
 * share showed it.
 */
export function scenariosOf(report: Report, rule: RuleResult): readonly Scenario[] {
  const course = courseOf(report.exchanges, rule);
  const ids = new Set(rule.failures?.flatMap(({ exchanges }) => exchanges) ?? rule.exchanges);
  const owners = new Set([
    ...course.map(({ scenario }) => scenario),
    ...report.exchanges.filter((one) => ids.has(one.id)).map(({ scenario }) => scenario),
  ]);
  return [...scenarios, ...fuzzScenarios].filter((one) => owners.has(one.id));
}
