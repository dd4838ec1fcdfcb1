import { isObject } from '../../../exchanges/exchange.ts';

/** The value of the input at a `loc`; some providers begin their path with the part of the request. */
export function valueAt(
  input: unknown,
  loc: readonly unknown[],
): { readonly found: boolean; readonly value: unknown } {
  const follow = (path: readonly unknown[]): { found: boolean; value: unknown } => {
    let value: unknown = input;
    for (const step of path) {
      const within = Array.isArray(value)
        ? Number.isInteger(Number(step)) && Number(step) < value.length
        : isObject(value) && Object.hasOwn(value, String(step));
      if (!within) return { found: false, value: undefined };
      value = (value as Record<string, unknown>)[String(step)];
    }
    return { found: true, value };
  };
  const direct = follow(loc);
  return direct.found || loc[0] !== 'body' ? direct : follow(loc.slice(1));
}

/**
 * Whether a path passes through an item that an array of the input does not have. A path that ends at such an
 * item may name a missing one.
 */
export function leadsBeyond(input: unknown, loc: readonly unknown[]): boolean {
  let value: unknown = input;
  const path = loc[0] === 'body' && !(isObject(input) && 'body' in input) ? loc.slice(1) : loc;
  for (const [index, step] of path.entries()) {
    if (Array.isArray(value) && Number.isInteger(step) && Number(step) >= value.length)
      return index < path.length - 1;
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string, unknown>)[String(step)];
  }
  return false;
}

/** How a `loc` refers to items in the arrays of the input: by integers, in another way, or not at all. */
export function wayInto(input: unknown, loc: readonly unknown[]): 'by integer' | 'otherwise' | 'no array' {
  let value: unknown = input;
  let way: 'by integer' | 'no array' = 'no array';
  const path = loc[0] === 'body' && !(isObject(input) && 'body' in input) ? loc.slice(1) : loc;
  for (const step of path) {
    if (Array.isArray(value)) {
      if (!Number.isInteger(step)) return 'otherwise';
      way = 'by integer';
    }
    if (typeof value !== 'object' || value === null) return way;
    if (typeof step === 'string' && isPositionInText(value, step)) return 'otherwise';
    value = (value as Record<string, unknown>)[String(step)];
  }
  return way;
}

/** Whether a step of a `loc` is an empty text that names no member of the input. */
export function isNameless(input: unknown, loc: readonly unknown[]): boolean {
  return loc.some((step, at) => step === '' && !valueAt(input, loc.slice(0, at + 1)).found);
}

// --- internal ---

/**
 * Whether a step combines the name of an array and an index in one text, such as `layers[1]` or
 * `layers.1.opacity`.
 */
function isPositionInText(value: object, step: string): boolean {
  const [name = ''] = step.split(/[.[]/, 1);
  const isName = name !== step && !Object.hasOwn(value, step) && Object.hasOwn(value, name);
  return isName && /^[.[]\d/.test(step.slice(name.length)) && Array.isArray((value as never)[name]);
}
