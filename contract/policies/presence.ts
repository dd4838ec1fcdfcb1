/**
 * A member that only some answers may contain. All others leave it out; it is never null (document 3, "Job",
 * rules for logs).
 */
export interface PresencePolicy {
  readonly kind: 'presence';
  readonly schema: string;
  readonly property: string;
  /** The only operations whose answers may contain it. */
  readonly operations: readonly string[];
  /** The only surfaces of the API that may contain it; if left out, all. */
  readonly surfaces?: readonly string[];
  /** Only after the resource has reached a terminal state. */
  readonly onlyWhenTerminal?: boolean;
  /**
   * Only with a value that the document describes (document 1, "RouterModelDetail", row input_schema_url).
   */
  readonly onlyWhenValid?: boolean;
}

export interface PresencePlace {
  readonly operation: string;
  readonly surface: string;
  readonly terminal: boolean;
}

/** Whether this answer may contain the member. It never has to. */
export function mayCarry(policy: PresencePolicy, place: PresencePlace): boolean {
  return (
    policy.operations.includes(place.operation) &&
    (policy.surfaces?.includes(place.surface) ?? true) &&
    (place.terminal || policy.onlyWhenTerminal !== true)
  );
}

/** The resource for this answer: without the member if the answer must not contain it, or if it is empty. */
export function showPresent<Resource extends object>(
  policy: PresencePolicy,
  place: PresencePlace,
  resource: Resource,
): Resource {
  const value = (resource as Readonly<Record<string, unknown>>)[policy.property];
  if (value !== undefined && value !== null && mayCarry(policy, place)) return resource;
  return Object.fromEntries(
    Object.entries(resource).filter(([member]) => member !== policy.property),
  ) as Resource;
}
