import type { Contract, Rule } from '../../contract/model.ts';
import type { ApiSuite } from '../api-suite.ts';
import { sketchAnswer } from '../exchanges/sketch.ts';
import { BrokenFixture, NotExercised, RefusedFixture } from '../scenarios/scenario.ts';
import type { Permission, RequestPlan, Scenario } from '../scenarios/scenario.ts';
import { Reads } from './document/reads.ts';
import { OwnApi } from './own-api.ts';
import { policyProbes } from './policies/index.ts';

/** A built-in contract's suite: what templates judge of its sheet, and its module. */
export function moduleSuite(contract: Contract, module: ApiSuite): ApiSuite {
  const rules = (contract.sheet?.rules ?? []).flatMap((rule) => byTemplates(rule, module));
  if (rules.length === 0) return module;
  const api = new OwnApi(contract);
  const probes = policyProbes(api, new Reads(api), rules);
  const made = probes.flatMap(({ scenarios = [] }) => scenarios.map((one) => asOfModule(one, module)));
  return {
    ...module,
    // What costs nothing comes first. What an occasion is like is seen by the module before keys are used on it.
    scenarios: [...made.filter(onlyReads), ...module.scenarios, ...made.filter((one) => !onlyReads(one))],
    oracles: [...probes.flatMap(({ oracles = [] }) => oracles), ...module.oracles],
  };
}

// --- internal ---

/**
 * The same scenario with what a module demands of its user: its permissions, its callers, and its fixtures in its own words. Nothing is
 * run that no fixture names. What a read of these contracts asks for wrongly costs nothing and shows nothing, so that it needs no
 * permission.
 */
function asOfModule(scenario: Scenario, { calls = {}, callers = {}, fixtureNames = {} }: ApiSuite): Scenario {
  const plans = Object.values<RequestPlan>(scenario.requests);
  const isRead = onlyReads(scenario);
  const made = plans
    .filter(({ method, isInvalid }) => method !== 'GET' && isInvalid !== true)
    .flatMap(({ operation = '' }) => calls[operation] ?? []);
  const isSlow = scenario.needs.some((need) => need.endsWith('.slow'));
  const permissions = scenario.permissions.flatMap((one): readonly Permission[] => {
    if (one === 'writes')
      return [...made.map(({ permission }) => permission), ...(isSlow ? (['slow'] as const) : [])];
    return one === 'negatives' && isRead ? [] : [one];
  });
  const inOwnWords = (name: string): string => fixtureNames[name] ?? name;
  const needs = [...scenario.needs.map(inOwnWords), ...made.map(({ fixture }) => fixture)];
  return {
    ...scenario,
    requests: Object.fromEntries(
      Object.entries<RequestPlan>(scenario.requests).map(([name, plan]) => [name, calledBy(plan, callers)]),
    ),
    permissions: [...new Set(permissions)],
    needs: [...new Set(needs)],
    alsoTakes: (scenario.alsoTakes ?? []).map(inOwnWords),
    async *run(session) {
      try {
        yield* scenario.run(session);
      } catch (error) {
        if (error instanceof BrokenFixture)
          throw new BrokenFixture(inOwnWords(error.fixture), error.message, error.exchanges);
        // These contracts say what such a call does with that fixture.
        if (error instanceof RefusedFixture)
          throw new BrokenFixture(inOwnWords(error.needs), `it returned ${sketchAnswer(error.refused)}`, [
            error.refused.id,
          ]);
        if (error instanceof NotExercised) throw new NotExercised(inOwnWords(error.needs), error.message);
        throw error;
      }
    },
  };
}

/** A module knows which servers need no credential, where the document says only that some do not. */
function calledBy(
  { credential, ...plan }: RequestPlan,
  callers: NonNullable<ApiSuite['callers']>,
): RequestPlan {
  const as = callers[credential?.as ?? plan.as];
  return as === undefined ? { ...plan, ...(credential && { credential }) } : { ...plan, as };
}

function onlyReads({ requests }: Scenario): boolean {
  return Object.values<RequestPlan>(requests).every(({ method }) => method === 'GET');
}

/** The rule as far as it is about cases that templates judge. */
function byTemplates(rule: Rule, module: ApiSuite): readonly Rule[] {
  const cases = ([rule.case ?? []].flat() as readonly string[]).filter((name) =>
    [rule.policy ?? '', `${rule.policy ?? ''}.${name}`].some((cell) => module.byTemplates?.includes(cell)),
  );
  return cases.length === 0 ? [] : [{ ...rule, case: cases }];
}
