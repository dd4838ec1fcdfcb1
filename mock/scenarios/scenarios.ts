import { apiScenarios } from '../apis/scenarios.ts';
import type { CallNotes } from '../call/call.ts';
import type { MockScenario } from './scenario.ts';
import { durationInWords, wireScenarios } from './wire-scenarios.ts';
import { workScenarios } from './work-scenarios.ts';

/** The one table of magic values: model ids, keys and names for `Prefer`. */
export const scenarios: readonly MockScenario[] = [...apiScenarios, ...wireScenarios, ...workScenarios];

export function scenarioNamed(name: string): MockScenario | undefined {
  return byName.get(name);
}

/** The scenario of a call: its own, else that of its credential; empty for none. */
export function scenarioOf({ scenario, caller }: CallNotes): string {
  return scenario ?? caller?.scenario ?? '';
}

/**
 * The scenario of a key, with the duration if the key contains one: `latency-1500` selects `latency` with
 * 1500 milliseconds.
 */
export function scenarioOfKey(
  name: string,
): { readonly scenario: MockScenario; readonly ms?: number } | undefined {
  const known = scenarioNamed(name);
  if (known !== undefined) return { scenario: known };
  const [, base = '', digits] = /^([a-z-]+)-(\d{1,9})$/.exec(name) ?? [];
  const scenario = scenarioNamed(base);
  return scenario?.ms === undefined || durationProblem(scenario, Number(digits)) !== undefined
    ? undefined
    : { scenario, ms: Number(digits) };
}

/** Why a scenario cannot have this duration, for people; `undefined` if it can. */
export function durationProblem({ name, ms }: MockScenario, wanted: unknown): string | undefined {
  if (ms === undefined) {
    const able = scenarios.filter((scenario) => scenario.ms !== undefined).map((scenario) => scenario.name);
    return `"ms" says how long, which ${name} does not take. It is for ${able.join(', ')}.`;
  }
  const isGood = Number.isInteger(wanted) && Number(wanted) >= ms.least && Number(wanted) <= ms.most;
  return isGood ? undefined : `"ms" of ${name} is ${durationInWords(ms)}, not ${String(wanted)}.`;
}

/** The wish in `Prefer: scenario=NAME[;after=N][;times=N][;ms=N]`. */
interface ScenarioRequest {
  readonly name: string;
  /** How many calls pass first. */
  readonly after: number;
  /** How many calls it then applies to. */
  readonly times: number;
  /** The duration, if it can be chosen, in milliseconds. */
  readonly ms?: number;
  /** The parts that could not be parsed and are ignored, for people. */
  readonly problems: readonly string[];
}

/** Parses the wish in a `Prefer` header; other preferences are ignored. */
export function readScenarioRequest(prefer: string | undefined): ScenarioRequest | undefined {
  if (prefer === undefined) return undefined;
  for (const preference of prefer.split(',')) {
    const [first = '', ...parameters] = preference.split(';').map((part) => part.trim());
    const name = /^scenario="?([a-z0-9-]{1,64})"?$/i.exec(first)?.[1]?.toLowerCase();
    if (name === undefined) continue;
    const counts: { after?: number; times?: number; ms?: number } = {};
    const problems: string[] = [];
    for (const parameter of parameters) {
      const [, key, text = ''] = /^(after|times|ms)="?([^"]*)"?$/i.exec(parameter) ?? [];
      const count = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
      const scenario = scenarioNamed(name);
      const problem =
        key?.toLowerCase() === 'ms' && scenario !== undefined
          ? durationProblem(scenario, count ?? text.slice(0, 40))
          : undefined;
      if (problem !== undefined) problems.push(problem);
      else if (key === undefined || count === undefined)
        problems.push(`${parameter.slice(0, 40)} is not one of after=N, times=N and ms=N.`);
      else counts[key.toLowerCase() as keyof typeof counts] = count;
    }
    const { after = 0, times = Infinity, ms } = counts;
    return { name, after, times, ...(ms === undefined ? {} : { ms }), problems };
  }
  return undefined;
}

// --- internal ---

const byName = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
