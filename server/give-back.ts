/**
 * Gives back what stands in the engine, or may, and nobody needs any more: a claim or an entry whose answer got lost, a
 * ticket whose end did not arrive. Tries until the engine takes it or it has ended by itself, one after the other. Keeps
 * no process alive.
 */
export function givingBack(
  release: (fence: string) => Promise<void>,
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

// --- internal ---

const MOST = 10_000;
const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 2_000;
