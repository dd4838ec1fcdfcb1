/**
 * Members that are reserved for a later version and refused today (document 3, "Submit request";
 * "Versioning", 2).
 */
export interface ReservedFieldsPolicy {
  readonly kind: 'reserved-fields';
  readonly operations: readonly string[];
  readonly members: readonly string[];
  /** Where they are refused: in the server before the handler, or in the handler as one of its own checks. */
  readonly checkedBy?: 'server' | 'handler';
  /** The status of the refusal; if left out, 422 or 400, whichever the document declares. */
  readonly refusal?: { readonly status: number; readonly bucket?: string };
}

/**
 * The reserved members at the top level of a body, in the policy's order. A member with the value null
 * counts.
 */
export function reservedIn(policy: Pick<ReservedFieldsPolicy, 'members'>, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  return policy.members.filter((member) => Object.hasOwn(body, member));
}
