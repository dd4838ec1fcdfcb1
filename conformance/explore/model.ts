import type { Check, Session } from '../scenarios/scenario.ts';

/** The choices for one step: factor to value. */
export type StepChoices = Readonly<Record<string, string>>;

/** One operation of a course, as data that can be printed, repeated and shrunk. */
export interface Step {
  readonly operation: string;
  readonly choices: StepChoices;
}

/**
 * One operation: its variable factors, and the contract's promises for each choice after the previous steps.
 */
export interface ModelOperation<State, Name extends string> {
  /** Factor to its values. The plainest value is the first one, because examples are shrunk towards it. */
  readonly factors: Readonly<Record<string, readonly string[]>>;
  /** How many requests of each plan it sends at most. */
  readonly sends: (choices: StepChoices, state: State) => Readonly<Partial<Record<Name, number>>>;
  /** Whether it makes sense after the previous steps; default: always. */
  readonly isPossible?: (state: State, choices: StepChoices) => boolean;
  /** Sends requests, judges the answers by the state, and updates the state. */
  readonly perform: (at: PlaceInCourse<State, Name>) => AsyncIterable<Check>;
}

/** The progress of a course. */
export interface PlaceInCourse<State, Name extends string> {
  readonly state: State;
  readonly session: Session<Name>;
  readonly choices: StepChoices;
}

/**
 * The promises of a contract as a small state machine. It is written from the contract and shares no code
 * with the mock. It does not judge points that the contract leaves open.
 */
export interface ContractModel<State, Name extends string> {
  /** The state at the start of a course. */
  readonly start: () => State;
  readonly operations: Readonly<Record<string, ModelOperation<State, Name>>>;
  /** Steps that prepare the state for the following steps. */
  readonly opening: readonly Step[];
  /** Courses that come before all others: those that lead to each state, and what is refused there. */
  readonly first?: readonly (readonly Step[])[];
}

/** An operation whose choices are known by their names. */
export function operation<
  State,
  Name extends string,
  const Factors extends Readonly<Record<string, readonly string[]>>,
>(parts: {
  readonly factors: Factors;
  readonly sends: (choices: Chosen<Factors>, state: State) => Readonly<Partial<Record<Name, number>>>;
  readonly isPossible?: (state: State, choices: Chosen<Factors>) => boolean;
  readonly perform: (
    at: Omit<PlaceInCourse<State, Name>, 'choices'> & { readonly choices: Chosen<Factors> },
  ) => AsyncIterable<Check>;
}): ModelOperation<State, Name> {
  return parts as unknown as ModelOperation<State, Name>;
}

/** A step for a report, without default values. */
export function sketchStep({ operation: name, choices }: Step, factors: StepChoices | undefined): string {
  const told = Object.entries(choices).filter(([factor, value]) => factors?.[factor] !== value);
  return [name, ...told.map(([factor, value]) => `${factor}: ${value}`)].join(', ');
}

/** The plainest choice of an operation. */
export function plainest({ factors }: Pick<ModelOperation<never, never>, 'factors'>): StepChoices {
  return Object.fromEntries(Object.entries(factors).map(([factor, [first = '']]) => [factor, first]));
}

// --- internal ---

type Chosen<Factors extends Readonly<Record<string, readonly string[]>>> = {
  readonly [Factor in keyof Factors]: Factors[Factor][number];
};
