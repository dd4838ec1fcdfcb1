/** A part of a text, and what replaces it. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** A text, with the length of its kept beginning. */
export interface Cut {
  readonly text: string;
  readonly keep: number;
}

/** Applies edits, in the order of the text. An edit that crosses the kept end is applied as a whole. */
export function edited({ text, keep }: Cut, edits: Iterable<Edit>): Cut {
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  let kept: number | undefined;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const { start, end, by } of edits) {
    if (start < from) continue;
    if (start >= keep) kept ??= length + keep - from;
    add(text.slice(from, start));
    add(by);
    if (end > keep) kept ??= length;
    from = end;
  }
  if (from === 0) return { text, keep };
  kept ??= length + keep - from;
  add(text.slice(from));
  return { text: pieces.join(''), keep: kept };
}
