/**
 * Gives back claims whose answer got lost: each may stand in the engine, and nobody works under it. Tries until the engine
 * takes it or the claim has ended by itself, one claim after the other. Keeps no process alive.
 */
export function givingBack(
  release: (fence: string) => Promise<void>,
): (fence: string, leaseMs: number) => void {
  /** When each has ended by itself. */
  const claims = new Map<string, number>();
  let isAtIt = false;
  let restMs = SHORTEST_REST_MS;

  const turn = async (): Promise<void> => {
    try {
      for (const [fence, endsAt] of claims) {
        if (endsAt > performance.now()) await release(fence);
        claims.delete(fence);
      }
      restMs = SHORTEST_REST_MS;
      isAtIt = false;
    } catch {
      setTimeout(() => void turn(), restMs).unref();
      restMs = Math.min(restMs * 2, LONGEST_REST_MS);
    }
  };
  return (fence, leaseMs) => {
    // While the engine is away for long, the oldest are left to end by themselves.
    if (claims.size >= MOST) claims.delete(claims.keys().next().value ?? '');
    claims.set(fence, performance.now() + leaseMs);
    if (isAtIt) return;
    isAtIt = true;
    void turn();
  };
}

// --- internal ---

const MOST = 10_000;
const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 2_000;
