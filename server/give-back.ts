/**
 * Releases a claim or a ticket in the engine that is no longer needed, for example because the response to
 * its command was lost. Retries, one after the other, until the engine confirms it or the lease has ended.
 * Does not keep the process alive.
 *
 * @param release resolves when the engine has no such entry, and will not accept it later
 */
export function givingBack(
  release: (fence: string) => Promise<unknown>,
): (fence: string, leaseMs: number) => void {
  /** When the lease of each ends. */
  const held = new Map<string, number>();
  let isAtIt = false;
  let restMs = SHORTEST_REST_MS;

  const turn = async (): Promise<void> => {
    for (const [fence, endsAt] of held) {
      held.delete(fence);
      if (endsAt <= performance.now()) continue;
      try {
        await release(fence);
      } catch {
        // The next ones come first, because one part of a cluster may be unavailable.
        held.set(fence, endsAt);
        setTimeout(() => void turn(), restMs).unref();
        restMs = Math.min(restMs * 2, LONGEST_REST_MS);
        return;
      }
    }
    restMs = SHORTEST_REST_MS;
    isAtIt = false;
  };
  return (fence, leaseMs) => {
    // During a long outage, the oldest entries are left to expire.
    if (held.size >= MOST) held.delete(held.keys().next().value ?? '');
    held.set(fence, performance.now() + leaseMs);
    if (isAtIt) return;
    isAtIt = true;
    void turn();
  };
}

/** How long a ticket with an unknown lease is retried. */
export const TICKET_MS = 3_600_000;

/**
 * How long an engine remembers the release of a claim or ticket that it did not have, in milliseconds. If the
 * command arrives later, it is refused instead of lasting for its whole lease. No command is delayed that
 * long.
 */
export const GIVEN_BACK_MS = 600_000;

export function givenBackError(what: 'claim' | 'entry'): Error {
  return new Error(`this ${what} arrived after it was given back`);
}

// --- internal ---

const MOST = 10_000;
const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 2_000;
