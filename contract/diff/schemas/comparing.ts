import type { Effect, Party } from '../change.ts';
import type { ChangeKind } from '../kinds.ts';
import type { Flat, JsonType, Node, Schemas } from './flat.ts';

/** Which way a value goes, and who sends it: in a webhook the server sends the request. */
export interface Way {
  readonly direction: 'request' | 'response';
  readonly sender: Party;
  /** It is written as text, as parameters and headers are: `1` may be the number and the text. */
  readonly isText?: boolean;
  /** It is never sent: only the types in generated code can break. */
  readonly isUnused?: boolean;
  /** It is within a keyword, such as `not`, where a narrower schema can allow more values. */
  readonly within?: string;
}

/**
 * The change of the set of values. A narrower set breaks the sender, a wider one the receiver, any other change
 * breaks both.
 */
export type Sense = 'narrowed' | 'widened' | 'changed' | 'unknown' | 'same';

/** The places of both sides of a change. */
export interface Pair {
  readonly before: string;
  readonly after: string;
}

export interface Said {
  readonly says: string;
  readonly reason?: string;
  /** In place of what the sense means for them. */
  readonly sender?: Effect;
  readonly receiver?: Effect;
}

/** The two sides of a comparison and what it may ask for. */
export interface Comparing {
  readonly old: Flat;
  readonly new: Flat;
  readonly nodes: { readonly old: Node; readonly new: Node };
  readonly schemas: { readonly old: Schemas; readonly new: Schemas };
  readonly way: Way;
  readonly report: (kind: ChangeKind, sense: Sense, said: Said, pair: Pair) => void;
  /** Compares two more schemas, which are part of these. */
  readonly compare: (before: Node, after: Node, way?: Partial<Way>) => void;
}

export function pairOf({ old, new: next }: Comparing): Pair {
  return { before: old.pointer, after: next.pointer };
}

/** Whether both sides can have this type, so that keywords for it matter. */
export function bothTake({ old, new: next }: Comparing, ...types: readonly JsonType[]): boolean {
  return types.some((type) => old.types.has(type) && next.types.has(type));
}
