import { suggest } from '../contract/index.ts';
import type { ScenarioToForce } from './control-shape.ts';
import { durationProblem, scenarioNamed, scenarios } from './scenarios.ts';

/** A scenario that stands in the way of the next calls. */
export interface ForcedScenario {
  readonly name: string;
  /** The scope of the one caller that it is for; everybody when left out. */
  readonly caller?: string;
  /** How many calls pass before it works, and for how many it works then; `null` for all. */
  readonly after: number;
  readonly times: number | null;
  /** How long, where that can be said, in milliseconds. */
  readonly ms?: number;
  /** Calls that it has met so far. */
  seen: number;
}

/** Scenarios for the next calls, of any API, whoever makes them. */
export interface ScenarioSteering {
  /**
   * Lets a scenario work: on the next call when nothing else is said.
   *
   * @throws {RangeError} for a name or a number that there is not
   */
  force(wanted: ScenarioToForce): void;
  forced(): readonly ForcedScenario[];
  /** Takes one of them back, or all. */
  clear(name?: string): void;
}

/** The scenarios of one mock. A reset brings back those that it began with. */
export class ForcedScenarios implements ScenarioSteering {
  readonly #initial: readonly ScenarioToForce[];
  #all: ForcedScenario[] = [];

  /** @throws {RangeError} as `force` does */
  constructor(initial: readonly ScenarioToForce[] = []) {
    this.#initial = initial;
    this.reset();
  }

  force({ name, caller, after = 0, times = 1, ms }: ScenarioToForce): void {
    const scenario = scenarioNamed(name);
    if (scenario === undefined) {
      const near = suggest(
        name,
        scenarios.map((scenario) => scenario.name),
      );
      throw new RangeError(
        `There is no scenario ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
      );
    }
    if (!isCount(after) || !(times === null || isCount(times)))
      throw new RangeError(
        '"after" and "times" are whole numbers from 0 up; "times" can be null, for always.',
      );
    const problem = ms === undefined ? undefined : durationProblem(scenario, ms);
    if (problem !== undefined) throw new RangeError(problem);
    const more = { ...(caller === undefined ? {} : { caller }), ...(ms === undefined ? {} : { ms }) };
    this.#all.push({ name, after, times, seen: 0, ...more });
  }

  forced(): readonly ForcedScenario[] {
    return this.#all;
  }

  clear(name?: string): void {
    this.#all = name === undefined ? [] : this.#all.filter((entry) => entry.name !== name);
  }

  /**
   * Puts these in the place of all.
   *
   * @throws {RangeError} as `force` does
   */
  take(forced: readonly ForcedScenario[]): void {
    this.#all = [];
    for (const wanted of forced) {
      this.force(wanted);
      const [last] = this.#all.slice(-1);
      if (last !== undefined && isCount(wanted.seen)) last.seen = wanted.seen;
    }
  }

  reset(): void {
    this.#all = [];
    for (const wanted of this.#initial) this.force(wanted);
  }
}

// --- internal ---

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}
