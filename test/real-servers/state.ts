import { isDeepStrictEqual } from 'node:util';
import type { OwnWrite } from './server.ts';

/** What a server has stored: its rows by table and key. */
export type State = ReadonlyMap<string, ReadonlyMap<string, Row>>;

export type Row = Readonly<Record<string, unknown>>;

/** A row that differs between two states. */
export interface Difference {
  readonly table: string;
  readonly key: string;
  readonly kind: 'made' | 'changed' | 'gone';
  /** The members with other values; all of them where the row was made or is gone. */
  readonly members: readonly string[];
  /** The row as it is now; as it was, where it is gone. */
  readonly row: Row;
}

/** The rows of two states that differ. */
export function differencesOf(before: State, after: State): readonly Difference[] {
  const tables = new Set([...before.keys(), ...after.keys()]);
  return [...tables].flatMap((table) => {
    const [then, now] = [before.get(table) ?? NONE, after.get(table) ?? NONE];
    return [...new Set([...then.keys(), ...now.keys()])].flatMap((key): Difference[] => {
      const [old, row] = [then.get(key), now.get(key)];
      if (old === undefined)
        return row === undefined ? [] : [{ table, key, kind: 'made', members: Object.keys(row), row }];
      if (row === undefined) return [{ table, key, kind: 'gone', members: Object.keys(old), row: old }];
      const members = [...new Set([...Object.keys(old), ...Object.keys(row)])].filter(
        (name) => !isDeepStrictEqual(old[name], row[name]),
      );
      return members.length === 0 ? [] : [{ table, key, kind: 'changed', members, row }];
    });
  });
}

/** The differences that the server does not explain itself. */
export function withoutOwnWrites(
  differences: readonly Difference[],
  ownWrites: readonly OwnWrite[],
): readonly Difference[] {
  return differences.flatMap((difference) => {
    const own = ownWrites.filter(({ table }) => table === difference.table);
    if (own.some(({ members }) => members === undefined)) return [];
    if (difference.kind !== 'changed') return [difference];
    const members = difference.members.filter((name) => !own.some((one) => one.members?.includes(name)));
    return members.length === 0 ? [] : [{ ...difference, members }];
  });
}

/**
 * Whether a row is, or is about, something that the run made and left: one of its values is the id of it. Only a new row
 * can be explained so. A row that changed or is gone was there before the run.
 */
export function isAboutLeft({ kind, row }: Difference, left: ReadonlySet<string>): boolean {
  return kind === 'made' && Object.values(row).some((value) => left.has(String(value)));
}

// --- internal ---

const NONE: ReadonlyMap<string, Row> = new Map();
