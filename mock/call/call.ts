import type { Operation } from '../../contract/model.ts';
import type { Answer } from './answer.ts';
import type { EngineFinding, Match } from './engine.ts';
import type { Delivery } from '../../engine/keys.ts';
import type { FrontRequest } from './front.ts';
import type { WorkEffect } from '../scenarios/scenario.ts';

/** One request on its way through the behaviours. They read it, and leave on it what later ones need. */
export interface Call {
  /** Names the answer; also the id in the journal. */
  readonly id: string;
  readonly request: FrontRequest;
  readonly match: Match;
  /** The operation of the document, where there is one. */
  readonly operation: Operation | undefined;
  /** Prism's findings about the request. Behaviours decide what they mean. */
  readonly findings: readonly EngineFinding[];
  /** The same with warnings. */
  readonly violations?: readonly EngineFinding[];
  /** When the request came in, in epoch milliseconds of the mock's clock. */
  readonly startedAt: number;
  /** Aborts when the caller goes away, or when a limit that a behaviour set is reached. Code that waits passes it on. */
  readonly signal: AbortSignal;
  /**
   * Puts a narrower signal in the place of the present one, made when somebody first asks for it: a call that never
   * waits needs no limit. The returned function puts the present one back.
   */
  readonly narrowSignal: (make: (outer: AbortSignal) => AbortSignal) => () => void;
  /** Left by the behaviours for later ones, for deviations and for the journal. */
  readonly facts: CallNotes;
  /** Adds a step to the trail that the journal shows: which behaviour decided what, and what it rests on. */
  readonly note: (step: string, decision: string, because?: string) => void;
  /** Runs when it is known what reached the caller. */
  readonly afterDelivery: (settle: (delivery: Delivery) => void) => void;
}

/** Facts about a call that behaviours have determined. */
export interface CallNotes {
  caller?: Caller;
  /** The model that is asked for, once it is known to be visible. */
  modelId?: string;
  /** The key that the call presents. */
  idempotencyKey?: string;
  /** The answer is a recorded one. */
  replayed?: boolean;
  /** A generation of this key is still running and is to be collected, not started again. */
  collecting?: boolean;
  /** The call reached a model, and began a generation there. */
  dispatched?: boolean;
  /** No exact copy of the answer can be stored. */
  unreplayable?: boolean;
  /** The call surely had no effect, so that a single-use key becomes free. */
  hadNoEffect?: boolean;
  /** Whether the call is charged; left out where the contract does not say. */
  billed?: boolean;
  /** The faults of the input by the model, or by its served schema. */
  inputFindings?: readonly EngineFinding[];
  /** The scenario that decided the answer. */
  scenario?: string;
  /** What the document declares for a status, where the mock answers from state; `undefined` for one that it lacks. */
  declared?: (status: number) => Answer | undefined;
  /** The headers that the document declares for a status, with values. */
  declaredHeaders?: (status: number) => Answer['headers'];
  /** What it does to the work of the operation. */
  work?: WorkEffect;
}

/** Who calls. State of different scopes never meets. */
export interface Caller {
  /** The credential as far as state is concerned; two calls share keys and capacity when it is equal. */
  readonly scope: string;
  /** The name of the namespace whose callers share state; empty for the default one. */
  readonly namespace: string;
  /** The name of the scenario that the credential asks for, such as `no-credits`; empty for an ordinary one. */
  readonly scenario: string;
  readonly kind: 'api-key' | 'bearer' | 'anonymous';
}

/**
 * One concern. It answers, or calls the next behaviour and may inspect its answer. Behaviours have the order of
 * decisions that the contract states.
 */
export type Behaviour = (call: Call, next: () => Answered) => Answered;

/** An answer now, or later: most behaviours wait for nothing. */
export type Answered = Answer | Promise<Answer>;

/** Runs the behaviours in their order. What the last one leaves open is answered by `otherwise`. */
export function runBehaviours(
  behaviours: readonly Behaviour[],
  call: Call,
  otherwise: () => Answered = nobody,
): Answered {
  const step = (index: number): Answered => {
    const behaviour = behaviours[index];
    if (behaviour === undefined) return otherwise();
    return behaviour(call, () => step(index + 1));
  };
  return step(0);
}

/** Each operation by its own behaviour; the others are left to what comes next. */
export function byOperation(behaviours: Readonly<Record<string, Behaviour>>): Behaviour {
  return (call, next) => (behaviours[call.operation?.id ?? ''] ?? next)(call, next);
}

// --- internal ---

function nobody(): never {
  throw new Error('no behaviour answered');
}
