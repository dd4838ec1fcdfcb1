import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { suitesOf } from '../../conformance/suites.ts';

const suites = suitesOf(await Promise.all(ownContractNames.map((name) => loadOwnContract(name))));

/** The scenarios and oracles of the built-in contracts: those of templates, and those of their modules. */
export const scenarios = suites.flatMap((suite) => suite.scenarios);
export const oracles = suites.flatMap((suite) => suite.oracles);
