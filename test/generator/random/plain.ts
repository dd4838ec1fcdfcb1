/** A value as a text that is the same for the same value: with bytes, and in any order of members. */
export async function plain(value: unknown): Promise<string> {
  return JSON.stringify(await readable(value)) ?? 'undefined';
}

// --- internal ---

async function readable(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return { bytes: [...new Uint8Array(await value.arrayBuffer())] };
  if (Array.isArray(value)) return await Promise.all(value.map(readable));
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  const entries = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(async ([name, one]) => [name, await readable(one)] as const);
  return { members: await Promise.all(entries) };
}
