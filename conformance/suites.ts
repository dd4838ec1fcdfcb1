import type { Contract } from '../contract/index.ts';
import type { ApiSuite } from './api-suite.ts';
import { isBuiltIn } from './apis/declared.ts';
import { suites as builtIn } from './apis/index.ts';
import type { RequestPlan } from './scenarios/scenario.ts';
import type { Preflight } from './scenarios/preflight.ts';
import { moduleSuite } from './probes/module-suite.ts';
import { ownSuite } from './probes/own-suite.ts';
import type { OwnSuite } from './probes/own-suite.ts';
import type { Target } from './target/target.ts';

/**
 * The contract with all rules that a server is judged by. A user's own contract gets the rules of its
 * document, and those of policies for which its sheet has no rules.
 */
export function judged(contract: Contract): Contract {
  return ownSuiteOf(contract)?.contract ?? contract;
}

/** The suite's code for these APIs: built-in modules after their templates, and suites that are made from users' contracts. */
export function suitesOf(contracts: readonly Contract[]): readonly ApiSuite[] {
  return [
    ...builtIn.flatMap((module) => {
      const contract = contracts.find(({ name }) => name === module.api);
      return contract === undefined ? [] : [builtInSuiteOf(contract, module)];
    }),
    ...contracts.flatMap((contract) => ownSuiteOf(contract)?.suite ?? []),
  ];
}

/** Whether the suite has no module for it. */
export function isOfAUser({ name }: Contract): boolean {
  return !isBuiltIn(name);
}

/** Whether a request may be one that takes back what a run made: the user may have got the report from elsewhere. */
export function mayTakeBack(api: string, request: Pick<RequestPlan, 'method' | 'target'>): boolean {
  const isRemoval = builtIn.find((suite) => suite.api === api)?.writes?.isRemoval;
  return isRemoval === undefined ? request.method === 'DELETE' : isRemoval(request);
}

/** The first requests to each API, without those to operations that the user left out or that are at another server. */
export function preflightsOf(
  suites: readonly ApiSuite[],
  { leftOut, serves }: Pick<Target, 'leftOut' | 'serves'>,
): readonly Preflight[] {
  return suites.flatMap(({ preflight }) => {
    const sent = Object.entries(preflight?.requests ?? {}).filter(
      ([, plan]) => serves(plan.server) && leftOut.planned(preflight?.api ?? '', plan) === undefined,
    );
    return preflight === undefined || sent.length === 0
      ? []
      : [{ ...preflight, requests: Object.fromEntries(sent) }];
  });
}

// --- internal ---

const made = new WeakMap<Contract, OwnSuite>();
const ofModules = new WeakMap<Contract, ApiSuite>();

/** Made once for each contract. */
function builtInSuiteOf(contract: Contract, module: ApiSuite): ApiSuite {
  const known = ofModules.get(contract);
  if (known !== undefined) return known;
  const suite = moduleSuite(contract, module);
  ofModules.set(contract, suite);
  return suite;
}

/** Made once for each contract; `undefined` for an API with a built-in module. */
function ownSuiteOf(contract: Contract): OwnSuite | undefined {
  if (!isOfAUser(contract)) return undefined;
  const known = made.get(contract);
  if (known !== undefined) return known;
  const suite = ownSuite(contract);
  made.set(contract, suite);
  made.set(suite.contract, suite);
  return suite;
}
