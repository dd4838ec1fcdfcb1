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
  // Most objects have no address: one is copied only when a member is left out or changed.
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const member = value[name];
    const isAddress = ADDRESSES.has(name) && typeof member === 'string';
    const read = JUDGED.has(name) ? member : withoutAddresses(member);
    if (!isAddress && read === member) continue;
    copy ??= { ...value };
    if (isAddress) Reflect.deleteProperty(copy, name);
    else copy[name] = read;
  }
  return (copy ?? value) as Value;
}

// --- internal ---

const ADDRESSES: ReadonlySet<string> = new Set(['$id', '$anchor', '$dynamicAnchor']);

/** Members whose values are data to compare with. ajv looks for no address in them. */
const JUDGED: ReadonlySet<string> = new Set(['enum', 'const', 'default']);
