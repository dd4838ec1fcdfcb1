import type { ApiSuite } from '../api-suite.ts';
import { jobs } from './jobs/index.ts';
import { registry } from './registry/index.ts';
import { router } from './router/index.ts';

/** The only list of the built-in APIs, each with all of its suite code. */
export const suites: readonly ApiSuite[] = [router, registry, jobs];

export const preflights = suites.flatMap(({ preflight }) => preflight ?? []);
export const scenarios = suites.flatMap((suite) => suite.scenarios);
export const fuzzScenarios = suites.flatMap((suite) => suite.fuzzScenarios);
/** Searches for violations of rules that the scenarios decide. */
export const explorations = suites.flatMap((suite) => suite.explorations ?? []);
export const oracles = suites.flatMap((suite) => suite.oracles);
export const secrecyRules = suites.flatMap((suite) => suite.secrecyRules ?? []);
