import type { Operation } from '../model.ts';
import type { CaseLevel } from './policy-cases.ts';

/** A case that has a usual rule. Most are a must. */
export type UsualCase = string | { readonly name: string; readonly level: CaseLevel };

/** The cases of one operation, or of the whole API. */
export interface UsualCases {
  /** The part of the id between kind and case; absent for a rule about the whole API. */
  readonly about?: string | undefined;
  readonly operation?: Operation;
  readonly cases: readonly UsualCase[];
}
