import { misfitOf, suggest, type Form } from '../../contract/index.ts';
import type { ForcedScenario, ScenarioToForce } from '../control/steering-shape.ts';
import { durationProblem, scenarioNamed, scenarios } from './scenarios.ts';

/** Scenarios for the next calls of any caller to any API. */
export interface ScenarioSteering {
  /**
   * Activates a scenario: by default for the next call.
   *
   * @throws {RangeError} for an unknown name or member, a value of another type, and a number out of range
   */
  force(wanted: ScenarioToForce): void;
  forced(): readonly ForcedScenario[];
  /** Deactivates one scenario, or all. */
  clear(name?: string): void;
}

/** The active scenarios of one mock. A reset restores the initial ones. */
export class ForcedScenarios implements ScenarioSteering {
  readonly #initial: readonly ScenarioToForce[];
  #all: ForcedScenario[] = [];

  /** @throws {RangeError} as `force` does */
  constructor(initial: readonly ScenarioToForce[] = []) {
    this.#initial = initial;
    this.reset();
  }

  force(wanted: ScenarioToForce): void {
    this.#all.push(readForced(wanted));
  }

  forced(): readonly ForcedScenario[] {
    return this.#all;
  }

  clear(name?: string): void {
    this.#all = name === undefined ? [] : this.#all.filter((entry) => entry.name !== name);
  }

  /** Replaces all scenarios by these, which were already validated. */
  restore(forced: readonly ForcedScenario[]): void {
    this.#all = [...forced];
  }

  reset(): void {
    this.#all = this.#initial.map(readForced);
  }
}

/** The form of a scenario from outside. `readForced` validates the numbers. */
export const toForceForm = {
  members: { name: 'string', caller: 'string', after: 'anything', times: 'anything', ms: 'anything' },
  required: ['name'],
} as const satisfies Form;

/** The form of a scenario that was forced before. */
export const forcedForm = {
  members: { ...toForceForm.members, seen: 'anything' },
  required: toForceForm.required,
} as const satisfies Form;

/**
 * Validates a scenario from outside.
 *
 * @throws {RangeError} for an unknown name or member, a value of another type, and a number out of range
 */
export function readForced(wanted: ScenarioToForce & { readonly seen?: number }): ForcedScenario {
  const misfit = misfitOf(wanted, forcedForm);
  if (misfit !== undefined) {
    const place = misfit.pointer === '' ? '' : `${JSON.stringify(misfit.pointer.slice(1))}: `;
    throw new RangeError(`A scenario to force, such as { name: 'slow' }: ${place}${misfit.message}`);
  }
  const { name, caller, after = 0, times = 1, ms, seen = 0 } = wanted;
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
  if (!isCount(after) || !isCount(seen) || !(times === null || isCount(times)))
    throw new RangeError('"after" and "times" are whole numbers from 0 up; "times" can be null, for always.');
  const problem = ms === undefined ? undefined : durationProblem(scenario, ms);
  if (problem !== undefined) throw new RangeError(problem);
  const more = { ...(caller === undefined ? {} : { caller }), ...(ms === undefined ? {} : { ms }) };
  return { name, after, times, seen, ...more };
}

// --- internal ---

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}
