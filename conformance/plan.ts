import type { Choice, Contract } from '../contract/index.ts';
import type { Gate } from './scenarios/gate.ts';
import { controlPlan, isWatched } from './health/acceptance.ts';
import type { TokenSource } from './target/bearer-token.ts';
import { fixtureLineWith } from './target/fixtures-shape.ts';
import type { Fixtures } from './target/fixtures.ts';
import type { GivenHeader } from './target/given-headers.ts';
import { requireKnownRules, ruleSet, toExplore } from './rule-set.ts';
import type { RuleFilter, RuleSet, Unsearched } from './rule-set.ts';
import { mayBill, sum, timesOf } from './scenarios/billing.ts';
import type { RandomCounts } from './scenarios/billing.ts';
import { closeScenarios, leftOutOf, needsOf, sentBy, tries } from './scenarios/gates.ts';
import type { ScenarioLimits, ScenarioState } from './scenarios/gates.ts';
import type { Preflight } from './scenarios/preflight.ts';
import { preflightsOf } from './suites.ts';
import { decidedBy } from './scenarios/scenario.ts';
import type { Permission, RequestPlan, RequestPlans, Resource, Scenario } from './scenarios/scenario.ts';
import { TargetError, isMet, makeTarget } from './target/target.ts';
import type { Credential, Target } from './target/target.ts';
import type { Gap } from './verdicts/verdict.ts';
import { withheldGap } from './writes/withheld.ts';

/** The input of a plan: contracts, target, permissions and filters. */
export interface PlanOptions extends RuleFilter, ScenarioLimits, Choice {
  readonly contracts: readonly Contract[];
  /** Default: that of the fixtures. */
  readonly baseUrl?: string | undefined;
  /** Default: `cred.valid` of the fixtures. */
  readonly credential?: Credential | undefined;
  /** A bearer token that is renewed during the run; it replaces bearer tokens of the fixtures. */
  readonly token?: TokenSource | undefined;
  readonly fixtures?: Fixtures | undefined;
  /** Headers to send with every request; reports do not contain their values. */
  readonly headers?: readonly GivenHeader[] | undefined;
  /** Permissions beyond reads and beyond calls without a usable credential. */
  readonly allow?: readonly Permission[];
  /** The time limit of a read, in milliseconds; a run always waits for the server's deadline. */
  readonly timeoutMs?: number | undefined;
  /** The requirements beyond verdicts; they become part of the report. */
  readonly gate?: Gate | undefined;
}

/** A request that a run would send. */
export interface PlannedRequest extends RequestPlan {
  readonly api: string;
  /** The scenario or resource that sends it. */
  readonly for: string;
  /** A POST with a usable credential: a faulty server might run it even if a conforming one refuses it. */
  readonly mayBill: boolean;
  /**
   * A body of a write to an API of a user's own, as text. Others differ from it: each has names and ids of its own, and a
   * request that violates the document differs in more.
   */
  readonly body?: string;
}

export interface PlannedScenario {
  readonly id: string;
  readonly api: string;
  readonly title: string;
  readonly rules: readonly string[];
  /** Absent when it will run. */
  readonly closed: Gap | undefined;
}

/** The requests and rules of a run. */
export interface ProbePlan {
  readonly baseUrl: string;
  readonly identity: string;
  readonly scenarios: readonly PlannedScenario[];
  /** For the scenarios that will run, the preflight first. */
  readonly requests: readonly PlannedRequest[];
  /** Without repetitions of reads after a 429, a 503 or a network failure. */
  readonly requestsAtMost: number;
  readonly billedAtMost: number;
  /** Whether calls cost something, by the contracts. */
  readonly isBilled: boolean;
  /** Rules with a scenario that will run, or that only an oracle judges. */
  readonly rulesOpen: readonly string[];
  /** The other rules, with the fixtures or permissions that they lack. */
  readonly rulesClosed: readonly { readonly rule: string; readonly gap: Gap }[];
  /** Operations that are not called because they may change what the run did not make, with the line that allows each. */
  readonly withheld: readonly {
    readonly api: string;
    readonly operation: string;
    /** Method and path. */
    readonly request: string;
    readonly reason: string;
    readonly line: string;
  }[];
  /** The options that send nothing for some APIs. */
  readonly unsearched: readonly Unsearched[];
  /** Fixtures that would enable further rules, with the line to add; those for most rules first. */
  readonly missing: readonly {
    readonly need: string;
    readonly line: string | undefined;
    readonly rules: readonly string[];
  }[];
}

/** Plans a run with these options, without sending anything. */
export function planConformance(options: PlanOptions): ProbePlan {
  const target = makeTarget(options.contracts, options);
  const rules = rulesFor(options.contracts, options);
  const plan = planFor(target, rules, { ...options, explore: toExplore(options) });
  requirePatience(target, plan, options.timeoutMs);
  return plan;
}

/** @throws {UnknownRuleError} when a pattern of the options matches no rule */
export function rulesFor(
  contracts: readonly Contract[],
  options: RuleFilter & Pick<PlanOptions, 'gate'>,
): RuleSet {
  requireKnownRules(options.gate?.require ?? [], contracts);
  return ruleSet(contracts, options);
}

export function planFor(
  target: Target,
  rules: RuleSet,
  options: Pick<PlanOptions, 'maxRuns' | 'shard' | 'retries' | 'fuzz' | 'explore'>,
): ProbePlan {
  const planned = closeScenarios(target, rules.scenarios, options);
  const open = planned.filter(({ closed }) => closed === undefined);
  const requests = requestsOf(
    open.map(({ scenario }) => ({
      ...scenario,
      requests: sentBy(scenario.api, scenario.requests, target),
    })),
    rules,
    target,
    options,
  );
  const bySome = new Set(rules.scenarios.flatMap(decidedBy));
  const unasked = rulesLeftOut(target, rules);
  const rulesOpen = new Set([
    ...open.flatMap(({ scenario }) => decidedBy(scenario)),
    // A rule in `alsoJudges` is exercised by that scenario at least.
    ...rules.oracles.flatMap(({ judges }) => judges).filter((id) => !bySome.has(id) && !unasked.has(id)),
  ]);
  const rulesClosed = rules.judged
    .filter(({ id }) => !rulesOpen.has(id))
    .map(({ id }) => ({ rule: id, gap: unasked.get(id) ?? rules.unjudgeable.get(id) ?? gapOf(id, planned) }));
  return {
    baseUrl: target.baseUrl.href.replace(/\/$/, ''),
    identity: target.identity,
    scenarios: planned.map(({ scenario: { id, api, title, judges }, closed }) => ({
      id,
      api,
      title,
      rules: judges,
      closed,
    })),
    requests,
    // Where the document has no credential, the server is asked first whether it wants one.
    requestsAtMost: sum(
      requests.map(({ times, as, credential }) =>
        credential?.sent === 'if-wanted' && as !== 'none' ? times + 1 : times,
      ),
    ),
    billedAtMost: sum(requests.filter(({ mayBill }) => mayBill).map(({ times }) => times)),
    isBilled: target.isBilled,
    rulesOpen: rules.judged.map(({ id }) => id).filter((id) => rulesOpen.has(id)),
    rulesClosed,
    withheld: withheldOf(target, rules.scenarios),
    unsearched: rules.unsearched,
    missing: missingFixtures(target, rules, planned),
  };
}

/**
 * A run that the suite abandons is charged anyway, and its key stays in flight.
 *
 * @throws {TargetError} when the time limit would abandon runs before the server's deadline
 */
export function requirePatience(target: Target, plan: ProbePlan, timeoutMs: number | undefined): void {
  if (timeoutMs === undefined || timeoutMs >= target.deadlineMs || plan.billedAtMost === 0) return;
  if (!target.isDeadlineStated) return;
  throw new TargetError(
    `The timeout of ${timeoutMs / 1000} s is shorter than the server's deadline of ${target.deadlineMs / 1000} s: ` +
      'runs would be charged and their responses discarded. Increase --timeout, set deadlineMs in the fixtures file, ' +
      'or do not allow runs',
  );
}

/** The rules about operations that the user left out. */
export function rulesLeftOut(target: Target, { judged }: Pick<RuleSet, 'judged'>): ReadonlyMap<string, Gap> {
  return new Map(
    judged.flatMap(({ id, api, operation }) => {
      const gap = operation === undefined ? undefined : target.leftOut.operation(api, operation);
      return gap === undefined ? [] : [[id, gap] as const];
    }),
  );
}

// --- internal ---

function withheldOf({ fixtures }: Target, scenarios: readonly Scenario[]): ProbePlan['withheld'] {
  const found = new Map<string, ProbePlan['withheld'][number]>();
  for (const { api, requests } of scenarios)
    for (const plan of Object.values<RequestPlan>(requests)) {
      const { operation = '', method, target, effect } = plan;
      const { fixtureLine: line = '' } = withheldGap(fixtures, plan) ?? {};
      if (line === '' || effect?.kind !== 'unclear') continue;
      const request = `${method} ${target.replace('{?query}', '')}`;
      found.set(`${api} ${operation}`, { api, operation, request, reason: effect.why, line });
    }
  return [...found.values()];
}

/** The gap of a rule's scenarios that is easiest to close. */
function gapOf(rule: string, planned: readonly ScenarioState[]): Gap {
  const gaps = planned
    .filter(({ scenario }) => decidedBy(scenario).includes(rule))
    .map(({ closed }) => closed);
  const [gap] = gaps.filter((one) => one !== undefined).sort((a, b) => (a.lacks ?? 1) - (b.lacks ?? 1));
  return gap ?? { verdict: 'error', reason: 'no scenario judges this rule' };
}

function requestsOf(
  open: readonly Scenario[],
  { suites }: RuleSet,
  target: Target,
  options: Pick<PlanOptions, 'retries' | 'fuzz' | 'explore'>,
): readonly PlannedRequest[] {
  const preflights = preflightsOf(suites, target);
  const planned: PlannedRequest[] = [];
  const bodies = new Map<string, string | undefined>();
  const bodyOf = (api: string, { operation = '', method }: RequestPlan): string | undefined => {
    if (method === 'GET') return undefined;
    const key = `${api} ${operation}`;
    if (!bodies.has(key))
      bodies.set(key, suites.find((suite) => suite.api === api)?.writes?.bodyOf(operation, target.fixtures));
    return bodies.get(key);
  };
  const seen = new Set<string>();
  const add = (api: string, owner: string, requests: RequestPlans, factor = 1): void => {
    if (seen.has(owner)) return;
    seen.add(owner);
    for (const request of Object.values(requests)) {
      const times = timesOf(request, options) * factor;
      if (times === 0) continue;
      const body = bodyOf(api, request);
      const known = body === undefined ? {} : { body };
      planned.push({ ...request, times, api, for: owner, mayBill: mayBill(request), ...known });
    }
  };
  const addResource = (used: Resource<unknown>): void => {
    used.uses.forEach(addResource);
    add(used.api, used.id, sentBy(used.api, used.requests, target));
  };
  for (const { api, id, requests } of preflights)
    if (open.some((one) => one.api === api)) add(api, id, sentBy(api, requests, target));
  const apis = open.map(({ api }) => api);
  for (const [key, control] of controlsOf(open, apis, preflights, target))
    add(control.api, `server.control ${key}`, { control });
  for (const one of open) {
    one.uses.forEach(addResource);
    add(one.api, one.id, one.requests, tries(one, options.retries));
    const removals = sentBy(one.api, takenBack(one, suites, options), target);
    add(one.api, `${one.id}, taken back`, removals, tries(one, options.retries));
  }
  return planned;
}

/** The reads that may show whether a credential is accepted, one for each credential and API. */
function controlsOf(
  open: readonly Scenario[],
  apis: readonly string[],
  preflights: readonly Preflight[],
  { credentials }: Target,
): ReadonlyMap<string, RequestPlan & { readonly api: string }> {
  const controls = new Map<string, RequestPlan & { readonly api: string }>();
  for (const { api, requests } of open)
    for (const { as } of Object.values(requests)) {
      const credential = credentials[as];
      const control = isWatched(as)
        ? controlPlan(preflights, { api, as, served: apis, credential })
        : undefined;
      if (control !== undefined) controls.set(`${control.api} ${as}`, control);
    }
  return controls;
}

function missingFixtures(
  target: Target,
  rules: RuleSet,
  planned: readonly ScenarioState[],
): ProbePlan['missing'] {
  const judged = new Set(rules.judged.map(({ id }) => id));
  const byNeed = new Map<string, Set<string>>();
  for (const { scenario } of planned.filter(
    (one) => !one.scenario.isSearch && leftOutOf(target, one.scenario) === undefined,
  )) {
    for (const need of needsOf(scenario, target).filter(
      (candidate) => !isMet(target, scenario.api, candidate),
    )) {
      const opened = byNeed.get(need) ?? new Set<string>();
      for (const rule of decidedBy(scenario)) if (judged.has(rule)) opened.add(rule);
      byNeed.set(need, opened);
    }
  }
  return [...byNeed]
    .map(([need, opened]) => ({ need, line: fixtureLineWith(target.examples, [need]), rules: [...opened] }))
    .sort((a, b) => b.rules.length - a.rules.length);
}

/** The requests that remove what those of a scenario make. */
function takenBack(
  { api, requests }: Scenario,
  suites: RuleSet['suites'],
  options: RandomCounts,
): RequestPlans {
  const writes = suites.find((suite) => suite.api === api)?.writes;
  return Object.fromEntries(
    Object.entries<RequestPlan>(requests).flatMap(([name, plan]) => {
      const { operation = '' } =
        plan.operation === undefined ? (writes?.callOf?.(plan, {}, () => undefined)?.plan ?? {}) : plan;
      return (writes?.removalsOf(operation) ?? []).map(
        (removal, index) =>
          [
            `${name} ${index}`,
            { ...removal, times: timesOf(plan, options), takesBack: true as const },
          ] as const,
      );
    }),
  );
}
