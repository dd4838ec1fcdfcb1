/**
 * Path parameters that must be written literally: a percent-encoded form is not equivalent (document 1,
 * "Identifier schemas", rule 1).
 */
export interface PlainSegmentsPolicy {
  readonly kind: 'plain-segments';
  readonly operations: readonly string[];
  readonly parameters: readonly string[];
}

/** Whether a raw segment may be the value of the parameter. Its pattern is checked elsewhere. */
export function isPlain(policy: PlainSegmentsPolicy | undefined, parameter: string, raw: string): boolean {
  return policy?.parameters.includes(parameter) !== true || !raw.includes('%');
}
