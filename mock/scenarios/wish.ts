import type { Behaviour, Call } from '../call/call.ts';
import type { Clock } from '../state/clock.ts';
import type { ScenarioSteering } from './forced-scenarios.ts';
import { readWish, scenarioNamed, scenarioOfKey } from './scenarios.ts';
import type { MockScenario } from './scenario.ts';
import { passWith } from './wire-scenarios.ts';
import { workOf } from './work-scenarios.ts';

/** What is remembered of scenarios that are asked for from outside. */
export interface Wishes {
  /** How often a caller has wished for a scenario. */
  readonly wishes: Map<string, number>;
}

/**
 * Scenarios that are asked for from outside: `Prefer: scenario=NAME[;after=N][;times=N]` on the request, or one that the
 * control API put in the way of the next calls. The request's own wish comes first. What happens to a call on its way,
 * such as a cut connection, happens here; the credential can ask for that too.
 *
 * @param state of the API, asked for with each call: a reset replaces it
 * @param concerns whether a scenario has a meaning for a call; elsewhere it neither shows nor is used up
 */
export function wish(
  state: () => Wishes,
  concerns: (call: Call, scenario: MockScenario) => boolean,
  { clock, steering }: { readonly clock: Clock; readonly steering: ScenarioSteering },
): Behaviour {
  const matters = (call: Call, scenario: MockScenario): boolean =>
    scenario.wire !== undefined || concerns(call, scenario);
  return (call, next) => {
    const wanted =
      wished(state(), call, matters) ??
      forced(steering, call, matters) ??
      onTheWay(call.facts.caller?.scenario);
    if (wanted === undefined) return next();
    call.facts.scenario = wanted.name;
    call.note('scenario', wanted.name);
    const scenario = scenarioNamed(wanted.name);
    const work = scenario === undefined ? undefined : workOf(scenario, wanted.ms);
    if (work !== undefined) call.facts.work = work;
    const effect = scenario?.wire;
    return effect === undefined ? next() : passWith(effect, wanted.ms, clock, [call, next]);
  };
}

/** How often something was wished for before; this time counts. Of very many wishes the oldest are forgotten. */
export function countWish(wishes: Wishes['wishes'], counter: string): number {
  const earlier = wishes.get(counter) ?? 0;
  if (earlier === 0 && wishes.size >= MOST_WISHES)
    for (const oldest of [...wishes.keys()].slice(0, MOST_WISHES / 2)) wishes.delete(oldest);
  wishes.set(counter, earlier + 1);
  return earlier;
}

// --- internal ---

const MOST_WISHES = 10_000;

type Concerns = Parameters<typeof wish>[1];

interface Wanted {
  readonly name: string;
  readonly ms?: number;
}

function onTheWay(key = ''): Wanted | undefined {
  const { scenario, ms } = scenarioOfKey(key) ?? {};
  if (scenario?.wire === undefined) return undefined;
  return { name: scenario.name, ...(ms === undefined ? {} : { ms }) };
}

function wished({ wishes }: Wishes, call: Call, concerns: Concerns): Wanted | undefined {
  const wanted = readWish(call.request.header('prefer'));
  if (wanted === undefined) return undefined;
  const scenario = scenarioNamed(wanted.name);
  if (scenario === undefined || !concerns(call, scenario)) {
    call.note('scenario', `there is no scenario ${wanted.name}${scenario === undefined ? '' : ' here'}`);
    return undefined;
  }
  for (const problem of wanted.problems) call.note('scenario', problem);
  const counter = `${call.facts.caller?.scope ?? ''}\n${wanted.name}`;
  const earlier = countWish(wishes, counter);
  return earlier >= wanted.after && earlier < wanted.after + wanted.times ? wanted : undefined;
}

function forced(steering: ScenarioSteering, call: Call, concerns: Concerns): Wanted | undefined {
  const scope = call.facts.caller?.scope;
  for (const entry of steering.forced()) {
    if (entry.caller !== undefined && entry.caller !== scope) continue;
    const scenario = scenarioNamed(entry.name);
    if (scenario === undefined || !concerns(call, scenario)) continue;
    entry.seen += 1;
    const { after, times, seen } = entry;
    if (seen > after && seen <= after + (times ?? Infinity)) return entry;
  }
  return undefined;
}
