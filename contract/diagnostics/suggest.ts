/**
 * The candidate that a misspelt word most likely means, or `undefined` if none is near: at most a third of
 * its letters may differ.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.slice(0, LONGEST).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.floor(wanted.length / 3) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.slice(0, LONGEST).toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

// --- internal ---

/** Only the beginnings of longer words are compared, so that hostile names cannot take much time. */
const LONGEST = 120;

/**
 * The number of insertions, deletions, replacements and swaps of neighbours between two words, if less than
 * `limit`.
 */
function editDistance(from: string, to: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) least = Math.min(least, at(beforeLast, column - 2) + 1);
      current.push(least);
    }
    if (Math.min(...current, ...last) >= limit) return limit;
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
