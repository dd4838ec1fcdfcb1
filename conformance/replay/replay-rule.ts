import { loadOwnContract } from '../../contract/index.ts';
import { isByTemplate, scenariosOf } from '../exchanges/course.ts';
import type { Report, RuleResult } from '../verdicts/report.ts';
import { runConformance } from '../run.ts';
import type { ConformanceOptions } from '../run-options.ts';
import { isOfAUser, suitesOf } from '../suites.ts';
import { TargetError } from '../target/target.ts';

/** A rule of a report, judged a second time. */
export interface RuleReplay {
  readonly before: RuleResult;
  readonly now: RuleResult;
  /** The whole second run. */
  readonly report: Report;
}

/**
 * Repeats the scenario that showed a rule, with the random choices of the first run. Secrets, fixtures and
 * permissions come only from the caller, because a report is untrusted.
 *
 * @throws {TargetError} when the report has no such rule, or the options are not valid for a run
 */
export async function repeatRule(
  report: Report,
  id: string,
  options: Omit<ConformanceOptions, 'rules' | 'levels' | 'scenarios' | 'seed' | 'fuzz' | 'explore'>,
): Promise<RuleReplay> {
  const before = report.rules.find((rule) => rule.id === id);
  if (before === undefined) throw new TargetError(`The report has no rule ${id}`);
  const contracts = options.contracts ?? [await loadOwnContract('router')];
  const own = suitesOf(contracts.filter((contract) => !isOfAUser(contract)));
  const made = own.flatMap(({ scenarios }) => scenarios).filter(({ id: name }) => isByTemplate(name));
  const shown = scenariosOf(report.exchanges, before, made);
  const { fuzz, explore, only, except } = report.settings ?? {};
  const again = await runConformance({
    // Of the report, because they can only make the run smaller; those of the caller come first.
    ...(only === undefined ? {} : { only }),
    ...(except === undefined ? {} : { except }),
    ...options,
    rules: [id],
    seed: report.seed,
    ...(shown.length === 0 ? {} : { scenarios: shown.map((one) => one.id) }),
    ...(fuzz === undefined ? {} : { fuzz }),
    ...(explore === undefined ? {} : { explore }),
  });
  const now = again.rules.find((rule) => rule.id === id);
  if (now === undefined) throw new TargetError(`No live server is judged by ${id}`);
  return { before, now, report: again };
}
