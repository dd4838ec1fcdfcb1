import { joinPointer } from '../pointer.ts';
import type { Repaired } from './repair-list.ts';

/**
 * Values of an enum that do not have the declared type of the schema: `enum: [1, 1.10, true]` with type
 * string means texts, and `enum: ['1']` with type integer means numbers.
 *
 * @param textAt the source text at a pointer, if it is a scalar: it preserves the zero of `1.10`
 */
export function repairEnum(
  { value, pointer }: { readonly value: Record<string, unknown>; readonly pointer: string },
  textAt: (pointer: string) => string | undefined,
  repaired: Repaired,
): void {
  const values = value['enum'];
  const type = onlyType(value['type']);
  if (!Array.isArray(values) || type === undefined) return;
  const at = joinPointer(pointer, 'enum');
  const read = values.map((given: unknown, index) =>
    type === 'string' ? asText(given, () => textAt(joinPointer(at, index))) : asNumber(given, type),
  );
  if (read.every((entry, index) => entry === values[index])) return;
  value['enum'] = [...new Set(read)];
  for (const name of ['default', 'const']) {
    const index = Object.hasOwn(value, name) ? values.indexOf(value[name]) : -1;
    if (index >= 0) value[name] = read[index];
  }
  repaired({
    kind: 'values of an enum of another type',
    pointer: at,
    wrong: `enum has values that are not of type ${type}`,
    read: JSON.stringify(value['enum']).slice(0, 60),
    part: 'name',
  });
}

/** The only type of a schema besides `null`, if there is exactly one. */
export function onlyType(type: unknown): string | undefined {
  const types = [type].flat().filter((name) => name !== 'null');
  return types.length === 1 && typeof types[0] === 'string' ? types[0] : undefined;
}

// --- internal ---

function asText(given: unknown, written: () => string | undefined): unknown {
  if (typeof given === 'boolean') return String(given);
  if (typeof given !== 'number') return given;
  const text = written();
  return text !== undefined && Number(text) === given ? text : String(given);
}

function asNumber(given: unknown, type: string): unknown {
  if ((type !== 'integer' && type !== 'number') || typeof given !== 'string') return given;
  const isWritten = type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(?:\.\d{1,15})?$/;
  return isWritten.test(given) ? Number(given) : given;
}
