import type { Contract, Rule } from '../../contract/model.ts';
import type { ApiSuite } from '../api-suite.ts';
import type { RequestPlan, Scenario } from '../scenarios/scenario.ts';
import { Reads } from './document/reads.ts';
import { OwnApi } from './own-api.ts';
import { policyProbes } from './policies/index.ts';

/** A built-in contract's suite: what templates judge of its sheet, and then its module. */
export function moduleSuite(contract: Contract, module: ApiSuite): ApiSuite {
  const rules = (contract.sheet?.rules ?? []).flatMap((rule) => byTemplates(rule, module));
  if (rules.length === 0) return module;
  const api = new OwnApi(contract);
  const probes = policyProbes(api, new Reads(api), rules);
  return {
    ...module,
    scenarios: [
      ...probes.flatMap(({ scenarios = [] }) => scenarios.map(withOwnPermissions)),
      ...module.scenarios,
    ],
    oracles: [...probes.flatMap(({ oracles = [] }) => oracles), ...module.oracles],
  };
}

// --- internal ---

/** What a read of these contracts asks for wrongly costs nothing and shows nothing, so that it needs no permission. */
function withOwnPermissions(scenario: Scenario): Scenario {
  const isRead = Object.values<RequestPlan>(scenario.requests).every(({ method }) => method === 'GET');
  return isRead
    ? { ...scenario, permissions: scenario.permissions.filter((one) => one !== 'negatives') }
    : scenario;
}

/** The rule as far as it is about cases that templates judge. */
function byTemplates(rule: Rule, module: ApiSuite): readonly Rule[] {
  const cases = ([rule.case ?? []].flat() as readonly string[]).filter((name) =>
    module.byTemplates?.includes(`${rule.policy ?? ''}.${name}`),
  );
  return cases.length === 0 ? [] : [{ ...rule, case: cases }];
}
