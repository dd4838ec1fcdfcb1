import { suggest, usualRules } from '../contract/index.ts';
import type { Contract, Rule } from '../contract/index.ts';
import { likelyCases, namedCaseHelp } from '../contract/sheet/likely-cases.ts';
import type { ApiSuite } from './api-suite.ts';
import type { Oracle } from './oracle.ts';
import type { Probe } from './scenarios/probe.ts';
import { givenScenarios } from './probes/given-probes.ts';
import type { NotJudged } from './verdicts/report.ts';
import type { Gap } from './verdicts/verdict.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { isOfAUser, judged as prepared, suitesOf } from './suites.ts';
import { TargetError } from './target/target.ts';
import { ruleMatcher } from './verdicts/verdict.ts';

/** A rule of a sheet with the API that it belongs to. */
export interface ApiRule extends Rule {
  readonly api: string;
}

export interface RuleFilter {
  /** Globs of rule ids; none means all. */
  readonly rules?: readonly string[];
  readonly levels?: readonly string[];
  /** Ids of scenarios; by default, all that can judge the rules. */
  readonly scenarios?: readonly string[];
  /** How many random requests each fuzzing scenario may send; default 0: none runs. */
  readonly fuzz?: number | undefined;
  /**
   * How many requests each searching scenario may send; 0: none runs. Default: some if the run covers all
   * rules, 0 if it covers a part of them.
   */
  readonly explore?: number | undefined;
  /** A user's own probes, for rules of their sheets that no template judges. */
  readonly probes?: readonly Probe[] | undefined;
}

export interface RuleSet {
  /** Rules with a verdict for a live server. */
  readonly judged: readonly ApiRule[];
  /** Rules that are recorded only. */
  readonly informative: readonly ApiRule[];
  readonly notJudged: readonly NotJudged[];
  readonly scenarios: readonly Scenario[];
  readonly oracles: readonly Oracle[];
  /** Why rules have no verdict that no scenario and no oracle judges, with any permissions. */
  readonly unjudgeable: ReadonlyMap<string, Gap>;
  readonly suites: readonly ApiSuite[];
  /** What the caller wants and some APIs do not have. */
  readonly unsearched: readonly Unsearched[];
}

/** An option that sends nothing for these APIs, because it needs what they do not have. */
export interface Unsearched {
  readonly option: '--fuzz' | '--explore';
  readonly apis: readonly string[];
}

/** How to fix that no probe, oracle or template judges a rule. */
export const UNJUDGEABLE_HELP =
  'In the sheet, name the policy and the case that the rule is about, or say why it is unobservable. You can also write a probe for the rule.';

/** A pattern matches no rule: with a misspelt pattern, nothing would be tested. */
export class UnknownRuleError extends TargetError {}

/**
 * Checks that each glob matches a rule.
 *
 * @throws {UnknownRuleError} with a similar name, for the first glob that matches no rule of the contracts
 */
export function requireKnownRules(globs: readonly string[], contracts: readonly Contract[]): void {
  const ids = contracts.flatMap((contract) => prepared(contract).sheet?.rules ?? []).map(({ id }) => id);
  for (const glob of globs) {
    if (ids.some(ruleMatcher(glob))) continue;
    const areas = ids.map((id) => id.split('.').slice(0, -1).join('.'));
    const near = suggest(glob, glob.endsWith('*') ? new Set(areas.map((area) => `${area}.*`)) : ids);
    throw new UnknownRuleError(
      `No rule matches ${glob}${near === undefined ? '' : `. Did you mean ${near}?`}`,
    );
  }
}

/**
 * The rules that a run covers, and the scenarios and oracles for them.
 *
 * @throws {UnknownRuleError} when a glob matches no rule, or when no rule for live servers remains
 * @throws {TargetError} for an unusable probe of a user
 */
export function ruleSet(given: readonly Contract[], filter: RuleFilter = {}): RuleSet {
  const contracts = given.map(prepared);
  const suites = suitesOf(contracts);
  const oracles = suites.flatMap((suite) => suite.oracles);
  const scenarios = [
    ...suites.flatMap((suite) => suite.scenarios),
    ...givenScenarios(contracts.filter(isOfAUser), filter.probes ?? []),
  ];
  const fuzzScenarios = suites.flatMap((suite) => suite.fuzzScenarios);
  const explorations = suites.flatMap((suite) => suite.explorations ?? []);
  requireKnownRules(filter.rules ?? [], contracts);
  const matchers = (filter.rules ?? []).map(ruleMatcher);
  const wanted = (rule: ApiRule): boolean =>
    (matchers.length === 0 || matchers.some((matches) => matches(rule.id))) &&
    (filter.levels === undefined || filter.levels.length === 0 || filter.levels.includes(rule.level));
  const all = contracts
    .flatMap(({ name, sheet }) => sheet?.rules.map((rule): ApiRule => ({ ...rule, api: name })) ?? [])
    .filter(wanted);
  const judged = all.filter((rule) => whyNotJudged(rule) === undefined);
  const informative = all.filter((rule) => rule.level === 'info');
  requireSome([...judged, ...informative], all, filter);
  const shown = new Set([...judged, ...informative].map(({ id }) => id));
  const chosenOracles = oracles.filter(({ judges }) => judges.some((id) => shown.has(id)));
  const bySome = new Set(scenarios.flatMap(({ judges }) => judges));
  const byOracle = new Set(oracles.flatMap(({ judges }) => judges));
  const fed = new Set(
    chosenOracles
      .filter(({ judges }) => judges.some((id) => shown.has(id) && !bySome.has(id)))
      .map(({ api }) => api),
  );
  return {
    judged,
    informative,
    notJudged: all.flatMap((rule) => {
      const why = whyNotJudged(rule);
      return why === undefined
        ? []
        : [{ id: rule.id, api: rule.api, level: rule.level, says: rule.says, why }];
    }),
    // An oracle observes the exchanges of others, so a rule that only an oracle judges needs all scenarios.
    scenarios: [
      ...scenarios,
      ...((filter.fuzz ?? 0) > 0 ? fuzzScenarios : []),
      ...(toExplore(filter) > 0 ? explorations : []),
    ].filter(
      ({ id, api, judges }) =>
        filter.scenarios?.includes(id) ?? (fed.has(api) || judges.some((rule) => shown.has(rule))),
    ),
    oracles: chosenOracles,
    unjudgeable: whyUnjudgeable(
      judged.filter(({ id }) => !bySome.has(id) && !byOracle.has(id)),
      given,
    ),
    suites,
    unsearched: unsearchedBy(suites, filter),
  };
}

/** How many requests each searching scenario may send. */
export function toExplore({ explore, rules = [], levels = [] }: RuleFilter): number {
  return explore ?? (rules.length + levels.length === 0 ? MODEST : 0);
}

/** Why a rule cannot be judged on any live server; `undefined` if it can. */
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

// --- internal ---

/** How many requests a search may send by default. */
const MODEST = 100;

function unsearchedBy(suites: readonly ApiSuite[], { fuzz, explore }: RuleFilter): readonly Unsearched[] {
  const without = (isWithout: (suite: ApiSuite) => boolean): readonly string[] =>
    suites.filter(isWithout).map(({ api }) => api);
  const wanted: readonly (readonly [Unsearched['option'], number | undefined, readonly string[]])[] = [
    ['--fuzz', fuzz, without((suite) => suite.fuzzScenarios.length === 0)],
    ['--explore', explore, without((suite) => suite.explorations === undefined)],
  ];
  return wanted.flatMap(([option, count = 0, apis]) =>
    count > 0 && apis.length > 0 ? [{ option, apis }] : [],
  );
}

function whyUnjudgeable(rules: readonly ApiRule[], contracts: readonly Contract[]): ReadonlyMap<string, Gap> {
  const apis = new Set(rules.map(({ api }) => api));
  const usual = new Map(
    contracts
      .filter((contract) => apis.has(contract.name) && isOfAUser(contract))
      .flatMap((contract) =>
        contract.sheet === undefined
          ? []
          : [[contract.name, usualRules({ ...contract, sheet: { ...contract.sheet, rules: [] } })] as const],
      ),
  );
  return new Map(rules.map((rule) => [rule.id, whyUnjudged(rule, usual.get(rule.api) ?? [])]));
}

/** A rule that names no case of its policy is about none of them until it names one. */
function whyUnjudged(rule: ApiRule, usual: readonly Rule[]): Gap {
  const likely = likelyCases(rule, usual);
  return rule.case === undefined && likely.cases.length > 0
    ? {
        verdict: 'not-exercised',
        reason: `the rule names no case of ${rule.policy ?? ''}; in the sheet, ${namedCaseHelp(likely)}`,
      }
    : { verdict: 'error', reason: 'no probe, oracle or template judges this rule' };
}

function requireSome(shown: readonly ApiRule[], all: readonly ApiRule[], filter: RuleFilter): void {
  const isFiltered = (filter.rules ?? []).length + (filter.levels ?? []).length > 0;
  if (!isFiltered || shown.length > 0) return;
  const [first] = all;
  const why = first === undefined ? undefined : whyNotJudged(first);
  throw new UnknownRuleError(
    first === undefined
      ? `No rule has both a chosen name (${(filter.rules ?? []).join(', ')}) and a chosen level (${(filter.levels ?? []).join(', ')})`
      : `No live server is judged by ${first.id}${all.length === 1 ? '' : ` and ${all.length - 1} more`}: ${why ?? ''}`,
  );
}
