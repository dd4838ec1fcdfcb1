import { isRecord } from '../record.ts';

/**
 * Removes `$id`, `$anchor` and `$dynamicAnchor` from a document. Reading it has already resolved those of its
 * schemas. The remaining ones are inside examples, such as in an API whose answers are schemas, and ajv would
 * take them for addresses of schemas.
 *
 * @returns the same value if it has no such member
 */
export function withoutAddresses<Value>(value: Value): Value {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const read = items.map(withoutAddresses);
    return read.every((item, index) => item === items[index]) ? value : (read as Value);
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    JUDGED.has(name) ? member : withoutAddresses(member),
  ]);
  const kept = members.filter(([name, member]) => !ADDRESSES.has(name) || typeof member !== 'string');
  const isSame = kept.length === members.length && kept.every(([name, member]) => member === value[name]);
  return isSame ? value : (Object.fromEntries(kept) as Value);
}

// --- internal ---

const ADDRESSES: ReadonlySet<string> = new Set(['$id', '$anchor', '$dynamicAnchor']);

/** Members whose values are data to compare with. ajv looks for no address in them. */
const JUDGED: ReadonlySet<string> = new Set(['enum', 'const', 'default']);
