import type { Schema } from '../../contract/index.ts';

/** A schema under an identifier. References in it read `#/components/schemas/<identifier>` and lead to other entries. */
export interface TableEntry {
  readonly name: string;
  readonly schema: Schema;
}

export function referenceTo(name: string): Schema {
  return { $ref: PREFIX + name };
}

/** The identifier that a reference of a table leads to. */
export function referredName(reference: unknown): string | undefined {
  return typeof reference === 'string' && reference.startsWith(PREFIX)
    ? reference.slice(PREFIX.length)
    : undefined;
}

// --- internal ---

const PREFIX = '#/components/schemas/';
