import { createScanner, type Node, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { LineTable } from './locate.ts';
import type { Diagnostic } from '../model.ts';
import type { ParsedText } from './parsed-text.ts';

/**
 * Reads JSON. The JavaScript engine parses the text. jsonc-parser finds duplicate members, depth and
 * positions, which the engine does not report.
 */
export function parseJson(text: string, lines: LineTable, limits: { readonly depth: number }): ParsedText {
  const { deep, duplicates } = outline(text, limits.depth);
  if (deep !== undefined) {
    const diagnostic = problem('too-deep', `the document is nested more than ${limits.depth} levels deep`, {
      location: lines.at(deep),
      help: 'move the inner parts to components and use $ref',
    });
    return { ok: false, diagnostics: [diagnostic] };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { offset, message, help } = firstMistake(text);
    return { ok: false, diagnostics: [problem('syntax', message, { location: lines.at(offset), help })] };
  }
  if (duplicates.length === 0) return { ok: true, value, offsetOf: offsetFinder(text), lines };
  const diagnostics = duplicates.map(({ key, offset }): Diagnostic =>
    problem('duplicate-key', `duplicate key ${JSON.stringify(key)}`, {
      location: lines.at(offset),
      help: 'remove one of the two',
    }),
  );
  return { ok: false, diagnostics };
}

// --- internal ---

interface Outline {
  /** The place where the text first exceeds the allowed depth. The text after it was not examined. */
  readonly deep?: number;
  readonly duplicates: readonly { readonly key: string; readonly offset: number }[];
}

/**
 * One pass over the tokens; the text may be invalid JSON. The library's parsers recurse, so depth is checked
 * first.
 */
function outline(text: string, most: number): Outline {
  const scanner = createScanner(text, true);
  const open: { readonly closing: string; readonly keys: Set<string> }[] = [];
  const duplicates = [];
  let isKey = false;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const sign = text.charAt(offset);
    const isDue = isKey;
    isKey = sign === '{' || (sign === ',' && open.at(-1)?.closing === '}');
    if (sign === '{' || sign === '[') {
      if (open.length === most) return { deep: offset, duplicates };
      open.push({ closing: sign === '{' ? '}' : ']', keys: new Set() });
    } else if (sign === '}' || sign === ']') {
      open.pop();
    } else if (isDue) {
      const key = scanner.getTokenValue();
      const keys = open.at(-1)?.keys;
      if (keys?.has(key) === true) duplicates.push({ key, offset });
      keys?.add(key);
    }
  }
  return { duplicates };
}

/** The tree is built when a position is first requested, because most documents have no problems. */
function offsetFinder(text: string): (path: readonly string[], part?: 'name') => number | undefined {
  let root: Node | undefined;
  const indexes = new Map<Node, ReadonlyMap<string, Node>>();
  const childOf = (node: Node, token: string): Node | undefined => {
    const index = indexes.get(node) ?? indexOf(node);
    indexes.set(node, index);
    return index.get(token);
  };
  return (path, part) => {
    root ??= parseTree(text);
    let node = root;
    for (const token of path) node = node && childOf(node, token);
    if (node === undefined) return undefined;
    const atName = part === 'name' || node.children !== undefined;
    const name = node.parent?.type === 'property' ? node.parent.offset : undefined;
    return atName ? (name ?? node.offset) : node.offset;
  };
}

/** The child values of an object or array, by name or index. */
function indexOf({ type, children = [] }: Node): ReadonlyMap<string, Node> {
  const index = new Map<string, Node>();
  children.forEach((child, at) => {
    const [name, value] = type === 'object' ? (child.children ?? []) : [undefined, child];
    if (value !== undefined) index.set(name === undefined ? String(at) : String(name.value), value);
  });
  return index;
}

interface Mistake {
  readonly offset: number;
  readonly message: string;
  readonly help?: string;
}

/**
 * The first syntax error. The message of the engine differs between versions, and some engines give no
 * position.
 */
function firstMistake(text: string): Mistake {
  const errors: { readonly code: string; readonly offset: number; readonly lexeme: string }[] = [];
  /** The brackets that would close the open objects and arrays at the first error. */
  const closing: string[] = [];
  const level = (sign: string) => ({
    begin: () => void (errors.length === 0 && closing.unshift(sign)),
    // The library also ends an object or array that is not closed.
    end: (offset: number) => void (errors.length === 0 && text[offset] === sign && closing.shift()),
  });
  const [object, array] = [level('}'), level(']')];
  const onError = (code: number, offset: number, length: number): void => {
    if (errors.length < 2)
      errors.push({ code: printParseErrorCode(code), offset, lexeme: text.slice(offset, offset + length) });
  };
  const visitor = {
    onError,
    onObjectBegin: object.begin,
    onObjectEnd: object.end,
    onArrayBegin: array.begin,
    onArrayEnd: array.end,
  };
  visit(text, visitor, { disallowComments: true });
  const [first, second] = errors;
  if (first === undefined) return { offset: 0, message: 'this is not JSON' };
  const { offset, lexeme } = first;
  // The library skips a symbol that does not exist in JSON. The token that it then misses shows what the
  // symbol was meant to be.
  const code =
    first.code === 'InvalidSymbol' && second?.code === 'PropertyNameExpected' ? second.code : first.code;
  if (lexeme.startsWith("'"))
    return { offset, message: 'JSON requires double quotes', help: `replace ' with "` };
  if (code === 'UnexpectedEndOfString')
    return { offset, message: 'unterminated string', help: 'add the closing "' };
  if (text.slice(offset).trim() === '') return endOfFile(text, closing);
  const isClosing = lexeme === '}' || lexeme === ']';
  switch (code) {
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return { offset, message: 'JSON does not allow comments', help: 'remove the comment' };
    case 'EndOfFileExpected':
      return { offset, message: 'unexpected content after the end of the document', help: 'remove it' };
    case 'ColonExpected':
      return { offset, message: 'missing colon', help: 'add : between the name and its value' };
    case 'CommaExpected':
    case 'CloseBraceExpected':
    case 'CloseBracketExpected':
      return {
        offset,
        message: `missing comma or ${closing[0] ?? 'closing bracket'}`,
        help: 'add it before this place',
      };
    case 'InvalidCharacter':
      return {
        offset,
        message: 'a string contains a control character',
        help: 'write it as an escape such as \\n',
      };
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
      return { offset, message: 'invalid escape sequence in a string', help: 'write \\\\ for a backslash' };
    default:
  }
  if (isClosing)
    return text.slice(0, offset).trimEnd().endsWith(',')
      ? { offset, message: `trailing comma before ${lexeme}`, help: 'remove the comma' }
      : { offset, message: `missing value before ${lexeme}`, help: 'add it' };
  if (code === 'PropertyNameExpected')
    return { offset, message: 'expected a property name', help: 'put property names in double quotes' };
  const shown = lexeme.slice(0, 40);
  const help = 'put it in double quotes if it is a string';
  return { offset, message: `${shown} is not a JSON value`, help };
}

function endOfFile(text: string, closing: readonly string[]): Mistake {
  const lacks = closing.length > 5 ? `${closing.slice(0, 5).join(' ')} …` : closing.join(' ');
  return {
    offset: text.length,
    message: 'unexpected end of file',
    help:
      lacks === ''
        ? 'the file may be truncated'
        : `the closing ${lacks} is missing: the file may be truncated`,
  };
}
