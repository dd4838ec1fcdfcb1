import type { TableView } from '../../enacted/tables.ts';
import type { Replacements } from '../replacements.ts';
import { alongCases, alongPolicy } from './broken.ts';

/** The same collection with some operations replaced, if they exist. */
export function at(
  operations: readonly (string | undefined)[],
  over: (things: TableView) => Partial<TableView>,
): Pick<Replacements, 'things'> & { readonly operations: readonly string[] } {
  return {
    operations: operations.filter((id) => id !== undefined),
    things: (things) => ({
      get size() {
        return things.size;
      },
      get made() {
        return things.made;
      },
      set made(count) {
        things.made = count;
      },
      rows: (within) => things.rows(within),
      get: (within, id) => things.get(within, id),
      gone: (within, id) => things.gone(within, id),
      put: (row) => {
        things.put(row);
      },
      delete: (row, isKept) => {
        things.delete(row, isKept);
      },
      ...over(things),
    }),
  };
}

export function nothing(): void {
  // The requested change is not made.
}

const courses = 'another course changes the thing of this one';

/** The next thing may belong to another course of requests. */
export const neighbours = [
  alongCases(courses, 'created', 'listed', 'missing', 'replaced', 'patched', 'deleted', 'restored', 'apart'),
  alongPolicy(
    'conditional-write',
    courses,
    ...['current', 'list', 'any', 'changed', 'mismatch', 'weak', 'required', 'exists'],
  ),
  alongPolicy('conditional-get', 'a tag changes by another call', 'current', 'weak', 'list', 'kept-headers'),
  alongPolicy('lifecycle', courses, 'transitions', 'refused'),
  alongPolicy('resource', courses, 'owned', 'filtered'),
] as const;
