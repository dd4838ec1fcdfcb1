/** Failures that a team knows of. It lives in the team's own repository. */
export interface Baseline {
  /** Rule id to the verdict that is expected until the server is repaired. */
  readonly known: Readonly<Record<string, 'fail' | 'warn'>>;
}

/** What a run must fulfil beyond its verdicts. */
export interface Gate {
  /** `warn` counts as a finding. */
  readonly strict?: boolean;
  readonly failInconclusive?: boolean;
  /** Globs of rule ids that must have been exercised. */
  readonly require?: readonly string[];
  /** How many rules must have been exercised. Some, when left out; with 0 a run may judge nothing. */
  readonly minExercised?: number;
  /** Known failures: they are no findings; an entry whose rule passes is one. */
  readonly baseline?: Baseline;
}
