import { cut } from '../exchanges/sketch.ts';
import type { FailureCause, Report, RuleResult } from '../verdicts/report.ts';
import { plural } from './style.ts';

/** The broken rules of a report that no baseline lists, in the order in which people should read them. */
export interface BrokenRules {
  /** Those that break a must first; of each level, those of the first causes. */
  readonly rules: readonly RuleResult[];
  /** Their causes, if these say more than the list of rules: if several rules share one, or one may be explained. */
  readonly causes: readonly FailureCause[];
}

/** @param known ids of the rules that the baseline lists */
export function brokenRules(
  { rules, causes = [] }: Pick<Report, 'rules' | 'causes'>,
  known: ReadonlySet<string>,
): BrokenRules {
  const places = new Map<string, number>();
  for (const [index, cause] of causes.entries())
    for (const id of cause.rules) if (!places.has(id)) places.set(id, index);
  const placeOf = ({ id }: RuleResult): number => places.get(id) ?? causes.length;
  const of = (wanted: RuleResult['verdict']): readonly RuleResult[] =>
    rules
      .filter(({ id, verdict }) => verdict === wanted && !known.has(id))
      .sort((a, b) => placeOf(a) - placeOf(b));
  const open = causes
    .map((cause) => ({ ...cause, rules: cause.rules.filter((id) => !known.has(id)) }))
    .filter((cause) => cause.rules.length > 0);
  const tellsMore = open.some((cause) => cause.rules.length > 1 || cause.help !== undefined);
  return { rules: [...of('fail'), ...of('warn')], causes: tellsMore ? open : [] };
}

/** How much a cause is about, and examples: `12 operations, such as POST /notes (x0012)`. */
export function extentOf(
  { operations, rules, exchanges: shown }: FailureCause,
  exchanges: Report['exchanges'],
): string {
  const [count, what] = operations.length === 0 ? [rules.length, 'rule'] : [operations.length, 'operation'];
  const examples = shown.flatMap((id) => {
    const request = exchanges.find((exchange) => exchange.id === id)?.request;
    return request === undefined ? [] : [`${request.method} ${cut(request.target, 80)} (${id})`];
  });
  return [plural(count, what), ...(examples.length === 0 ? [] : [`such as ${examples.join(', ')}`])].join(
    ', ',
  );
}
