import type { Contract, Json } from '../model.ts';
import { locateNear } from '../text/locate.ts';
import { valueAt } from '../pointer.ts';
import type { ChangeKind } from './kinds.ts';

/** The parties to a contract: those who call the API, and those who serve it. */
export type Party = 'callers' | 'servers';

/**
 * The effect of a change on a party that still follows the old contract. `wire`: the other party may reject
 * its requests or answers; `code`: its code may not compile with the newly generated code; `unknown`:
 * undecided.
 */
export type Effect = 'none' | 'unknown' | 'code' | 'wire';

/** The effect of a change on callers and on servers. */
export type Effects = Readonly<Record<Party, Effect>>;

/** A place in a document or a sheet. */
export interface Place {
  /** The file, as the user named it. */
  readonly file: string;
  /** A JSON pointer into the document or sheet. */
  readonly pointer: string;
  /** Counted from 1; absent if the place is not known. */
  readonly line?: number;
  readonly column?: number;
}

/** One difference between two contracts. */
export interface Change extends Effects {
  readonly kind: ChangeKind;
  /** The change, in one sentence. */
  readonly says: string;
  /** Why the effect is undecided; only for the effect `unknown`. */
  readonly reason?: string;
  /** The place in the old contract; for an addition, the nearest enclosing place. */
  readonly before: Place | undefined;
  /** The place in the new contract; for a removal, the nearest enclosing place. */
  readonly after: Place | undefined;
  /**
   * Ids of the operations that the change affects, from the new contract if it has them; empty for a change
   * that is not about an operation.
   */
  readonly operations: readonly string[];
}

/** The differences between two contracts. */
export interface Diff {
  readonly changes: readonly Change[];
}

/** A pointer into the document or the sheet of a contract. */
export interface ContractPointer {
  readonly pointer: string;
  readonly in?: 'sheet';
}

/** A change whose places are still pointers. */
export interface FoundChange extends Omit<Change, 'before' | 'after'> {
  readonly before: ContractPointer;
  readonly after: ContractPointer;
}

/** Whether a change breaks a party on the wire or in its code. */
export function breaks(change: Effects, party: Party): boolean {
  return change[party] === 'wire' || change[party] === 'code';
}

/** The effect of a change as a whole. */
export type Judgement = 'breaking' | 'unknown' | 'harmless';

/** The effect of a change as a whole: the worst effect on any party. */
export function judgementOf(change: Effects): Judgement {
  if (breaks(change, 'callers') || breaks(change, 'servers')) return 'breaking';
  return change.callers === 'unknown' || change.servers === 'unknown' ? 'unknown' : 'harmless';
}

/** The worse of two effects. */
export function worse(a: Effect, b: Effect): Effect {
  return RANK.indexOf(a) >= RANK.indexOf(b) ? a : b;
}

/** The place of a pointer in the files of a contract, or the nearest enclosing place that the files have. */
export function placeOf({ document, sheet }: Contract, at: ContractPointer): Place | undefined {
  const from = at.in === 'sheet' ? sheet : document;
  if (from === undefined) return undefined;
  // Pointers refer to the contract as read; parts that reading added are not in the files.
  const pointer = at.in === 'sheet' ? at.pointer : existing(document.root, at.pointer);
  const location = locateNear(from.locate, pointer);
  return location === undefined
    ? { file: from.file, pointer }
    : { file: location.file, pointer, line: location.line, column: location.column };
}

// --- internal ---

const RANK: readonly Effect[] = ['none', 'unknown', 'code', 'wire'];

function existing(root: Json, pointer: string): string {
  let at = pointer;
  while (at !== '' && valueAt(root, at) === undefined) at = at.slice(0, at.lastIndexOf('/'));
  return at;
}
