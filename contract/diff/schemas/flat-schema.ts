import type { Json, Schema } from '../../model.ts';

/** A schema with its pointer in the document. */
export interface Part {
  readonly schema: Schema;
  readonly pointer: string;
}

/** The description of a value: all of these parts together. */
export interface Node {
  readonly parts: readonly Part[];
  /** Name for messages, such as `Pet.owner`. */
  readonly label: string;
  /** The enclosing place, for a node without parts: such a node allows any value. */
  readonly around: string;
}

/** The types of JSON; numbers are split into integers and fractions. */
export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'string' | 'integer' | 'fraction';

export interface Placed {
  readonly value: Json;
  readonly pointer: string;
}

export interface Group {
  readonly keyword: 'oneOf' | 'anyOf';
  /** The alternatives, except those that only allow `null`. */
  readonly branches: readonly Node[];
  readonly pointer: string;
}

/**
 * A schema with everything that applies to each of its values: references followed, `allOf` merged, `null` separated.
 */
export interface FlatSchema {
  readonly label: string;
  /**
   * The name that prefixes the names of members; for a schema with `null` as its alternative, that of the
   * other schema.
   */
  readonly owner: string;
  readonly pointer: string;
  readonly types: ReadonlySet<JsonType>;
  /** The allowed values, if the schema lists them. */
  readonly values: readonly Json[] | undefined;
  /** All other assertions and annotations, by keyword. */
  readonly keywords: ReadonlyMap<string, readonly Placed[]>;
  readonly members: ReadonlyMap<string, readonly Part[]>;
  readonly required: ReadonlyMap<string, string>;
  /** The schema for members without their own description; `undefined` if any value is allowed. */
  readonly others: { readonly closed: boolean; readonly node: Node | undefined; readonly pointer: string };
  readonly groups: readonly Group[];
  readonly discriminator: Placed | undefined;
  /** The only alternative besides `null`. */
  readonly single: Node | undefined;
  /** Parts were left out, because the schema is composed of too many. */
  readonly isCut: boolean;
}

export const EVERY_TYPE: readonly JsonType[] = [
  'null',
  'boolean',
  'object',
  'array',
  'string',
  'integer',
  'fraction',
];

/** The place of a node: its first part, or the place where it would be. */
export function pointerOf({ parts, around }: Node): string {
  return parts[0]?.pointer ?? around;
}
