import { memberAt } from './member-at.ts';

/** The query parameter of a list that names the member by which it is sorted. */
export interface SortingFact {
  readonly parameter: string;
  /** The text before or after the name of a member that reverses the order, such as `-` or `:desc`. */
  readonly descending?: string;
  /** The same for the ascending order, if it has one, such as `:asc`. */
  readonly ascending?: string;
}

export interface SortKey {
  readonly member: string;
  readonly isDescending: boolean;
}

/** What a value of the parameter means; `undefined` if it names no known member. */
export function sortKeyOf(
  { descending, ascending }: SortingFact,
  value: string,
  members: readonly string[],
): SortKey | undefined {
  const named = (mark: string | undefined): string | undefined => {
    if (mark === undefined || mark === '') return undefined;
    const names = [
      value.startsWith(mark) ? value.slice(mark.length) : undefined,
      value.endsWith(mark) ? value.slice(0, -mark.length) : undefined,
    ];
    return names.find((name) => name !== undefined && members.includes(name));
  };
  if (members.includes(value)) return { member: value, isDescending: false };
  const up = named(ascending);
  if (up !== undefined) return { member: up, isDescending: false };
  const down = named(descending);
  return down === undefined ? undefined : { member: down, isDescending: true };
}

/** The things in this order; equal ones keep their order, and those without a value come last. */
export function sorted<Item>(items: readonly Item[], { member, isDescending }: SortKey): readonly Item[] {
  const sign = isDescending ? -1 : 1;
  return [...items].sort((one, other) => {
    const [a, b] = [memberAt(one, member), memberAt(other, member)];
    if (isNone(a) || isNone(b)) return Number(isNone(a)) - Number(isNone(b));
    return sign * compared(a, b);
  });
}

// --- internal ---

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [String(one), String(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
