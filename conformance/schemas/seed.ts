/** Random numbers in [0, 1) that depend only on a text, so that filters and shards do not change them. */
export function seededRandom(text: string): () => number {
  let state = 0x9e3779b9;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x85ebca6b) >>> 0;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
