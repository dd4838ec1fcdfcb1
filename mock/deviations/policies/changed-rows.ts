import type { Json, JsonObject } from '../../../contract/model.ts';
import type { Row, TableView } from '../../enacted/tables.ts';

/** The things that were created after one. */
export function laterThan(things: TableView, { within, id }: Pick<Row, 'within' | 'id'>): readonly Row[] {
  const rows = things.rows(within);
  return rows.slice(rows.findIndex((row) => row.id === id) + 1);
}

/** The same thing with other values of some members. */
export function withMembers(
  row: Row | undefined,
  names: readonly string[],
  value: () => Json,
): Row | undefined {
  if (row === undefined) return undefined;
  return { ...row, item: { ...row.item, ...Object.fromEntries(names.map((name) => [name, value()])) } };
}

/** The same thing, as one that all callers may see. */
export function ownerless(row: Row | undefined): Row | undefined {
  if (row === undefined) return undefined;
  const { owner: _, ...seen } = row;
  return seen;
}

/** The same thing with other texts. */
export function altered(row: Row, plain: readonly string[]): Row {
  const item = Object.entries(row.item).map(([name, value]) => [
    name,
    plain.includes(name) && typeof value === 'string' ? value.replace(/.$/, '~') : value,
  ]);
  return { ...row, item: Object.fromEntries(item) as JsonObject };
}

/** A thing that keeps members that the request left out. */
export function merged(things: TableView, row: Row): Row {
  const before = things.get(row.within, row.id);
  return { ...row, item: { ...before?.item, ...row.item } };
}
