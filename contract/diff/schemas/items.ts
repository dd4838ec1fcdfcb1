import { bothTake, type Comparing } from './comparing.ts';
import type { FlatSchema, Node, Part } from './flat-schema.ts';
import type { Schemas } from './flat.ts';
import type { Schema } from '../../model.ts';
import { joinPointer } from '../../pointer.ts';

/** Compares the items of arrays. */
export function compareItems(comparing: Comparing): void {
  if (!bothTake(comparing, 'array')) return;
  const { old, new: next, schemas, compare } = comparing;
  const [before, after] = [rowOf(old), rowOf(next)];
  const length = Math.max(before.first.length, after.first.length);
  for (let index = 0; index < length; index += 1)
    compare(itemOf(old, before, schemas.old, index), itemOf(next, after, schemas.new, index));
  if (before.rest.length > 0 || after.rest.length > 0)
    compare(itemOf(old, before, schemas.old, length), itemOf(next, after, schemas.new, length));
}

// --- internal ---

interface Row {
  /** The schemas of the first items, by position. */
  readonly first: readonly (readonly Part[])[];
  /** The schema of all other items. */
  readonly rest: readonly Part[];
}

function rowOf({ keywords }: FlatSchema): Row {
  const first: Part[][] = [];
  for (const { value, pointer } of keywords.get('prefixItems') ?? [])
    if (Array.isArray(value))
      (value as readonly Schema[]).slice(0, MOST_POSITIONS).forEach((schema, index) => {
        (first[index] ??= []).push({ schema, pointer: joinPointer(pointer, index) });
      });
  const rest = [...(keywords.get('items') ?? []), ...(keywords.get('unevaluatedItems') ?? [])].flatMap(
    ({ value, pointer }): Part[] => (Array.isArray(value) ? [] : [{ schema: value as Schema, pointer }]),
  );
  return { first, rest };
}

function itemOf(flat: FlatSchema, { first, rest }: Row, schemas: Schemas, index: number): Node {
  const isFirst = index < first.length;
  return schemas.nodeOf(first[index] ?? rest, `${flat.owner}[${isFirst ? String(index) : ''}]`, flat.pointer);
}

const MOST_POSITIONS = 1000;
