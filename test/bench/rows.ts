/** One row of the bench: a figure of one program. */
export interface Row {
  /** The comparison that it belongs to. */
  readonly what: string;
  readonly who: string;
  /** The figure with its unit. If nothing was measured, the reason. */
  readonly measured: string;
  /** Theirs by ours: above 1, tallystick takes less. Only of peers that were measured. */
  readonly ratio?: number;
  /** What tallystick has to reach: a ratio to this peer, or a figure of its own. */
  readonly bar?: string;
  /** What comes after the bar. */
  readonly aim?: string;
}

export interface Peer {
  readonly name: string;
  /** Not there where the peer gave up. */
  readonly figure: number | undefined;
  readonly bar?: string;
  readonly aim?: string;
}

/**
 * The rows of one comparison.
 *
 * @param what what is compared
 * @param ours the figure of tallystick
 * @param peers in the same unit; less is better
 * @param unit how a figure is written
 */
export function compared(
  what: string,
  ours: number,
  peers: readonly Peer[],
  unit: (figure: number) => string,
): readonly Row[] {
  return [
    { what, who: OURS, measured: unit(ours) },
    ...peers.map(({ name, figure, ...goal }): Row => ({
      what,
      who: name,
      ...(figure === undefined
        ? { measured: 'gave up' }
        : { measured: unit(figure), ratio: Number((figure / ours).toFixed(2)) }),
      ...goal,
    })),
  ];
}

/** A row without a peer. */
export function alone(
  what: string,
  measured: string,
  goal: { readonly bar?: string; readonly aim?: string } = {},
): Row {
  return { what, who: OURS, measured, ...goal };
}

export const microseconds = (figure: number): string => `${figure.toFixed(1)} us CPU`;
export const milliseconds = (figure: number): string => `${figure.toFixed(0)} ms`;
export const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} kB`;
export const megabytes = (bytes: number): string =>
  `${(bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0)} MB`;

/** The rows as cells, with a head; a comparison is named in its first row. */
export function cellsOf(rows: readonly Row[]): readonly (readonly string[])[] {
  return [
    ['what', 'who', 'measured', 'theirs / ours', 'bar', 'then aim for'],
    ...rows.map(({ what, who, measured, ratio, bar = '', aim = '' }, index) => [
      rows[index - 1]?.what === what ? '' : what,
      who,
      measured,
      ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
      bar,
      aim,
    ]),
  ];
}

// --- internal ---

const OURS = 'tallystick';
