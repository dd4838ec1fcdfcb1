import { quiet } from '../http/abortable.ts';
import { Unreadable } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { Oracle } from '../oracle.ts';
import { BrokenFixture, Hindered, NotExercised } from '../scenarios/scenario.ts';
import type { Check, SendOptions, Session } from '../scenarios/scenario.ts';
import { cut } from '../exchanges/sketch.ts';
import { plainest, sketchStep } from './model.ts';
import type { ContractModel, Step } from './model.ts';
import { OutOfRequests } from './quota.ts';
import type { Quota } from './quota.ts';

/** The result of a course. */
export interface CourseResult {
  /** The steps that were performed. */
  readonly steps: readonly Step[];
  /** Failed checks of the last step, in order. */
  readonly broken: readonly Check[];
  /** Why the course ended early, if the environment was the reason. */
  readonly hindered: unknown;
}

/**
 * Performs a course until a step breaks a rule that was not known to be broken. Steps that make no sense at
 * their position, or for which no requests remain, are skipped.
 */
export async function walk<State, Name extends string>(
  course: readonly Step[],
  parts: {
    readonly session: Session<Name>;
    readonly model: ContractModel<State, Name>;
    readonly oracles: readonly Oracle[];
    readonly quota: Quota;
    readonly isFinding: boolean;
    /** Rules that were found broken before. */
    readonly known: ReadonlySet<string>;
  },
): Promise<CourseResult> {
  const { model, quota, isFinding, known } = parts;
  parts.session.startCourse();
  const watch = watching(parts.oracles);
  const ids: string[] = [];
  const session = counted(parts.session, quota, (exchanges) => {
    ids.push(...exchanges.map(({ id }) => id));
    watch.see(exchanges);
  });
  const state = model.start();
  const steps: Step[] = [];
  const told: string[] = [];
  for (const step of course) {
    const operation = model.operations[step.operation];
    if (operation === undefined || !quota.allows(operation.sends(step.choices, state), isFinding)) continue;
    if (operation.isPossible?.(state, step.choices) === false) continue;
    steps.push(step);
    const before = ids.length;
    const failed: Check[] = [];
    let ended = false;
    let hindered: unknown;
    try {
      for await (const check of operation.perform({ state, session, choices: step.choices }))
        if (check.outcome === 'fail') failed.push(check);
    } catch (error) {
      if (!isObstacle(error)) throw error;
      ended = true;
      hindered = error instanceof LengthRequired || error instanceof OutOfRequests ? undefined : error;
    }
    told.push(`${sketchStep(step, plainest(operation))} (${ids.slice(before).join(', ')})`);
    const broken = [...failed, ...watch.failed()].filter(({ rule }) => !known.has(rule));
    if (broken.length > 0)
      return { steps, broken: broken.map((check) => withCourse(check, ids, told)), hindered };
    if (ended) return { steps, broken: [], hindered };
  }
  return { steps, broken: [], hindered: undefined };
}

// --- internal ---

const MOST_TOLD = 1500;

/** A server may require the length of a body (RFC 9110, section 15.5.12): then the course ends here. */
class LengthRequired extends Error {}

function isObstacle(error: unknown): boolean {
  return (
    error instanceof LengthRequired ||
    error instanceof OutOfRequests ||
    error instanceof Hindered ||
    error instanceof NotExercised ||
    error instanceof BrokenFixture
  );
}

/** The judgement, with the steps that led to it. */
function withCourse(check: Check, ids: readonly string[], told: readonly string[]): Check {
  const way = told.map((step, index) => `${index + 1}. ${step}`).join('; ');
  return {
    ...check,
    exchanges: [...new Set([...check.exchanges, ...ids.toReversed()])],
    got: told.length === 1 ? check.got : cut(`${check.got}, after ${way}`, MOST_TOLD),
  };
}

/** Passes every exchange of a course to the oracles, which start with it. */
function watching(oracles: readonly Oracle[]): {
  readonly see: (exchanges: readonly Exchange[]) => void;
  readonly failed: () => readonly Check[];
} {
  const looks = oracles.flatMap(({ look, follow }) => [look, follow?.()].filter((one) => one !== undefined));
  let failed: Check[] = [];
  return {
    see: (exchanges) => {
      const answered = exchanges.filter(({ answer }) => answer !== undefined);
      for (const exchange of answered.toSorted((a, b) => a.endedAt - b.endedAt))
        for (const look of looks) {
          try {
            for (const item of look(exchange))
              if (item.kind === 'check' && item.outcome === 'fail') failed.push(item);
          } catch (error) {
            if (!(error instanceof Unreadable)) throw error;
          }
        }
    },
    failed: () => {
      const seen = failed;
      failed = [];
      return seen;
    },
  };
}

/** The session, with every exchange counted and passed to the oracles. */
function counted<Name extends string>(
  session: Session<Name>,
  quota: Quota,
  show: (exchanges: readonly Exchange[]) => void,
): Session<Name> {
  const send: Session<Name>['send'] = async (name, options) => {
    quota.take(name, 1);
    const exchange = await session.send(name, options);
    show([exchange]);
    if (wantsLength(exchange, options)) throw new LengthRequired();
    return exchange;
  };
  const together: Session<Name>['together'] = async (requests) => {
    const names = requests.map(({ name }) => name);
    for (const name of new Set(names)) quota.take(name, names.filter((one) => one === name).length);
    const exchanges = await session.together(requests);
    show(exchanges);
    const lost = exchanges.filter(({ answer }) => answer === undefined);
    if (lost.length > 0)
      throw new Hindered(
        'not all of several requests at one moment had a response',
        lost.map(({ id }) => id),
      );
    if (exchanges.some((exchange, index) => wantsLength(exchange, requests[index]?.options)))
      throw new LengthRequired();
    return exchanges;
  };
  const watch: Session<Name>['watch'] = async (name, options) => {
    quota.take(name, 1);
    const watched = await session.watch(name, options);
    show([watched.exchange]);
    return watched;
  };
  // Later steps may use them.
  return {
    ...session,
    send: (name, options) => quiet(send(name, options)),
    race: (name, options) => quiet(together(options.map((one) => ({ name, options: one })))),
    together: (requests) => quiet(together(requests)),
    watch: (name, options) => quiet(watch(name, options)),
  };
}

function wantsLength({ status }: Exchange, options: SendOptions | undefined): boolean {
  return status === 411 && options?.isChunked === true;
}
