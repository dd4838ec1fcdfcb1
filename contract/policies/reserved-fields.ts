/** Members that are kept for a later version and refused today (document 3, "Submit request"; "Versioning", 2). */
export interface ReservedFieldsPolicy {
  readonly kind: 'reserved-fields';
  readonly operations: readonly string[];
  readonly members: readonly string[];
  /** Who refuses them: the server before its handler, or the handler in the order of its own checks. */
  readonly checkedBy?: 'server' | 'handler';
  /** The refusal; 422 or 400, as the document declares, when left out. */
  readonly refusal?: { readonly status: number; readonly bucket?: string };
}

/** The reserved members at the top level of a body, in the policy's order. Null is present, too. */
export function reservedIn(policy: Pick<ReservedFieldsPolicy, 'members'>, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  return policy.members.filter((member) => Object.hasOwn(body, member));
}
