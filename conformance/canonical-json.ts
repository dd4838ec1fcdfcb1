/** JSON text that does not depend on the order of members; `undefined` for a text that is not JSON. */
export function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
