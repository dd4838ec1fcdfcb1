/**
 * Path parameters whose values stand in a path as they are: percent-encoding is no other way to write them (document 1,
 * "Identifier schemas", rule 1).
 */
export interface PlainSegmentsPolicy {
  readonly kind: 'plain-segments';
  readonly operations: readonly string[];
  readonly parameters: readonly string[];
}

/** Whether a segment, as it was sent, may be the value of the parameter. Its pattern is not judged here. */
export function isPlain(policy: PlainSegmentsPolicy | undefined, parameter: string, raw: string): boolean {
  return policy?.parameters.includes(parameter) !== true || !raw.includes('%');
}
