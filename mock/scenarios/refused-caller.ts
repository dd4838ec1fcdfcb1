import type { Call } from '../call/call.ts';
import type { CallerEffect } from './scenario.ts';
import { scenarioNamed, scenarioOf } from './scenarios.ts';

type CallerRefusal = Extract<CallerEffect, { kind: 'refused' }>;

/**
 * How the caller is refused although its credential is good, where the credential or the wish of the request says so.
 *
 * @param concerns whether such a refusal has a meaning for the call; elsewhere the scenario does not show
 */
export function refusedCaller(
  { facts }: Call,
  concerns: (refusal: CallerRefusal) => boolean = () => true,
): CallerRefusal | undefined {
  const scenario = scenarioNamed(scenarioOf(facts));
  if (scenario?.caller?.kind !== 'refused' || !concerns(scenario.caller)) return undefined;
  facts.scenario = scenario.name;
  return scenario.caller;
}
