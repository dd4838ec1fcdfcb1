/** The rows of a long table that are drawn. */
interface Window {
  readonly first: number;
  /** Index after the last row. */
  readonly end: number;
  /** Heights of the omitted rows above and below, in pixels. */
  readonly above: number;
  readonly below: number;
}

/** The visible rows and some on either side, so that scrolling shows no gaps. */
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
