import type { Deviation } from './deviation.ts';
import type { Replacements } from './replacements.ts';

export type OnReply = NonNullable<Deviation['onReply']>;

/** How a rule is broken: by a change of outgoing answers, by replacements of conforming parts, or by both. */
export type Breakage = OnReply | (Replacements & { readonly onReply?: OnReply });

type Companions = Deviation['alsoFails'];

/**
 * Makes a table of deviations for some operations, or for all requests of the API if none is named. A row is
 * the id of a deviation and its method of breaking the rule, with the other rules that break as a
 * consequence.
 *
 * ```ts
 * breaks('listModels')({
 *   'router.list.limit-honoured~serves-20': { router: servedEntries(20) },
 *   'router.list.limit-clamped~400': when(asks((limit) => limit > 100), refusal(400, 'badInput')),
 *   'router.list.limit-zero~one': [
 *     when(asks((limit) => limit === 0), echo(1)),
 *     along('a later page contains more than the echoed limit', 'router.list.data-at-most-limit'),
 *   ],
 * });
 * ```
 */
export function breaks(
  ...operations: readonly string[]
): (
  table: Readonly<Record<`${string}~${string}`, Breakage | readonly [Breakage, ...Companions[]]>>,
) => readonly Deviation[] {
  return (table) =>
    Object.entries(table).map(([id, row]) => {
      const [breakage, ...alsoFails] = isWithCompanions(row) ? row : [row];
      return {
        id,
        rule: id.slice(0, id.indexOf('~')),
        alsoFails: alsoFails.flat(),
        ...(operations.length === 0 ? {} : { operations }),
        ...partsOf(breakage),
      };
    });
}

/** The same reason for several rules. */
export function along(why: string, ...rules: readonly string[]): Companions {
  return rules.map((rule) => ({ rule, why }));
}

/** The same for rules that only some courses find broken, such as those of a search. */
export function bySearch(why: string, ...rules: readonly string[]): Companions {
  return rules.map((rule) => ({ rule, why, bySearch: true }));
}

/** The parts of a deviation that break its rule in this way. */
export function partsOf(breakage: Breakage): Pick<Deviation, 'onReply' | 'replaces'> {
  if (typeof breakage === 'function') return { onReply: breakage };
  const { onReply, ...replaces } = breakage;
  return onReply === undefined ? { replaces } : { onReply, replaces };
}

// --- internal ---

function isWithCompanions<Row extends readonly unknown[]>(row: Breakage | Row): row is Row {
  return Array.isArray(row);
}
