/**
 * The table of an automaton over ASCII, which guards use for short texts: that is faster than calling a
 * regular expression. It contains the next state for each state and character, from index `state * 128` on.
 * State 1 is the initial one; state 0 cannot be left.
 *
 * @param moves alternately: characters, as pairs of the first and the last one of a range, and the states
 * that they lead to from state 1, 2 and so on, as digits of base 36
 */
export function automaton(moves: readonly string[]): Uint8Array {
  const table = new Uint8Array(((moves[1]?.length ?? 0) + 1) * CHARACTERS);
  for (let index = 0; index < moves.length; index += 2) {
    const ranges = moves[index] ?? '';
    const states = [...(moves[index + 1] ?? '')].map((digit) => Number.parseInt(digit, 36));
    for (let at = 0; at < ranges.length; at += 2)
      for (let each = ranges.charCodeAt(at); each <= ranges.charCodeAt(at + 1); each += 1)
        for (const [from, state] of states.entries()) table[(from + 1) * CHARACTERS + each] = state;
  }
  return table;
}

// --- internal ---

const CHARACTERS = 128;
