import type { RequestPlan, RequestPlans } from './scenario.ts';

/** A POST with a usable credential may be run by a broken server. */
export function mayBill(request: Pick<RequestPlan, 'method' | 'as' | 'bodyOpens'>): boolean {
  if (SAFE.has(request.method)) return false;
  return request.bodyOpens === true || (request.as !== 'none' && request.as !== 'unusable');
}

/** How many POSTs with a usable credential these requests are at most. */
export function runsAtMost(requests: RequestPlans, fuzz: number | undefined): number {
  return sum(Object.values(requests).map((request) => (mayBill(request) ? timesOf(request, fuzz) : 0)));
}

/** How often a request may be sent. */
export function timesOf({ times, perFuzz }: RequestPlan, fuzz = 0): number {
  return perFuzz === true ? fuzz : times;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

// --- internal ---

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
