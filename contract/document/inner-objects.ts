/** Every object and array in a value, and the value itself. Uses no recursion, and ends for a value in itself. */
export function innerObjects(value: unknown): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || found.has(next)) continue;
    found.add(next);
    // No spread: an object can have more members than a call has arguments.
    for (const inner of Object.values(next)) open.push(inner);
  }
  return found;
}
