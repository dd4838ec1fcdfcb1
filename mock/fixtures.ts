/** The fixtures file of the suite, as far as a mock supports it. */
export type Fixtures = Readonly<Record<string, unknown>>;

/** Merges the fixtures of several APIs, including groups to which several of them contribute. */
export function mergeFixtures(parts: readonly Fixtures[]): Fixtures {
  const merged: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      const earlier = merged[name];
      merged[name] = isGroup(earlier) && isGroup(value) ? { ...earlier, ...value } : value;
    }
  }
  return merged;
}

// --- internal ---

function isGroup(value: unknown): value is Fixtures {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
