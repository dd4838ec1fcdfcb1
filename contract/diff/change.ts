import type { Contract, Json } from '../model.ts';
import { locateNear } from '../locate.ts';
import { valueAt } from '../pointer.ts';
import type { ChangeKind } from './kinds.ts';

/** Who is bound by a contract: those who call the API, and those who serve it. */
export type Party = 'callers' | 'servers';

/**
 * The effect of a change on a party that followed the old contract. `wire`: its requests or answers can fail with the
 * other party; `code`: its code may not compile with code that is generated from the new contract; `unknown`: cannot
 * be decided.
 */
export type Effect = 'none' | 'unknown' | 'code' | 'wire';

/** The effect of a change on callers and on servers. */
export type Effects = Readonly<Record<Party, Effect>>;

/** A place in a document or a sheet. */
export interface Place {
  /** As the user named it. */
  readonly file: string;
  /** A JSON pointer into the document. */
  readonly pointer: string;
  /** Counted from 1; absent where the place is not known. */
  readonly line?: number;
  readonly column?: number;
}

/** One difference between two contracts. */
export interface Change extends Effects {
  readonly kind: ChangeKind;
  /** What changed, in one sentence. */
  readonly says: string;
  /** Why it cannot be decided, where it cannot. */
  readonly reason?: string;
  /** The place in the old contract, or the nearest one around what is new. */
  readonly before: Place | undefined;
  /** The place in the new contract, or the nearest one around what is gone. */
  readonly after: Place | undefined;
  /** Ids of the operations that it concerns, by the new contract where they have one; empty where it concerns none by itself. */
  readonly operations: readonly string[];
}

/** The differences between two contracts. */
export interface Diff {
  readonly changes: readonly Change[];
}

/** A pointer into the document or the sheet of a contract. */
export interface At {
  readonly pointer: string;
  readonly in?: 'sheet';
}

/** A change before its places are looked up. */
export interface FoundChange extends Omit<Change, 'before' | 'after'> {
  readonly before: At;
  readonly after: At;
}

/** A change breaks a party on the wire or in its code. */
export function breaks(change: Effects, party: Party): boolean {
  return change[party] === 'wire' || change[party] === 'code';
}

/** The effect of a change as a whole: it breaks a party, its effect is unknown, or it is harmless. */
export type Judgement = 'breaking' | 'unknown' | 'harmless';

/** The judgement of a change as a whole: the worst for any party. */
export function judgementOf(change: Effects): Judgement {
  if (breaks(change, 'callers') || breaks(change, 'servers')) return 'breaking';
  return change.callers === 'unknown' || change.servers === 'unknown' ? 'unknown' : 'harmless';
}

/** The worse of two effects. */
export function worse(a: Effect, b: Effect): Effect {
  return RANK.indexOf(a) >= RANK.indexOf(b) ? a : b;
}

/** Where something is in a contract: at its pointer, or at the nearest place around it that the files have. */
export function placeOf({ document, sheet }: Contract, at: At): Place | undefined {
  const from = at.in === 'sheet' ? sheet : document;
  if (from === undefined) return undefined;
  // Pointers lead into the contract as it was read; the parts that reading added are not in the files.
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
