/**
 * A field with an open set of values (document 1, "RouterModelDetail", rules for
 * charges_on_policy_rejection).
 */
export interface OpenValuesPolicy {
  readonly kind: 'open-values';
  /** The schema and the property. */
  readonly schema: string;
  readonly property: string;
  readonly known: readonly string[];
  /** How a client reads an unknown value. */
  readonly unknownReadsAs: string;
  /**
   * The values that mean no; every other value means perhaps. Left out if the values do not answer a
   * question.
   */
  readonly negative?: readonly string[];
}

/**
 * The value that a client acts on: a value that is missing, unknown or of another type is read as the
 * fallback.
 */
export function readOpenValue(
  policy: Pick<OpenValuesPolicy, 'known' | 'unknownReadsAs'>,
  value: unknown,
): string {
  return typeof value === 'string' && policy.known.includes(value) ? value : policy.unknownReadsAs;
}

/**
 * Whether the value may mean "yes", as in "might this be charged?". This is not the truthiness of the string:
 * a negative value is also a non-empty string, and an unknown value counts as perhaps.
 */
export function mightBe(
  policy: Pick<OpenValuesPolicy, 'known' | 'unknownReadsAs' | 'negative'>,
  value: unknown,
): boolean {
  return !(policy.negative ?? []).includes(readOpenValue(policy, value));
}
