import type { Module } from './module.ts';

/** What the names of functions that validate begin with. */
export const VALIDATE = 'validate';

/** Statements of one function. */
export interface FunctionBody {
  /** The checks of the value itself. */
  readonly head: readonly string[];
  /** The checks of its members, with pointers relative to the value, which is an object there. */
  readonly members: readonly string[];
}

export interface WrittenFunction extends FunctionBody {
  readonly name: string;
  readonly parameters: string;
  readonly calls: ReadonlySet<string>;
}

/** A function as code; split into several if it has many statements. */
export function functionLines(
  { name, parameters, head, members }: WrittenFunction,
  isRecursive: boolean,
  module: Module,
): string[] {
  const isWrapped = isRecursive && name.startsWith(VALIDATE);
  const inner = isWrapped ? `inner${name.slice(VALIDATE.length)}` : name;
  const [heads, others] = [inPieces(`${inner}_own`, parameters, head), inPieces(inner, parameters, members)];
  // A valid value costs no call of `below`: engines inline only so many statements.
  const below =
    members.length === 0
      ? []
      : ['const n = e.length;', ...others.calls, `if (e.length > n) ${module.call('below', 'p', 'e', 'n')}`];
  return [
    ...(isWrapped ? [functionText(name, parameters, [module.call('recurse', inner, 'v', 'e', 'p')])] : []),
    functionText(inner, parameters, [...heads.calls, ...below]),
    ...heads.functions,
    ...others.functions,
  ];
}

// --- internal ---

/**
 * The limit for statements in one function: a compiler analyses the control flow through them, and people
 * read no more.
 */
const MOST_STATEMENTS = 100;

/** Statements; if there are many, functions that contain them, and calls of these. */
function inPieces(
  name: string,
  parameters: string,
  lines: readonly string[],
): { readonly calls: readonly string[]; readonly functions: readonly string[] } {
  if (lines.length <= MOST_STATEMENTS) return { calls: lines, functions: [] };
  const pieces = Array.from({ length: Math.ceil(lines.length / MOST_STATEMENTS) }, (_, index) => ({
    name: `${name}_${index + 1}`,
    lines: lines.slice(index * MOST_STATEMENTS, (index + 1) * MOST_STATEMENTS),
  }));
  const given = parameters.replace(/(?:: \w+| = '')/g, '');
  return {
    calls: pieces.map((piece) => `${piece.name}(${given});`),
    functions: pieces.map((piece) => functionText(piece.name, parameters, piece.lines)),
  };
}

function functionText(name: string, parameters: string, lines: readonly string[]): string {
  const body = lines.map((line) => `  ${line}\n`).join('');
  const signature = parameters.replace(/\b([vesp])(?=: | = )/g, (letter) =>
    new RegExp(`\\b${letter}\\b`).test(body.replace(/'(?:[^'\\]|\\.)*'/g, '')) ? letter : `_${letter}`,
  );
  return `function ${name}(${signature}): void {\n${body}}`;
}
