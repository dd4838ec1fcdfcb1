import type { Call } from '../call/call.ts';
import type { CallerEffect } from './scenario.ts';
import { scenarioNamed, scenarioOf } from './scenarios.ts';

type CallerRefusal = Extract<CallerEffect, { kind: 'refused' }>;

/**
 * The refusal of a caller whose credential is valid, if the credential or the request asks for it.
 *
 * @param concerns whether such a refusal applies to the call; otherwise the scenario has no effect
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
