import type { Duration } from '../scenarios/scenario.ts';

export interface KeyList {
  readonly keys: readonly KeyShape[];
}

export interface KeyShape {
  /** For `keys/{id}`. */
  readonly id: string;
  /** The name of its contract. */
  readonly api: string;
  /** Whether a second use is answered with the recorded answer, or refused. */
  readonly semantics: 'replay' | 'single-use';
  readonly caller: string;
  readonly key: string;
  /** `in-flight`, `recorded`, `consumed` or `collecting`; `submitting` or `claimed` for a single use. */
  readonly state: string;
  readonly bodyHash: string | undefined;
  /** Unknown while the first call runs. */
  readonly expiresAt: number | undefined;
  /** Numbers of the exchanges with this key, as far as the journal still has them. */
  readonly exchanges: readonly number[];
}

export interface ScenarioList {
  readonly scenarios: readonly ScenarioListing[];
  readonly forced: readonly ForcedScenario[];
}

/** One magic value, as tools print it. */
export interface ScenarioListing {
  readonly name: string;
  readonly does: string;
  /** Its scope: `any` is every operation of every API, `own` every operation of your own contracts. */
  readonly api: string;
  /** The model id that triggers it. */
  readonly model?: string;
  /** The API key that triggers it. */
  readonly key?: string;
  /** The value of a `Prefer` header that triggers it. */
  readonly prefer: string;
  /** If the duration can be chosen (`;ms=N`, `"ms"`, or `-N` after the key), in milliseconds. */
  readonly ms?: Duration;
}

/** A scenario that is active for the next calls. */
export interface ForcedScenario {
  readonly name: string;
  /** The scope of the one caller that it applies to; if left out, it applies to every caller. */
  readonly caller?: string;
  /** How many calls pass first, and how many calls it then applies to; `null` for all. */
  readonly after: number;
  readonly times: number | null;
  /** The duration, if it can be chosen, in milliseconds. */
  readonly ms?: number;
  /** The number of calls that it has applied to so far. */
  seen: number;
}

/** The body of `POST scenarios`. */
export interface ScenarioToForce {
  readonly name: string;
  /** The scope of one caller, as in the journal; if left out, every caller. */
  readonly caller?: string;
  /** How many calls pass first; default: none. */
  readonly after?: number;
  /** How many calls it then applies to; default: one, `null` for all. */
  readonly times?: number | null;
  /** The duration in milliseconds, for scenarios that have one. */
  readonly ms?: number;
}

export interface ClockShape {
  readonly now: number;
  readonly iso: string;
  /**
   * Milliseconds of this clock per real millisecond; 0 for a frozen clock. Absent if the clock cannot be
   * controlled.
   */
  readonly speed?: number;
  readonly nextWake?: number | null;
  /** Scheduled events, soonest first. */
  readonly due: readonly DueEvent[];
}

export interface DueEvent {
  readonly at: number;
  /** For people. */
  readonly what: string;
  readonly kind: 'key' | 'job' | 'generation';
  /** The id of the key or of the job. */
  readonly id: string;
}

export interface ClockStep {
  /** Milliseconds, or an ISO 8601 duration such as `PT1H`. */
  readonly advance?: number | string;
  readonly speed?: number;
}
