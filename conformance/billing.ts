import type { Identity, RequestPlan, RequestPlans } from './scenario.ts';

/** How many requests the caller allows to each scenario that chooses them at random. */
export interface RandomCounts {
  readonly fuzz?: number | undefined;
  readonly explore?: number | undefined;
}

/** A POST with a usable credential may be run by a broken server. */
export function mayBill(request: Pick<RequestPlan, 'method' | 'as' | 'bodyOpens'>): boolean {
  if (SAFE.has(request.method)) return false;
  return request.bodyOpens === true || !REACH_NOTHING.has(request.as);
}

/** How many POSTs with a usable credential these requests are at most. */
export function runsAtMost(requests: RequestPlans, random: RandomCounts): number {
  return sum(Object.values(requests).map((request) => (mayBill(request) ? timesOf(request, random) : 0)));
}

/** How often a request may be sent. */
export function timesOf(
  { times, perFuzz, perExplore }: RequestPlan,
  { fuzz = 0, explore = 0 }: RandomCounts,
): number {
  if (perExplore !== undefined) return Math.floor(perExplore * explore);
  return perFuzz === true ? fuzz : times;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

// --- internal ---

/** Callers without a credential, and with one that the server has to refuse. */
const REACH_NOTHING = new Set<Identity>(['none', 'unusable', 'refused']);

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
