import { isObject } from '../../../exchanges/exchange.ts';

/** The limit for the number of bodies. */
export const MOST_LIKENESSES = 4;

/**
 * Bodies that a careless comparison treats as equal: each differs in one value of the same type. A valid body
 * stays valid, as far as this can be known without a schema.
 */
export function likenesses(input: unknown): readonly unknown[] {
  const text = (change: (value: string) => string): unknown => changedLast(input, isText, change);
  return [
    // A text of the same length that differs near its end.
    text((value) => `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`),
    text((value) => (value.toUpperCase() === value ? value.toLowerCase() : value.toUpperCase())),
    changedLast(input, isNumber, (value) => value + 1),
    changedLast(input, isList, (value) => value.toReversed()),
  ].filter((body) => body !== undefined && JSON.stringify(body) !== JSON.stringify(input));
}

/** A value with a member of each kind, and a long text at its end. */
export const RICH = {
  list: [1, 2],
  number: 1,
  seed: 1,
  text: 'Text',
  accent: '\u00e9',
  picture: '\u{1f58b}',
  nothing: null,
  long: `${'tally '.repeat(1400)}a`,
};

/** The same with one member changed. */
export const LIKE: readonly ((rich: typeof RICH) => unknown)[] = [
  (rich) => ({ ...rich, list: [2, 1] }),
  (rich) => ({ ...rich, number: 2 }),
  (rich) => ({ ...rich, seed: 2 }),
  (rich) => ({ ...rich, number: '1' }),
  (rich) => ({ ...rich, text: 'text' }),
  (rich) => ({ ...rich, accent: '\u00e8' }),
  (rich) => ({ ...rich, picture: '\u{1f58a}' }),
  ({ nothing: _, ...rich }) => rich,
  (rich) => ({ ...rich, long: `${rich.long.slice(0, -1)}b` }),
];

// --- internal ---

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 1;
}

/** The value with another one in place of the last leaf of a type; `undefined` if it has none. */
function changedLast<Kind>(
  value: unknown,
  isOne: (value: unknown) => value is Kind,
  change: (value: Kind) => unknown,
): unknown {
  if (isOne(value)) return change(value);
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  for (const [name, inner] of Object.entries<unknown>(value).reverse()) {
    const changed = changedLast(inner, isOne, change);
    if (changed === undefined) continue;
    if (Array.isArray(value))
      return value.map((item: unknown, index) => (String(index) === name ? changed : item));
    return { ...value, [name]: changed };
  }
  return undefined;
}
