import { isRecord } from './record.ts';

/**
 * A document without `$id`, `$anchor` and `$dynamicAnchor`. Those of its schemas are gone when it has been read. What is left
 * stands in examples, such as that of an API whose answers are schemas, and ajv takes it for an address of a schema.
 *
 * @returns the same value where there is no such name
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

/** Values that a schema compares with, where ajv looks for no address. */
const JUDGED: ReadonlySet<string> = new Set(['enum', 'const', 'default']);
