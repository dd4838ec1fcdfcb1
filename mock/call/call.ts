import type { Operation } from '../../contract/model.ts';
import type { Answer } from './answer.ts';
import type { EngineFinding, Match } from './engine.ts';
import type { Delivery } from '../../engine/delivery.ts';
import type { FrontRequest } from './front.ts';
import type { WorkEffect } from '../scenarios/scenario.ts';

/** One request on its way through the behaviours. They read it, and store facts on it for later ones. */
export interface Call {
  /** The id of the answer and of the entry in the journal. */
  readonly id: string;
  readonly request: FrontRequest;
  readonly match: Match;
  /** The operation of the document, if the request matches one. */
  readonly operation: Operation | undefined;
  /** Prism's findings about the request. Behaviours decide how to treat them. */
  readonly findings: readonly EngineFinding[];
  /** The same findings, with warnings. */
  readonly violations?: readonly EngineFinding[];
  /** The arrival of the request, in epoch milliseconds of the mock's clock. */
  readonly startedAt: number;
  /**
   * Aborts when the caller disconnects, or when a limit of a behaviour is reached. Code that waits passes it
   * on.
   */
  readonly signal: AbortSignal;
  /**
   * Replaces the current signal by a narrower one, which is made on first use, because a call that never
   * waits needs no limit. The returned function restores the previous one.
   */
  readonly narrowSignal: (make: (outer: AbortSignal) => AbortSignal) => () => void;
  /** Facts that the behaviours store for later ones, for deviations and for the journal. */
  readonly facts: CallNotes;
  /** Adds a step to the trail that the journal shows: the decision of a behaviour, and its basis. */
  readonly note: (step: string, decision: string, because?: string) => void;
  /** Runs when the delivery of the answer is known. */
  readonly afterDelivery: (settle: (delivery: Delivery) => void) => void;
}

/** Facts about a call that behaviours have determined. */
export interface CallNotes {
  caller?: Caller;
  /** The requested model, once it is known to be visible. */
  modelId?: string;
  /** The key of the call. */
  idempotencyKey?: string;
  /** The answer is a recorded one. */
  replayed?: boolean;
  /** A generation of this key is still running and is to be collected, not started again. */
  collecting?: boolean;
  /** The call reached a model, and started a generation there. */
  dispatched?: boolean;
  /** No exact copy of the answer can be stored. */
  unreplayable?: boolean;
  /** The call certainly had no effect, so that a single-use key is released. */
  hadNoEffect?: boolean;
  /** Whether the call is charged; left out if the contract does not say. */
  billed?: boolean;
  /** The faults of the input by the model, or by its published schema. */
  inputFindings?: readonly EngineFinding[];
  /** The scenario that determined the answer. */
  scenario?: string;
  /**
   * The declared answer for a status, if the mock answers from state; `undefined` for an undeclared status.
   */
  declared?: (status: number) => Answer | undefined;
  /** The declared headers for a status, with values. */
  declaredHeaders?: (status: number) => Answer['headers'];
  /** The effect of the scenario on the work of the operation. */
  work?: WorkEffect;
  /** How long the mock waits between two pieces of a stream, in milliseconds. */
  pieceMs?: number;
}

/** The caller. Different scopes share no state. */
export interface Caller {
  /** The credential, as the identity for state: two calls share keys and capacity if it is equal. */
  readonly scope: string;
  /** The name of the namespace whose callers share state; empty for the default one. */
  readonly namespace: string;
  /** The name of the scenario that the credential asks for, such as `no-credits`; empty for an ordinary one. */
  readonly scenario: string;
  readonly kind: 'api-key' | 'bearer' | 'anonymous';
}

/**
 * One concern. It answers, or calls the next behaviour and may inspect its answer. Behaviours are in the
 * order of decisions that the contract states.
 */
export type Behaviour = (call: Call, next: () => Answered) => Answered;

/** An answer now, or later: most behaviours are synchronous. */
export type Answered = Answer | Promise<Answer>;

/** Runs the behaviours in order. If none of them answers, `otherwise` does. */
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

/** One behaviour per operation; other operations are passed on. */
export function byOperation(behaviours: Readonly<Record<string, Behaviour>>): Behaviour {
  return (call, next) => (behaviours[call.operation?.id ?? ''] ?? next)(call, next);
}

// --- internal ---

function nobody(): never {
  throw new Error('no behaviour answered');
}
