import type { StepChoices } from './model.ts';

/**
 * A small set of choices in which any two values of two factors are combined at least once. Most faults
 * depend on at most two factors.
 *
 * @param random in [0, 1): which choices, and their order
 */
export function pairwise(
  factors: Readonly<Record<string, readonly string[]>>,
  random: () => number,
): readonly StepChoices[] {
  const names = Object.keys(factors);
  const missing = new Set(pairsOf(factors));
  const rows: StepChoices[] = [];
  if (names.length < 2)
    return shuffled(Object.values(factors)[0] ?? [], random).map((value) => ({ [names[0] ?? '']: value }));
  while (missing.size > 0) {
    const [first = ''] = missing;
    let row = read(first);
    for (const name of shuffled(names, random)) {
      if (row[name] !== undefined) continue;
      const gain = (value: string): number =>
        Object.entries(row).filter(([other, its]) => missing.has(pair(name, value, other, its))).length;
      const values = shuffled(factors[name] ?? [], random);
      const best = values.toSorted((a, b) => gain(b) - gain(a))[0] ?? '';
      row = { ...row, [name]: best };
    }
    const ordered = Object.fromEntries(names.map((name) => [name, row[name] ?? '']));
    for (const one of pairsIn(ordered)) missing.delete(one);
    rows.push(ordered);
  }
  return valuesFirst(shuffled(rows, random));
}

/** The same choices, ordered by the number of new values that they add. */
export function valuesFirst(rows: readonly StepChoices[]): readonly StepChoices[] {
  const left = [...rows];
  const seen = new Set<string>();
  const gain = (row: StepChoices): number =>
    Object.entries(row).filter((entry) => !seen.has(entry.join('='))).length;
  return rows.map(() => {
    let best = 0;
    for (const index of left.keys()) if (gain(left[index] ?? {}) > gain(left[best] ?? {})) best = index;
    const [row = {}] = left.splice(best, 1);
    for (const entry of Object.entries(row)) seen.add(entry.join('='));
    return row;
  });
}

/** A copy in another order. */
export function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Each pair of values of two factors that the choices combine. */
export function pairsIn(choices: StepChoices): readonly string[] {
  const entries = Object.entries(choices);
  return entries.flatMap(([name, value], index) =>
    entries.slice(index + 1).map(([other, its]) => pair(name, value, other, its)),
  );
}

/** Each possible pair of values of two factors. */
export function pairsOf(factors: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const entries = Object.entries(factors);
  return entries.flatMap(([name, values], index) =>
    entries
      .slice(index + 1)
      .flatMap(([other, its]) => values.flatMap((value) => its.map((one) => pair(name, value, other, one)))),
  );
}

// --- internal ---

function pair(name: string, value: string, other: string, its: string): string {
  return JSON.stringify(name < other ? [name, value, other, its] : [other, its, name, value]);
}

function read(text: string): Readonly<Record<string, string>> {
  const [name, value, other, its] = JSON.parse(text) as readonly [string, string, string, string];
  return { [name]: value, [other]: its };
}
