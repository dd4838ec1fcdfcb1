import { Refused } from './decision.ts';
import type { ServedOperation } from './served-api.ts';
import type { Notice } from './findings.ts';

/** The observer of failures of the store. */
export interface StoreObserver {
  /** Reports to the observer. Never throws. */
  readonly tell: (notice: Notice) => void;
}

/**
 * Refuses a call because the store does not answer.
 *
 * @throws {Refused} always
 */
export function storeUnavailable(
  { tell }: StoreObserver,
  operation: ServedOperation,
  error: unknown,
  message: string = NOTHING_BEGUN,
): never {
  tell({ kind: 'store', operation: operation.id, error });
  throw new Refused({ cause: 'unavailable', message, headers: { 'Retry-After': '1' } });
}

// --- internal ---

const NOTHING_BEGUN = 'The server cannot reach its store. Nothing was started.';
