/** Known failures of a team. The file is in the team's own repository. */
export interface Baseline {
  /** Rule id to the verdict that is expected until the server is fixed. */
  readonly known: Readonly<Record<string, 'fail' | 'warn'>>;
}

/** The requirements for a run beyond its verdicts. */
export interface Gate {
  /** `warn` counts as a finding. */
  readonly strict?: boolean;
  readonly failInconclusive?: boolean;
  /** Globs of rule ids that must have been exercised. */
  readonly require?: readonly string[];
  /** How many rules must have been exercised. Default: at least one; with 0 a run may judge nothing. */
  readonly minExercised?: number;
  /** Known failures: they are not findings, but an entry whose rule passes is one. */
  readonly baseline?: Baseline;
}
