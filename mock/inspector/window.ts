/** Which rows of a long table are drawn. */
interface Window {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
  /** Height of what is left out above and below, in pixels. */
  readonly above: number;
  readonly below: number;
}

/** The rows that can be seen, and some on either side, so that scrolling shows no holes. */
export function windowOf(options: {
  readonly rows: number;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly height: number;
}): Window {
  const { rows, rowHeight, height } = options;
  const top = Math.min(Math.max(0, options.scrollTop), Math.max(0, rows * rowHeight - height));
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const end = Math.min(rows, Math.ceil((top + height) / rowHeight) + BEYOND);
  return { first, end, above: first * rowHeight, below: (rows - end) * rowHeight };
}

// --- internal ---

const BEYOND = 12;
