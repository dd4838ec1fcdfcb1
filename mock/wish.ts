import type { Behaviour, Call } from './call.ts';
import { readWish, scenarioNamed, type Scenario } from './scenarios.ts';

/** What is remembered of scenarios that are asked for from outside. */
export interface Wishes {
  /** How often a caller has wished for a scenario. */
  readonly wishes: Map<string, number>;
  /** Scenarios that the control API put in the way of the next calls. */
  readonly forced: ForcedScenario[];
}

export interface ForcedScenario {
  readonly name: string;
  /** The scope of the one caller that it is for; everybody when left out. */
  readonly caller?: string;
  /** How many calls pass before it works, and for how many it works then; `null` for all. */
  readonly after: number;
  readonly times: number | null;
  /** Calls that it has met so far. */
  seen: number;
}

/**
 * Scenarios that are asked for from outside: `Prefer: scenario=NAME[;after=N][;times=N]` on the request, or one that the
 * control API put in the way of the next calls. The request's own wish comes first.
 *
 * @param state of the API, read anew for each call: a reset replaces it
 * @param concerns whether a scenario has a meaning for a call; elsewhere it neither shows nor is used up
 */
export function wish(state: () => Wishes, concerns: (call: Call, scenario: Scenario) => boolean): Behaviour {
  return (call, next) => {
    const wanted = wished(state(), call, concerns) ?? forced(state(), call, concerns);
    if (wanted !== undefined) {
      call.facts.scenario = wanted;
      call.note('scenario', wanted);
    }
    return next();
  };
}

// --- internal ---

type Concerns = Parameters<typeof wish>[1];

function wished({ wishes }: Wishes, call: Call, concerns: Concerns): string | undefined {
  const wanted = readWish(call.request.header('prefer'));
  if (wanted === undefined) return undefined;
  const scenario = scenarioNamed(wanted.name);
  if (scenario === undefined || !concerns(call, scenario)) {
    call.note('scenario', `there is no scenario ${wanted.name}${scenario === undefined ? '' : ' here'}`);
    return undefined;
  }
  const counter = `${call.facts.caller?.scope ?? ''}\n${wanted.name}`;
  const earlier = wishes.get(counter) ?? 0;
  wishes.set(counter, earlier + 1);
  return earlier >= wanted.after && earlier < wanted.after + wanted.times ? wanted.name : undefined;
}

function forced({ forced: all }: Wishes, call: Call, concerns: Concerns): string | undefined {
  const scope = call.facts.caller?.scope;
  for (const entry of all) {
    if (entry.caller !== undefined && entry.caller !== scope) continue;
    const scenario = scenarioNamed(entry.name);
    if (scenario === undefined || !concerns(call, scenario)) continue;
    entry.seen += 1;
    const { after, times, seen, name } = entry;
    if (seen > after && seen <= after + (times ?? Infinity)) return name;
  }
  return undefined;
}
