import type { Operation } from '../model.ts';
import type { Party } from './change.ts';

/** An operation on both sides. */
export interface OperationPair {
  readonly old: Operation;
  readonly new: Operation;
  /** Who sends the request: callers, except for webhooks and callbacks. */
  readonly sender: Party;
}
