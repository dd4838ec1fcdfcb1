/** A field whose values are a hint and not a closed set (document 1, "RouterModelDetail", rules for charges_on_policy_rejection). */
export interface OpenValuesPolicy {
  readonly kind: 'open-values';
  /** The schema and the property that it is about. */
  readonly schema: string;
  readonly property: string;
  readonly known: readonly string[];
  /** How a client reads a value that it does not know. */
  readonly unknownReadsAs: string;
  /** The values that mean no; every other one means perhaps. Left out where the values answer no question. */
  readonly negative?: readonly string[];
}

/** The value that a client acts on: one that is missing, of another type or not known reads as the fallback. */
export function readOpenValue(
  policy: Pick<OpenValuesPolicy, 'known' | 'unknownReadsAs'>,
  value: unknown,
): string {
  return typeof value === 'string' && policy.known.includes(value) ? value : policy.unknownReadsAs;
}

/**
 * Whether the value leaves the answer "yes" open, as "might this be charged?". It is not the truth of the text: a
 * negative value is a text like any other, and a value that nobody has established counts as perhaps.
 */
export function mightBe(
  policy: Pick<OpenValuesPolicy, 'known' | 'unknownReadsAs' | 'negative'>,
  value: unknown,
): boolean {
  return !(policy.negative ?? []).includes(readOpenValue(policy, value));
}
