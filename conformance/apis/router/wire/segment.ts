/** Document 1, Identifier schemas, table: the pattern and the length of a provider. */
export function isProvider(text: unknown): text is string {
  return isSegment(text, 64);
}

/** The same table: the pattern and the length of a model. */
export function isModel(text: unknown): text is string {
  return isSegment(text, 128);
}

// --- internal ---

function isSegment(text: unknown, longest: number): text is string {
  return typeof text === 'string' && text.length <= longest && /^[a-z0-9]+([._-][a-z0-9]+)*$/.test(text);
}
