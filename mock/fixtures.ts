/** The fixtures file of the suite, as far as a mock honours it. */
export type Fixtures = Readonly<Record<string, unknown>>;

/** Brings the fixtures of several APIs together; groups that more than one of them fills are merged. */
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
