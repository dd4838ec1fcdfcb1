/** A piece of a line of JSON, by what it is. */
export interface JsonPiece {
  readonly kind: 'name' | 'string' | 'number' | 'word' | 'mark';
  readonly text: string;
}

/** One line of a value as it is printed; `marked` where the line belongs to what a finding points at. */
export interface Line {
  readonly indent: number;
  readonly pieces: readonly JsonPiece[];
  readonly marked: boolean;
}

export type Path = readonly (string | number)[];

/** The value of a JSON text; `undefined` if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A value as indented lines. `marked` are paths of what is to be pointed out, `[]` for the value itself. */
export function linesOf(value: unknown, marked: readonly Path[]): readonly Line[] {
  const lines: Line[] = [];
  write(lines, { value, before: [], after: [], indent: 0, marked, within: false });
  return lines;
}

/**
 * Where a finding such as `body.node.tags.0` points, in the value itself: names may have dots. What is not there, such as
 * a missing member, is pointed out by what should have it.
 */
export function pathOf(at: string, place: string, value: unknown): Path | undefined {
  if (at === place) return [];
  if (!at.startsWith(`${place}.`)) return undefined;
  return walk(value, at.slice(place.length + 1).split('.'));
}

// --- internal ---

interface Written {
  readonly value: unknown;
  readonly before: readonly JsonPiece[];
  readonly after: readonly JsonPiece[];
  readonly indent: number;
  readonly marked: readonly Path[];
  /** Whether something around it is marked. */
  readonly within: boolean;
}

const mark = (text: string): JsonPiece => ({ kind: 'mark', text });

function write(lines: Line[], written: Written): void {
  const { value, before, after, indent, marked, within } = written;
  const here = within || marked.some((path) => path.length === 0);
  const inner = (name: string | number): readonly Path[] =>
    marked.flatMap(([first, ...rest]) =>
      first !== undefined && String(first) === String(name) ? [rest] : [],
    );
  if (typeof value !== 'object' || value === null) {
    lines.push({ indent, marked: here, pieces: [...before, scalar(value), ...after] });
    return;
  }
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const members = Object.entries(value);
  if (members.length === 0) {
    lines.push({ indent, marked: here, pieces: [...before, mark(`${open}${close}`), ...after] });
    return;
  }
  // Of a marked object only its braces: what is inside may well be right.
  lines.push({ indent, marked: here, pieces: [...before, mark(open)] });
  members.forEach(([name, member], index) => {
    write(lines, {
      value: member,
      before: isList ? [] : [{ kind: 'name', text: JSON.stringify(name) }, mark(': ')],
      after: index < members.length - 1 ? [mark(',')] : [],
      indent: indent + 1,
      marked: inner(name),
      within: false,
    });
  });
  lines.push({ indent, marked: here, pieces: [mark(close), ...after] });
}

function scalar(value: unknown): JsonPiece {
  if (typeof value === 'string') return { kind: 'string', text: JSON.stringify(value) };
  return { kind: typeof value === 'number' ? 'number' : 'word', text: String(value) };
}

function walk(value: unknown, parts: readonly string[]): Path {
  if (parts.length === 0 || typeof value !== 'object' || value === null) return [];
  for (let length = 1; length <= parts.length; length += 1) {
    const name = parts.slice(0, length).join('.');
    if (!Object.hasOwn(value, name)) continue;
    return [name, ...walk((value as Readonly<Record<string, unknown>>)[name], parts.slice(length))];
  }
  return [];
}
