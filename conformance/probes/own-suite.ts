import { courseExplorations } from './courses/index.ts';
import { withEffects } from './document/effects.ts';
import { withNamedThings } from './document/named-things.ts';
import { openingOf } from './document/opening.ts';
import { answerOracle } from './document/answers.ts';
import { occasionScenarios } from './document/occasions.ts';
import { ownWrites } from './document/own-writes.ts';
import { Reads } from './document/reads.ts';
import { refusedChangeScenarios } from './document/refused-changes.ts';
import { refusalScenarios } from './document/refusals.ts';
import { documentRulesOf } from './document/rules.ts';
import { securityScenarios } from './document/security.ts';
import { unknownScenario } from './document/unknown.ts';
import { writeScenarios } from './document/writes.ts';
import { usualRules } from '../../contract/index.ts';
import type { BehaviourSheet, Contract, Rule } from '../../contract/model.ts';
import type { ApiSuite } from '../api-suite.ts';
import { isObject } from '../exchanges/exchange.ts';
import { scenario } from '../scenarios/scenario.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { OwnApi } from './own-api.ts';
import { sendingNothing } from './policies/facts.ts';
import { policyProbes } from './policies/index.ts';
import { statedStock } from './policies/stated-stock.ts';

/** The criteria for a user's own contract. */
export interface OwnSuite {
  /** Includes the rules of its document and the usual ones of its policies, after those of its sheet. */
  readonly contract: Contract;
  readonly suite: ApiSuite;
}

/**
 * Makes probes for a contract without a suite module: from its document, and from the policies of its sheet.
 */
export function ownSuite(contract: Contract): OwnSuite {
  const api = new OwnApi(contract);
  const reads = new Reads(api);
  const preflight = openingOf(api);
  const usual = usualRules(contract);
  const rules = [...(contract.sheet?.rules ?? []), ...usual];
  const policies = policyProbes(api, reads, rules);
  const explorations = courseExplorations({ api, reads, rules });
  const sent = (one: Scenario): Scenario => withEffects(api, withNamedThings(api, one));
  const oracles = [answerOracle(api), ...policies.flatMap(({ oracles = [] }) => oracles)];
  const fromPolicies = policies.flatMap(({ scenarios = [] }) => scenarios);
  const judging = new Set([...oracles, ...fromPolicies].flatMap(({ judges }) => judges));
  const unjudged = usual.filter(({ id }) => !judging.has(id));
  return {
    contract: withRules(contract, [...usual, ...documentRulesOf(api)]),
    suite: {
      api: contract.name,
      fixtures: {},
      lines: {},
      identities: {},
      isError: isObject,
      ...(preflight === undefined ? {} : { preflight }),
      writes: ownWrites(api),
      statesStock: statedStock(api),
      scenarios: [
        unknownScenario(api),
        ...reads.scenarios(),
        ...securityScenarios(api, reads),
        ...writeScenarios(api),
        ...refusalScenarios(api, reads),
        ...refusedChangeScenarios(api),
        ...occasionScenarios(api),
        ...fromPolicies,
        ...unjudged.map((rule) => unjudgedScenario(api, rule)),
      ].map(sent),
      fuzzScenarios: [],
      ...(explorations.length === 0 ? {} : { explorations: explorations.map(sent) }),
      oracles,
    },
  };
}

// --- internal ---

/** A usual rule of a policy that no template judges for this contract: it stays open, and says so. */
function unjudgedScenario({ name }: OwnApi, { id, case: named, policy = '' }: Rule): Scenario {
  return scenario({
    ...{ id: `unjudged.${id}`, api: name, judges: [id] },
    ...sendingNothing(`no template judges the case ${[named ?? ''].flat().join(', ')} of ${policy} here`),
  });
}

function withRules(contract: Contract, added: readonly Rule[]): Contract {
  const { name, version, document, sheet } = contract;
  const own: BehaviourSheet = sheet ?? {
    file: document.file,
    api: name,
    contract: version,
    document: 1,
    policies: [],
    rules: [],
    unspecified: [],
    hash: document.hash,
    locate: () => undefined,
  };
  const rules = [
    ...own.rules,
    ...added.map((rule) => ({ ...rule, source: { ...rule.source, document: own.document } })),
  ];
  const places = new Map(contract.operations.map(({ id, pointer }) => [id, pointer]));
  return {
    ...contract,
    sheet: {
      ...own,
      rules,
      locate: (pointer) => {
        const index = Number(/^\/rules\/(\d+)$/.exec(pointer)?.[1] ?? -1);
        const operation = index < own.rules.length ? undefined : rules[index]?.operation;
        const place = operation === undefined ? undefined : places.get(operation);
        return place === undefined ? own.locate(pointer) : document.locate(place);
      },
    },
  };
}
