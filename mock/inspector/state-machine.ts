import type { JobList } from '../apis/jobs/control-shape.ts';

/** A state with its place in the picture: the column is the number of steps from the first state. */
export interface PlacedState {
  readonly name: string;
  readonly terminal: boolean;
  readonly column: number;
  readonly row: number;
}

/** States in columns by their distance from the first one, in the order of the contract. */
export function placed(
  states: JobList['states'],
  transitions: JobList['transitions'],
): readonly PlacedState[] {
  const columns = new Map<string, number>(states.slice(0, 1).map(({ name }) => [name, 0]));
  for (const [name, column] of columns) {
    for (const { from, to } of transitions)
      if (from === name && !columns.has(to)) columns.set(to, column + 1);
  }
  const rows = new Map<number, number>();
  return states.map(({ name, terminal }) => {
    const column = columns.get(name) ?? 0;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { name, terminal, column, row };
  });
}
