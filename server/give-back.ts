/**
 * Gives back what is in the engine, or may come to be, and nobody needs any more: a claim or an entry whose answer got
 * lost, a ticket whose end did not arrive. Tries until the engine takes it or it has ended by itself, one after the other.
 * Keeps no process alive.
 *
 * @param release resolves when the engine has nothing of it, and will not take it any more
 */
export function givingBack(
  release: (fence: string) => Promise<unknown>,
): (fence: string, leaseMs: number) => void {
  /** When each has ended by itself. */
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
        // The next ones first, then: one part of a cluster may be away alone.
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
    // While the engine is away for long, the oldest are left to end by themselves.
    if (held.size >= MOST) held.delete(held.keys().next().value ?? '');
    held.set(fence, performance.now() + leaseMs);
    if (isAtIt) return;
    isAtIt = true;
    void turn();
  };
}

/** How long a ticket is tried for whose lease is not known. */
export const TICKET_MS = 3_600_000;

/**
 * How long an engine remembers, in milliseconds, that a claim or a ticket was given back which it did not have. What
 * arrives later is refused, instead of lasting for its whole lease. Nothing waits on the way for as long.
 */
export const GIVEN_BACK_MS = 600_000;

export function givenBackError(what: 'claim' | 'entry'): Error {
  return new Error(`this ${what} arrived after it was given back`);
}

// --- internal ---

const MOST = 10_000;
const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 2_000;
