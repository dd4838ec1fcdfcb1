import type { Schema } from '../../contract/index.ts';

/**
 * A schema with its identifier. References in it have the form `#/components/schemas/<identifier>` and refer
 * to other entries.
 */
export interface TableEntry {
  readonly name: string;
  readonly schema: Schema;
}

export function referenceTo(name: string): Schema {
  return { $ref: PREFIX + name };
}

/** The identifier in a reference of a table. */
export function referredName(reference: unknown): string | undefined {
  return typeof reference === 'string' && reference.startsWith(PREFIX)
    ? reference.slice(PREFIX.length)
    : undefined;
}

// --- internal ---

const PREFIX = '#/components/schemas/';
