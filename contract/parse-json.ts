import { problem } from './diagnostic-codes.ts';
import type { LineTable } from './locate.ts';
import type { ParsedText } from './parse.ts';

/**
 * Reads JSON. The text is parsed by the engine, which is an order of magnitude faster than a YAML reader; a scan beside
 * it finds what the engine does not tell: duplicate members, depth and positions.
 */
export function parseJson(text: string, lines: LineTable, limits: { readonly depth: number }): ParsedText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { offset, message, help } = firstMistake(text);
    return { ok: false, diagnostics: [problem('syntax', message, { location: lines.at(offset), help })] };
  }
  const diagnostics = [];
  let tooDeep = false;
  const keysOf: Set<string>[] = [];
  for (const event of scanJson(text)) {
    if (event.depth > limits.depth && !tooDeep) {
      tooDeep = true;
      diagnostics.push(
        problem('too-deep', `the document is nested more than ${limits.depth} levels deep`, {
          location: lines.at(event.offset),
          help: 'move the inner parts to components and refer to them',
        }),
      );
    }
    if (tooDeep) break;
    if (event.kind === 'open') keysOf[event.depth] = new Set();
    if (event.kind !== 'key') continue;
    const keys = keysOf[event.depth];
    if (keys?.has(event.key)) {
      diagnostics.push(
        problem('duplicate-key', `the member ${JSON.stringify(event.key)} stands twice in one object`, {
          location: lines.at(event.offset),
          help: 'keep one of the two',
        }),
      );
    }
    keys?.add(event.key);
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  return { ok: true, value, offsetOf: offsetFinder(text), lines };
}

// --- internal ---

type JsonEvent =
  | { readonly kind: 'open' | 'close'; readonly offset: number; readonly depth: number }
  | { readonly kind: 'key'; readonly offset: number; readonly depth: number; readonly key: string }
  | { readonly kind: 'value'; readonly offset: number; readonly depth: number };

/** The structure of a text that is known to be valid JSON. The depth of a member is that of the object it stands in. */
function* scanJson(text: string): Generator<JsonEvent> {
  const isObject: boolean[] = [];
  let expectsKey = false;
  const token = /[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [lexeme] = match;
    const offset = match.index;
    switch (lexeme) {
      case '{':
      case '[':
        yield { kind: 'value', offset, depth: isObject.length };
        isObject.push(lexeme === '{');
        expectsKey = lexeme === '{';
        yield { kind: 'open', offset, depth: isObject.length };
        break;
      case '}':
      case ']':
        yield { kind: 'close', offset, depth: isObject.length };
        isObject.pop();
        expectsKey = false;
        break;
      case ',':
        expectsKey = isObject.at(-1) === true;
        break;
      case ':':
        expectsKey = false;
        break;
      default:
        if (expectsKey)
          yield { kind: 'key', offset, depth: isObject.length, key: JSON.parse(lexeme) as string };
        else yield { kind: 'value', offset, depth: isObject.length };
    }
  }
}

interface JsonNode {
  readonly offset: number;
  /** Of the member's name, where it is a member. */
  readonly nameOffset: number | undefined;
  readonly children: Map<string, JsonNode> | undefined;
}

/** Positions are gathered when the first one is asked for: most documents are in order, and nobody asks. */
function offsetFinder(text: string): (path: readonly string[], part?: 'name') => number | undefined {
  let root: JsonNode | undefined;
  return (path, part) => {
    root ??= positionsOf(text);
    let node: JsonNode | undefined = root;
    for (const token of path) node = node?.children?.get(token);
    if (node === undefined) return undefined;
    const atName = part === 'name' || node.children !== undefined;
    return atName ? (node.nameOffset ?? node.offset) : node.offset;
  };
}

function positionsOf(text: string): JsonNode | undefined {
  const open: JsonNode[] = [];
  let root: JsonNode | undefined;
  let name: { readonly key: string; readonly offset: number } | undefined;
  for (const event of scanJson(text)) {
    switch (event.kind) {
      case 'key':
        name = event;
        break;
      case 'close':
        open.pop();
        break;
      case 'value': {
        const siblings = open.at(-1)?.children;
        const children = /[{[]/.test(text.charAt(event.offset)) ? new Map<string, JsonNode>() : undefined;
        const node = { offset: event.offset, nameOffset: name?.offset, children };
        siblings?.set(name?.key ?? String(siblings.size), node);
        if (children !== undefined) open.push(node);
        root ??= node;
        name = undefined;
        break;
      }
      case 'open':
    }
  }
  return root;
}

interface Mistake {
  readonly offset: number;
  readonly message: string;
  readonly help?: string;
}

/** Where JSON ends to be JSON. The engines say it in words that change from version to version, or not at all. */
function firstMistake(text: string): Mistake {
  const open: ('{' | '[')[] = [];
  let expected: 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end' = 'value';
  const token = /[{}[\],:]|"(?:[^"\\\n]|\\.)*"|"|[^\s{}[\],:"]+/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [lexeme] = match;
    const offset = match.index;
    const isKey = lexeme.length > 1 && lexeme.startsWith('"');
    if (lexeme === '"') return { offset, message: 'a text never ends', help: 'close it by "' };
    if (lexeme.startsWith("'"))
      return { offset, message: 'JSON knows double quotes only', help: `write " for '` };
    if (/^\/[/*]/.test(lexeme))
      return { offset, message: 'JSON knows no comments', help: 'remove it, or save it as YAML' };
    if (expected === 'end')
      return { offset, message: 'there is more after the end of the document', help: 'remove it' };
    if (expected.startsWith('key')) {
      if (lexeme === '}' && expected === 'key or }') {
        open.pop();
        expected = open.length === 0 ? 'end' : 'comma';
      } else if (isKey) expected = 'colon';
      else if (lexeme === '}')
        return { offset, message: 'a comma stands before }', help: 'remove the comma' };
      else
        return {
          offset,
          message: 'the name of a member is expected here',
          help: 'put names in double quotes',
        };
    } else if (expected === 'colon') {
      if (lexeme !== ':')
        return { offset, message: 'a colon is missing', help: 'write : between name and value' };
      expected = 'value';
    } else if (expected === 'comma') {
      const closing = open.at(-1) === '{' ? '}' : ']';
      if (lexeme === closing) {
        open.pop();
        expected = open.length === 0 ? 'end' : 'comma';
      } else if (lexeme === ',') expected = closing === '}' ? 'key' : 'value';
      else return { offset, message: `a comma or ${closing} is missing`, help: `write it before this` };
    } else if (lexeme === '{' || lexeme === '[') {
      open.push(lexeme);
      expected = lexeme === '{' ? 'key or }' : 'value or ]';
    } else if (lexeme === ']' && expected === 'value or ]') {
      open.pop();
      expected = open.length === 0 ? 'end' : 'comma';
    } else if (lexeme === ']')
      return { offset, message: 'a comma stands before ]', help: 'remove the comma' };
    else if (isValue(lexeme)) expected = open.length === 0 ? 'end' : 'comma';
    else
      return {
        offset,
        message: `${lexeme.slice(0, 40)} is no JSON value`,
        help: 'quote it if text is meant',
      };
  }
  const closing = open.reverse().map((sign) => (sign === '{' ? '}' : ']'));
  const lacks = closing.length > 5 ? `${closing.slice(0, 5).join(' ')} …` : closing.join(' ');
  return {
    offset: text.length,
    message: 'the document ends too early',
    help: `is the file cut short? It lacks ${lacks}`,
  };
}

function isValue(lexeme: string): boolean {
  try {
    JSON.parse(lexeme);
    return true;
  } catch {
    return false;
  }
}
