/** A value that may be given once only (document 2, "Limits", 2). */
export interface UniquenessPolicy {
  readonly kind: 'uniqueness';
  readonly operations: readonly string[];
  /** Where the value stands in the request body, with dots. */
  readonly member: string;
  /** The path parameters within which it is unique. */
  readonly within: readonly string[];
}
