import type { SourceLocation } from '../model.ts';

/**
 * Turns offsets in a text into lines and columns, both counted from 1. Columns count UTF-16 units, as editors
 * do.
 */
export interface LineTable {
  readonly at: (offset: number) => SourceLocation;
}

export function lineTable(file: string, text: string): LineTable {
  let starts: number[] | undefined;
  return {
    at: (offset) => {
      starts ??= lineStarts(text);
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
  };
}

/**
 * The place of a JSON pointer: for a scalar member the place of its value, for anything larger that of its
 * name. With `name`, always the place of the name.
 */
export type Locate = (pointer: string, part?: 'name') => SourceLocation | undefined;

/** The place of a pointer, or of the nearest enclosing value if a member is missing. */
export function locateNear(locate: Locate, pointer: string, part?: 'name'): SourceLocation | undefined {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const location = locate(at, part);
    if (location !== undefined || at === '') return location;
  }
}

/** A place as people read it: `api.yaml:12:5`, or `api.json#/paths/~1users` far within a long line. */
export function shownPlace({ file, line, column, pointer }: SourceLocation): string {
  return pointer === undefined ? `${file}:${String(line)}:${String(column)}` : `${file}#${pointer}`;
}

/** Whether counting columns finds nothing for a person. */
export function isFar(column: number): boolean {
  return column > LONGEST_LINE;
}

// --- internal ---

/** Longer than any line that people write. */
const LONGEST_LINE = 200;

function lineStarts(text: string): number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
    return starts;
  }
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}
