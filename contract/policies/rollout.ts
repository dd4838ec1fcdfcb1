/**
 * Routes that are documented before they are available (document 1, "What the service does", availability).
 */
export interface RolloutPolicy {
  readonly kind: 'rollout';
  /**
   * The status for an authenticated call until then. An unauthenticated call is a matter of authentication.
   */
  readonly status: number;
}

/** The status that ends a request early, or `undefined` if it continues. */
export function rolloutStatus(
  policy: RolloutPolicy,
  request: { readonly served: boolean; readonly authenticated: boolean },
): number | undefined {
  return !request.served && request.authenticated ? policy.status : undefined;
}
