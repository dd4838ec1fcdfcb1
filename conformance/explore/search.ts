import * as fc from 'fast-check';
import type { Oracle } from '../oracle.ts';
import type { Check, Session } from '../scenarios/scenario.ts';
import { plainest } from './model.ts';
import type { ContractModel, Step } from './model.ts';
import { pairwise, shuffled } from './pairs.ts';
import type { Quota } from './quota.ts';
import { walk } from './walk.ts';
import type { CourseResult } from './walk.ts';

export interface SearchParts<State, Name extends string> {
  readonly session: Session<Name>;
  readonly model: ContractModel<State, Name>;
  readonly oracles: readonly Oracle[];
  readonly quota: Quota;
}

/**
 * Runs courses through an API: first those of the model, then those that combine any two choices of each operation, then random
 * ones.
 * A course that breaks a rule is shrunk before it is reported. The seed of the session decides everything.
 */
export async function* search<State, Name extends string>(
  parts: SearchParts<State, Name>,
): AsyncGenerator<Check, void> {
  const { session, model } = parts;
  const step = fc.oneof(
    ...Object.entries(model.operations).map(([name, { factors }]) =>
      fc.record({
        operation: fc.constant(name),
        choices: fc.record(
          Object.fromEntries(
            Object.entries(factors).map(([factor, values]) => [factor, fc.constantFrom(...values)]),
          ),
        ),
      }),
    ),
  );
  const courses = fc.array(step, { minLength: 1, maxLength: LONGEST, size: 'max' });
  const seed = Math.floor(session.random() * 0x7fffffff);
  const listed = [...firstCourses(model), ...pairedCourses(model, session.random)];
  const known = new Set<string>();
  const endAt = session.clock.now() + LONGEST_MS;
  let gone = 0;
  let hindered = 0;
  let thrown: unknown;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let found: readonly Check[] = [];
    let wanted: string | undefined;
    const holds = async (course: readonly Step[]): Promise<boolean> => {
      const isFinding = wanted === undefined;
      if (hindered >= MOST_HINDERED || thrown !== undefined || session.clock.now() > endAt) return true;
      if (isFinding) gone += 1;
      let walked: CourseResult;
      try {
        walked = await walk(course, { ...parts, isFinding, known });
      } catch (error) {
        thrown = error;
        return true;
      }
      if (walked.hindered !== undefined) hindered += 1;
      const isBroken = isFinding
        ? walked.broken.length > 0
        : walked.broken.some(({ rule }) => rule === wanted);
      if (!isBroken) return true;
      wanted ??= walked.broken[0]?.rule;
      found = [
        ...walked.broken,
        ...found.filter(({ rule }) => !walked.broken.some((one) => one.rule === rule)),
      ];
      return false;
    };
    const examples = listed.slice(gone).map((course): [Step[]] => [[...course]]);
    await fc.check(fc.asyncProperty(courses, holds), {
      seed: seed + round,
      examples,
      numRuns: examples.length + session.explore,
    });
    if (thrown !== undefined) throw thrown as Error;
    if (found.length === 0) return;
    for (const check of found) known.add(check.rule);
    yield* found;
  }
}

// --- internal ---

/** The limit for steps of a course. */
const LONGEST = 12;
/** How many kinds of violations are searched for, one after the other. */
const MOST_ROUNDS = 12;
/** Milliseconds; later findings would not be reported. */
const LONGEST_MS = 90_000;
/** After this many hindered requests, the search stops. */
const MOST_HINDERED = 3;

/** The courses of the model, with the plainest choices where it names none: only whole steps can be shrunk. */
function firstCourses<State, Name extends string>({
  first = [],
  operations,
}: ContractModel<State, Name>): readonly (readonly Step[])[] {
  return first.map((course) =>
    course.flatMap(({ operation, choices }) => {
      const own = operations[operation];
      if (own === undefined) return [];
      const named = Object.entries(choices).filter(([factor]) => Object.hasOwn(own.factors, factor));
      return [{ operation, choices: { ...plainest(own), ...Object.fromEntries(named) } }];
    }),
  );
}

/** All pairs of choices, in courses that begin with the steps that the others depend on. */
function pairedCourses<State, Name extends string>(
  { operations, opening }: ContractModel<State, Name>,
  random: () => number,
): readonly (readonly Step[])[] {
  const rows = Object.entries(operations).map(([operation, { factors }]) =>
    pairwise(factors, random).map((choices): Step => ({ operation, choices })),
  );
  // A step of each operation in turn, so that all of them are tried early.
  const most = Math.max(...rows.map(({ length }) => length));
  const mixed = Array.from({ length: most }, (_, index) =>
    shuffled(
      rows.flatMap((own) => own[index] ?? []),
      random,
    ),
  ).flat();
  const room = LONGEST - opening.length;
  return Array.from({ length: Math.ceil(mixed.length / room) }, (_, index) => [
    ...opening,
    ...mixed.slice(index * room, (index + 1) * room),
  ]);
}
