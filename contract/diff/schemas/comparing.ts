import type { Effect, Party } from '../change.ts';
import type { ChangeKind } from '../kinds.ts';
import type { FlatSchema, JsonType, Node } from './flat-schema.ts';
import type { Schemas } from './flat.ts';

/** The direction of a value, and the party that sends it: in a webhook the server sends the request. */
export interface Way {
  readonly direction: 'request' | 'response';
  readonly sender: Party;
  /** The value is sent as text, as in parameters and headers: `1` may be the number or the text. */
  readonly isText?: boolean;
  /** The value is never sent: only types in generated code can break. */
  readonly isUnused?: boolean;
  /** The value is inside a keyword such as `not`, where a narrower schema can allow more values. */
  readonly within?: string;
}

/**
 * The change of the set of values. A narrower set breaks the sender, a wider one the receiver, any other change
 * breaks both.
 */
export type SetChange = 'narrowed' | 'widened' | 'changed' | 'unknown' | 'same';

/** The places of both sides of a change. */
export interface Pair {
  readonly before: string;
  readonly after: string;
}

export interface ChangeDetails {
  readonly says: string;
  readonly reason?: string;
  /** Overrides the usual effect of the sense on this party. */
  readonly sender?: Effect;
  readonly receiver?: Effect;
}

/** The two sides of a comparison, and the functions that it needs. */
export interface Comparing {
  readonly old: FlatSchema;
  readonly new: FlatSchema;
  readonly nodes: { readonly old: Node; readonly new: Node };
  readonly schemas: { readonly old: Schemas; readonly new: Schemas };
  readonly way: Way;
  readonly report: (kind: ChangeKind, sense: SetChange, said: ChangeDetails, pair: Pair) => void;
  /** Compares two schemas that are parts of these. */
  readonly compare: (before: Node, after: Node, way?: Partial<Way>) => void;
}

export function pairOf({ old, new: next }: Comparing): Pair {
  return { before: old.pointer, after: next.pointer };
}

/** Whether both sides allow this type, so that its keywords are relevant. */
export function bothTake({ old, new: next }: Comparing, ...types: readonly JsonType[]): boolean {
  return types.some((type) => old.types.has(type) && next.types.has(type));
}
