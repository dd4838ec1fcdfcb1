/** Routes that are published before they are served (document 1, "What the service does", availability). */
export interface RolloutPolicy {
  readonly kind: 'rollout';
  /** What an authenticated call gets until then. What an unauthenticated one gets is for authentication to say. */
  readonly status: number;
}

/** The status that ends a request early, or `undefined` if it continues. */
export function rolloutStatus(
  policy: RolloutPolicy,
  request: { readonly served: boolean; readonly authenticated: boolean },
): number | undefined {
  return !request.served && request.authenticated ? policy.status : undefined;
}
