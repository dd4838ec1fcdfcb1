import { findPolicy } from '../../contract/index.ts';
import type { Contract } from '../../contract/model.ts';
import { servedApiOf } from '../../contract/served/served.ts';
import { type AdmissionPorts, type RequestedCapacity, enter } from '../../engine/admission.ts';
import { type Choices, CHOICES } from '../../engine/choices.ts';
import type { Course, CallClaim, WorkResult } from '../../engine/course.ts';
import { type CourseDecision, type CourseRefusal, Refused } from '../../engine/decision.ts';
import { keyed, type KeyedAnswers, type KeyedPorts, keyOf } from '../../engine/keyed.ts';
import { Run, type RunPorts } from '../../engine/run.ts';
import type { ServedOperation } from '../../engine/served-api.ts';
import { bodyText, headerOf, withHeaders, withoutHeaders, withText, type Answer } from './answer.ts';
import { runBehaviours, type Answered, type Behaviour, type Call } from './call.ts';
import { type Citation, citationsOf } from './citations.ts';
import type { Clock } from '../state/clock.ts';
import { type Replacing, replaced } from '../deviations/replacements.ts';
import type { AnswerStore } from '../state/key-ledger.ts';

/** The specifics of a built-in API for the engine's handling of keys, capacity and deadline. */
export interface CourseParts {
  readonly contract: Contract;
  readonly clock: Clock;
  /** The current state. A call keeps the state with which it began. */
  readonly store: () => AnswerStore;
  readonly deviations: readonly Replacing[];
  readonly choices?: Choices;
  /** The time limit of a call in milliseconds, if there is a deadline. */
  readonly deadlineMs?: (operation: ServedOperation) => number;
  /** The longest answer that is stored for replays, in bytes. */
  readonly replayCapBytes?: number;
  /** The value that requests with one key are compared by, if answers are replayed. */
  readonly hash?: (call: Call) => string;
  /** The checks between the key and the work. */
  readonly checks?: readonly Behaviour[];
  readonly asked?: (call: Call) => RequestedCapacity;
  /** Whether the key is released although there is an answer. */
  readonly isForgotten?: (call: Call, answer: Answer) => boolean;
  /** Adds to the answer of a charged call. */
  readonly charged?: (call: Call, answer: Answer) => Answer;
  readonly refused: (call: Call, refusal: CourseRefusal, citation: Citation) => Answer;
}

/** Passes the calls of an API through the engine; the behaviours that follow are their work. */
export function enacted(parts: CourseParts): Behaviour {
  const { contract, checks = [], clock, deviations, isForgotten, choices = CHOICES, hash } = parts;
  const api = servedApiOf(contract, () => undefined);
  const policies = replaced(deviations, 'policies', (operation: ServedOperation) => operation);
  const operations = new Map(api.operations.map((operation) => [operation.id, policies(operation)]));
  const begin = replaced(deviations, 'begin', (_call: Call) => undefined);
  const delivery = replaced(deviations, 'delivery', (heard) => heard);
  const deadlineMs = replaced(deviations, 'deadlineMs', parts.deadlineMs ?? (() => Infinity));
  const citation = citationsOf(contract);
  const { rule: replayRule } = citation({ policy: 'idempotency', case: 'replayed' });
  const answers = replaced(deviations, 'answers', {
    ...{ header: headerOf, copy: copied(contract, parts) },
    replay: (copy: Answer, mark) =>
      mark === undefined ? copy : withHeaders(copy, [[mark.name, mark.value]]),
  } satisfies KeyedAnswers<Answer, Answer>);
  const common = {
    ...{ api, answers, choices, now: () => clock.now(), after: afterOn(clock) },
    ...{
      tell: () => undefined,
      heedsSignal: true,
      limits: NO_LIMITS,
      hash: ({ call }: MockCourse) => hash?.(call) ?? '',
    },
    ...{ keyScope: scopeOf, capacityScope: scopeOf },
  };
  let ports: EnactedPorts | undefined;
  const portsOn = (store: AnswerStore): EnactedPorts =>
    ports?.store === store ? ports : (ports = { ...common, store, local: store });

  return async (call, next) => {
    const operation = operations.get(call.operation?.id ?? '');
    if (operation === undefined || !isCounted(operation)) return runBehaviours(checks, call, next);
    begin(call);
    const own = portsOn(parts.store());
    const course = new MockCourse(call, operation, citation);
    const inside = (run: Run, leave: Leave): Answered => {
      const restore = call.narrowSignal((outer) => course.within(outer, run));
      const ms = call.startedAt + deadlineMs(operation) - clock.now();
      return ended(
        () => run.inTime(ms, () => billed(parts, call, run, next)),
        () => {
          restore();
          return leave();
        },
      );
    };
    const admitted = (hold: CallClaim, run: Run): Answered => {
      const entered = enter(own, course, hold, parts.asked?.(call));
      return entered instanceof Promise ? entered.then((leave) => inside(run, leave)) : inside(run, entered);
    };
    const work = async (hold: CallClaim): Promise<WorkResult<Answer>> => {
      if (hold.collecting) call.facts.collecting = true;
      const run = new Run(own, course, hold);
      let made: Answer;
      try {
        made = await runBehaviours(checks, call, () => admitted(hold, run));
      } catch (error) {
        made = refusalOf(parts, course, error);
      }
      // A copy must contain exactly the sent bytes.
      const answer = operation.idempotency?.mode === 'replay' ? withText(made) : made;
      const { hadNoEffect = false, unreplayable: isUnreplayable = false } = call.facts;
      const isFree = isForgotten?.(call, answer) === true;
      return { answer, hadNoEffect, isReplayable: !isUnreplayable, isForgotten: isFree };
    };
    let answer: Answer;
    try {
      const made = await keyed<Answer, Answer, MockCourse>(own, course, work);
      answer = made.replayed ? replayed(call, made.answer, replayRule) : made.answer;
    } catch (error) {
      answer = refusalOf(parts, course, error);
    }
    if (course.ended.length > 0)
      call.afterDelivery((heard) => {
        for (const end of course.ended) void end(delivery(heard));
      });
    return answer;
  };
}

// --- internal ---

type EnactedPorts = KeyedPorts<Answer, Answer, MockCourse> &
  AdmissionPorts<MockCourse> &
  RunPorts & {
    readonly store: AnswerStore;
  };

/**
 * The charge is taken together with the answer, and once per key: the first attempt with a cost pays (open
 * point A-95).
 */
function billed({ charged }: CourseParts, call: Call, run: Run, work: () => Answered): Answered {
  const told = (answer: Answer, isCharged: boolean): Answer => {
    call.facts.billed = isCharged;
    return isCharged && charged !== undefined ? charged(call, answer) : answer;
  };
  const taken = (answer: Answer): Answered => {
    if (call.facts.billed !== true) return answer;
    const charging = run.charge();
    return charging instanceof Promise
      ? charging.then((isCharged) => told(answer, isCharged))
      : told(answer, charging);
  };
  const working = work();
  return working instanceof Promise ? working.then(taken) : taken(working);
}

type Leave = Awaited<ReturnType<typeof enter>>;

/**
 * Does the work, then the cleanup, also after an error. Most calls are synchronous, and promises would cost
 * each of them turns of the queue.
 */
function ended(work: () => Answered, end: Leave): Answered {
  let working: Answered;
  try {
    working = work();
  } catch (error) {
    working = Promise.reject(error as Error);
  }
  if (working instanceof Promise) return working.finally(end);
  const answer = working;
  const ending = end();
  return ending instanceof Promise ? ending.then(() => answer) : answer;
}

function replayed(call: Call, answer: Answer, rule: string | undefined): Answer {
  call.facts.replayed = true;
  call.facts.billed = false;
  return rule === undefined ? answer : { licence: rule, ...answer };
}

/** The answer for a refusal of the engine; other errors are thrown again. */
function refusalOf({ refused }: CourseParts, course: MockCourse, error: unknown): Answer {
  if (!(error instanceof Refused)) throw error;
  const { call } = course;
  const { decision } = error.refusal;
  if (decision?.policy === 'deadline') call.facts.billed = false;
  if (decision?.policy === 'idempotency') course.note(decision);
  return refused(call, error.refusal, decision === undefined ? {} : course.citation(decision));
}

/** A store in this process has no time limit. */
const NO_LIMITS = { leaseMs: () => Infinity, storeTimeoutMs: Infinity };

function isCounted({ idempotency, capacity, deadline }: ServedOperation): boolean {
  return idempotency !== undefined || capacity !== undefined || deadline !== undefined;
}

function scopeOf({ caller }: MockCourse): string {
  return caller.id;
}

/** A call of the mock as the engine sees it. */
class MockCourse implements Course {
  readonly call: Call;
  readonly operation: ServedOperation;
  readonly caller: { readonly id: string };
  readonly key: string | undefined;
  readonly ended: Course['ended'] = [];
  readonly citation: (decision: CourseDecision) => Citation;
  #outer: AbortSignal | undefined;

  constructor(call: Call, operation: ServedOperation, citation: (decision: CourseDecision) => Citation) {
    this.call = call;
    this.operation = operation;
    this.caller = { id: call.facts.caller?.scope ?? '' };
    this.key = keyOf(operation, (name) => call.request.header(name.toLowerCase()));
    if (this.key !== undefined) call.facts.idempotencyKey = this.key;
    this.citation = citation;
  }

  note(decision: CourseDecision): void {
    const { rule, openPoint } = this.citation(decision);
    const isCharge = decision.case === 'charged' || decision.case === 'charged-before';
    this.call.note(isCharge ? 'charge' : 'key', decision.case.replaceAll('-', ' '), openPoint ?? rule);
  }

  /** The delivery of the answer shows whether its caller has disconnected. */
  hasGone(): boolean {
    return false;
  }

  signal(): AbortSignal {
    return this.#outer ?? this.call.signal;
  }

  /** The signal of a run, derived from the signal of its call. */
  within(outer: AbortSignal, run: Run): AbortSignal {
    this.#outer = outer;
    return run.signal;
  }
}

/** An exact copy for replays; `undefined` above the limit, for a stream, or if the work forbids it. */
function copied(
  contract: Contract,
  { replayCapBytes = 0 }: CourseParts,
): KeyedAnswers<Answer, Answer>['copy'] {
  const credits = findPolicy(contract, 'headers')?.credits;
  return ({ answer, isReplayable }) => {
    if (!isReplayable || answer.body.kind === 'stream') return undefined;
    if (Buffer.byteLength(bodyText(answer.body)) > replayCapBytes) return undefined;
    // The credits header is outside the contract and is never replayed (document 1, "What the service does").
    return credits === undefined ? answer : withoutHeaders(answer, credits);
  };
}

function afterOn(clock: Clock): RunPorts['after'] {
  return (ms, back) => {
    const end = new AbortController();
    // A sleep that the work started comes first, so that it wins when both end at the same moment.
    queueMicrotask(() => {
      clock.sleep(ms, end.signal).then(back, () => undefined);
    });
    return () => {
      end.abort(DONE);
    };
  };
}

/** Made once, because an abort without a reason creates an error with a stack each time. */
const DONE = new Error('the run has ended');
