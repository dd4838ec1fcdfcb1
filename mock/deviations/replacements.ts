import type { KeyedAnswers } from '../../engine/keyed.ts';
import type { HeldKey } from '../../engine/memory-store.ts';
import type { ServedOperation } from '../../engine/served-api.ts';
import type { Answer } from '../call/answer.ts';
import type { Call } from '../call/call.ts';
import type { Clock } from '../state/clock.ts';
import type { Delivery } from '../call/exchange.ts';
import type { AnswerStore } from '../state/key-ledger.ts';

/**
 * What a deviation puts in the place of a part that honest calls go through. Each gets the honest one, so that it changes
 * what it means to change and nothing else.
 */
export interface Parts {
  /** The policies that an operation is held to. */
  readonly policies: (operation: ServedOperation) => ServedOperation;
  /** What happens to a call before its key is looked at. */
  readonly begin: (call: Call) => void;
  /** Which answers are kept, and how they come back. */
  readonly answers: KeyedAnswers<Answer, Answer>;
  /** What is believed to have become of an answer. */
  readonly delivery: (heard: Delivery) => Delivery;
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs: (operation: ServedOperation) => number;
}

export type Replacements = {
  readonly [Name in keyof Parts]?: (honest: Parts[Name]) => Parts[Name];
} & {
  /** Where keys and capacity are kept; `held` is what the honest store holds. */
  readonly store?: (
    honest: AnswerStore,
    surroundings: { readonly held: Map<string, HeldKey<Answer>>; readonly clock: Clock },
  ) => AnswerStore;
};

/** A part as deviations want it, the later ones around the earlier. */
export function replaced<Name extends keyof Parts>(
  deviations: readonly Replacements[],
  name: Name,
  honest: Parts[Name],
): Parts[Name] {
  return deviations.reduce((part, deviation) => {
    const replace = deviation[name] as ((part: Parts[Name]) => Parts[Name]) | undefined;
    return replace?.(part) ?? part;
  }, honest);
}
