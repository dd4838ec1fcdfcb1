/** A token in a line of JSON, with its kind. */
export interface JsonPiece {
  readonly kind: 'name' | 'string' | 'number' | 'word' | 'mark';
  readonly text: string;
}

/** One printed line of a value; `marked` if a finding points at it. */
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

/** A value as indented lines. `marked` lists the paths to mark; `[]` is the value itself. */
export function linesOf(value: unknown, marked: readonly Path[]): readonly Line[] {
  const lines: Line[] = [];
  write(lines, { value, before: [], after: [], indent: 0, marked, within: false });
  return lines;
}

/**
 * Resolves the place of a finding, such as `body.node.tags.0`, to a path in the value; names may contain dots. For a
 * missing member, the path of its parent.
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
  /** Whether an enclosing value is marked. */
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
  // Mark only the braces of an object: its members may be right.
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
