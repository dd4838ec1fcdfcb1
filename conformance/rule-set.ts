import type { Contract, Rule } from '../contract/index.ts';
import { oracles } from './oracles/index.ts';
import { fuzzScenarios, scenarios } from './probes/index.ts';
import type { Oracle } from './oracle.ts';
import type { NotJudged } from './report.ts';
import type { Scenario } from './scenario.ts';
import { ruleMatcher } from './verdict.ts';

/** A rule of a sheet with the API that it belongs to. */
export interface ApiRule extends Rule {
  readonly api: string;
}

export interface RuleFilter {
  /** Globs of rule ids; none means all. */
  readonly rules?: readonly string[];
  readonly levels?: readonly string[];
  /** How many random requests each scenario that fuzzes may send; default 0: none runs. */
  readonly fuzz?: number | undefined;
}

export interface RuleSet {
  /** Rules that a live server gets a verdict for. */
  readonly judged: readonly ApiRule[];
  /** Rules that are recorded only. */
  readonly informative: readonly ApiRule[];
  readonly notJudged: readonly NotJudged[];
  readonly scenarios: readonly Scenario[];
  readonly oracles: readonly Oracle[];
}

/** What of the contracts' rules a run is about, and what can judge it. */
export function ruleSet(contracts: readonly Contract[], filter: RuleFilter = {}): RuleSet {
  const matchers = (filter.rules ?? []).map(ruleMatcher);
  const wanted = (rule: ApiRule): boolean =>
    (matchers.length === 0 || matchers.some((matches) => matches(rule.id))) &&
    (filter.levels === undefined || filter.levels.length === 0 || filter.levels.includes(rule.level));
  const all = contracts
    .flatMap(({ sheet }) => sheet?.rules.map((rule): ApiRule => ({ ...rule, api: sheet.api })) ?? [])
    .filter(wanted);
  const judged = all.filter((rule) => whyNotJudged(rule) === undefined);
  const informative = all.filter((rule) => rule.level === 'info');
  const shown = new Set([...judged, ...informative].map(({ id }) => id));
  const apis = new Set(contracts.map(({ name }) => name));
  const chosenOracles = oracles.filter(
    ({ api, judges }) => apis.has(api) && judges.some((id) => shown.has(id)),
  );
  const fed = new Set(chosenOracles.map(({ api }) => api));
  return {
    judged,
    informative,
    notJudged: all.flatMap((rule) => {
      const why = whyNotJudged(rule);
      return why === undefined
        ? []
        : [{ id: rule.id, api: rule.api, level: rule.level, says: rule.says, why }];
    }),
    // An oracle sees what others send: a rule of it is judged by all scenarios together.
    scenarios: [...scenarios, ...((filter.fuzz ?? 0) > 0 ? fuzzScenarios : [])].filter(
      ({ api, judges }) => apis.has(api) && (fed.has(api) || judges.some((id) => shown.has(id))),
    ),
    oracles: chosenOracles,
  };
}

/** Why no live server can be judged by a rule; `undefined` when one can. */
export function whyNotJudged(rule: Rule): string | undefined {
  if (rule.level === 'info') {
    const how = rule.unobservable === undefined ? 'recorded among the observations' : rule.unobservable;
    return `informative: ${how}`;
  }
  if (rule.level === 'client' || rule.audience === 'client') return 'a rule for clients';
  if (rule.audience === 'document') return 'a rule about the machine-readable document';
  if (rule.unobservable !== undefined) return `not observable from outside: ${rule.unobservable}`;
  return undefined;
}
