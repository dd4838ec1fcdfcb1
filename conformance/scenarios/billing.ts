import { declaredApis } from '../apis/declared.ts';
import { findPolicy } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Identity, RequestPlan, RequestPlans } from './scenario.ts';

/** How many requests the caller allows for each scenario that sends random ones. */
export interface RandomCounts {
  readonly fuzz?: number | undefined;
  readonly explore?: number | undefined;
}

/** Whether a contract says that calls cost something: one that the suite has a module for, or by its sheet. */
export function mayCharge(contracts: readonly Contract[]): boolean {
  return contracts.some(
    (contract) =>
      declaredApis.some(({ api }) => api === contract.name) ||
      findPolicy(contract, 'headers')?.credits !== undefined ||
      findPolicy(contract, 'error-buckets')?.buckets.some(({ billed }) => billed !== undefined) === true,
  );
}

/** A faulty server may run a POST with a usable credential. To take back what the run made costs nothing. */
export function mayBill(request: Pick<RequestPlan, 'method' | 'as' | 'bodyOpens' | 'takesBack'>): boolean {
  if (SAFE.has(request.method) || request.takesBack === true) return false;
  return request.bodyOpens === true || !REACH_NOTHING.has(request.as);
}

/** The maximum number of POSTs with a usable credential in these requests. */
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

/** Callers without a credential, and with one that the server must refuse. */
const REACH_NOTHING = new Set<Identity>(['none', 'unusable', 'refused']);

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
