import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { linesOf, type Path } from '../json-lines.ts';

/** A printed value with marked places. */
export function JsonBlock(props: {
  readonly label: string;
  readonly value: unknown;
  readonly marked?: readonly Path[];
}): JSX.Element {
  const { label, value, marked = NONE } = props;
  const lines = useMemo(() => linesOf(value, marked).slice(0, MOST_LINES), [value, marked]);
  return (
    <pre class="code" tabIndex={0} aria-label={label}>
      {lines.map(({ indent, pieces, marked: isMarked }, index) => (
        <span
          key={index}
          class={isMarked ? 'line marked' : 'line'}
          style={{ paddingLeft: `${MARGIN + indent * INDENT}px` }}
        >
          {pieces.map(({ kind, text }, at) => (
            <span key={at} class={`json-${kind}`}>
              {text}
            </span>
          ))}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

// --- internal ---

const NONE: readonly Path[] = [];
const MARGIN = 8;
const INDENT = 14;

/** A body of 16 kB can have as many lines. */
const MOST_LINES = 1_000;
