import type { Operation, Rule } from '../model.ts';

/** What a kind of policy promises in one case, in a sentence. */
export interface UsualCase {
  readonly name: string;
  readonly says: string;
  readonly level?: Rule['level'];
}

/** The cases of one operation, or of the whole API. */
export interface UsualCases {
  /** The part of the id between kind and case; absent for a rule about the whole API. */
  readonly about?: string | undefined;
  readonly operation?: Operation;
  readonly cases: readonly UsualCase[];
}
