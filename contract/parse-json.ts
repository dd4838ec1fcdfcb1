import { problem } from './diagnostic-codes.ts';
import type { LineTable } from './locate.ts';
import type { Diagnostic } from './model.ts';
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
  const { members, depth } = shapeOf(text);
  if (depth <= limits.depth && members === membersIn(value))
    return { ok: true, value, offsetOf: offsetFinder(text), lines };
  return { ok: false, diagnostics: faults(text, lines, limits) };
}

// --- internal ---

function faults(text: string, lines: LineTable, limits: { readonly depth: number }): Diagnostic[] {
  const diagnostics = [];
  let tooDeep = false;
  const keysOf: Set<string>[] = [];
  for (const event of scanJson(text)) {
    if (event.depth > limits.depth && !tooDeep) {
      tooDeep = true;
      diagnostics.push(
        problem('too-deep', `the document is nested more than ${limits.depth} levels deep`, {
          location: lines.at(event.offset),
          help: 'move the inner parts to components and use $ref',
        }),
      );
    }
    if (tooDeep) break;
    if (event.kind === 'open') keysOf[event.depth] = new Set();
    if (event.kind !== 'key') continue;
    const keys = keysOf[event.depth];
    if (keys?.has(event.key)) {
      diagnostics.push(
        problem('duplicate-key', `duplicate key ${JSON.stringify(event.key)}`, {
          location: lines.at(event.offset),
          help: 'remove one of the two',
        }),
      );
    }
    keys?.add(event.key);
  }
  return diagnostics;
}

/** How many members stand in a text that is known to be valid JSON, and how deep it is nested. */
function shapeOf(text: string): { readonly members: number; readonly depth: number } {
  let members = 0;
  let level = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at) - 1;
    else if (sign === COLON) members += 1;
    else if (isOpening(sign)) depth = Math.max(depth, (level += 1));
    else if (isClosing(sign)) level -= 1;
  }
  return { members, depth };
}

/** How many members the engine kept: of two with one name it keeps one. */
function membersIn(value: unknown): number {
  let members = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner: readonly unknown[] = Object.values(next);
    if (!Array.isArray(next)) members += inner.length;
    for (const each of inner) if (typeof each === 'object') waiting.push(each);
  }
  return members;
}

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

interface JsonPlace {
  readonly offset: number;
  /** Of the member's name, where it is a member. */
  readonly nameOffset: number | undefined;
}

interface JsonNode extends JsonPlace {
  readonly children: Map<string, JsonNode> | undefined;
}

/** A few positions are looked for one by one. All are gathered only when many are asked for: most documents are in order. */
function offsetFinder(text: string): (path: readonly string[], part?: 'name') => number | undefined {
  let root: JsonNode | undefined;
  let asked = 0;
  return (path, part) => {
    asked += 1;
    if (asked <= FEW_POSITIONS) return offsetIn(text, path, part);
    root ??= positionsOf(text);
    let node: JsonNode | undefined = root;
    for (const token of path) node = node?.children?.get(token);
    if (node === undefined) return undefined;
    const atName = part === 'name' || node.children !== undefined;
    return atName ? (node.nameOffset ?? node.offset) : node.offset;
  };
}

const FEW_POSITIONS = 20;

function offsetIn(text: string, path: readonly string[], part?: 'name'): number | undefined {
  let place: JsonPlace | undefined = { offset: afterSpace(text, 0), nameOffset: undefined };
  for (const token of path) {
    place = childOf(text, place.offset, token);
    if (place === undefined) return undefined;
  }
  const atName = part === 'name' || isOpening(text.charCodeAt(place.offset));
  return atName ? (place.nameOffset ?? place.offset) : place.offset;
}

/** Where the member or item of that name stands in the value at an offset. */
function childOf(text: string, offset: number, token: string): JsonPlace | undefined {
  const opening = text.charCodeAt(offset);
  if (!isOpening(opening)) return undefined;
  let at = afterSpace(text, offset + 1);
  for (let index = 0; !isClosing(text.charCodeAt(at)); index += 1) {
    let key = String(index);
    let nameOffset: number | undefined;
    if (opening === BRACE) {
      nameOffset = at;
      at = endOfText(text, at);
      key = JSON.parse(text.slice(nameOffset, at)) as string;
      at = afterSpace(text, afterSpace(text, at) + 1);
    }
    if (key === token) return { offset: at, nameOffset };
    at = afterSpace(text, endOfValue(text, at));
    if (text.charCodeAt(at) === COMMA) at = afterSpace(text, at + 1);
  }
  return undefined;
}

/** The offset behind the value at an offset. */
function endOfValue(text: string, offset: number): number {
  const first = text.charCodeAt(offset);
  if (first === QUOTE) return endOfText(text, offset);
  let at = offset;
  if (!isOpening(first)) {
    while (!isEnd(text.charCodeAt(at))) at += 1;
    return at;
  }
  for (let level = 0; ; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at) - 1;
    else if (isOpening(sign)) level += 1;
    else if (isClosing(sign)) level -= 1;
    if (level === 0) return at + 1;
  }
}

/** The offset behind a text that begins at one. */
function endOfText(text: string, offset: number): number {
  let end = text.indexOf('"', offset + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, offset: number): boolean {
  let first = offset;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (offset - first) % 2 === 1;
}

function afterSpace(text: string, offset: number): number {
  let at = offset;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(sign: number): boolean {
  return sign === 0x20 || sign === 0x0a || sign === 0x0d || sign === 0x09;
}

function isEnd(sign: number): boolean {
  return sign === COMMA || isClosing(sign) || isSpace(sign);
}

function isOpening(sign: number): boolean {
  return sign === BRACE || sign === BRACKET;
}

function isClosing(sign: number): boolean {
  return sign === BRACE + 2 || sign === BRACKET + 2;
}

const [QUOTE, COLON, COMMA, BACKSLASH, BRACE, BRACKET] = [0x22, 0x3a, 0x2c, 0x5c, 0x7b, 0x5b];

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

/** The first syntax error. The wording of the engines differs between versions, and some give no position. */
function firstMistake(text: string): Mistake {
  const open: ('{' | '[')[] = [];
  let expected: 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end' = 'value';
  const token = /[{}[\],:]|"(?:[^"\\\n]|\\.)*"|"|[^\s{}[\],:"]+/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [lexeme] = match;
    const offset = match.index;
    const isKey = lexeme.length > 1 && lexeme.startsWith('"');
    if (lexeme === '"') return { offset, message: 'unterminated string', help: 'add the closing "' };
    if (lexeme.startsWith("'"))
      return { offset, message: 'JSON requires double quotes', help: `replace ' with "` };
    if (/^\/[/*]/.test(lexeme))
      return { offset, message: 'JSON does not allow comments', help: 'remove the comment' };
    if (expected === 'end')
      return { offset, message: 'unexpected content after the end of the document', help: 'remove it' };
    if (expected.startsWith('key')) {
      if (lexeme === '}' && expected === 'key or }') {
        open.pop();
        expected = open.length === 0 ? 'end' : 'comma';
      } else if (isKey) expected = 'colon';
      else if (lexeme === '}')
        return { offset, message: 'trailing comma before }', help: 'remove the comma' };
      else
        return {
          offset,
          message: 'expected a property name',
          help: 'put property names in double quotes',
        };
    } else if (expected === 'colon') {
      if (lexeme !== ':')
        return { offset, message: 'missing colon', help: 'add : between the name and its value' };
      expected = 'value';
    } else if (expected === 'comma') {
      const closing = open.at(-1) === '{' ? '}' : ']';
      if (lexeme === closing) {
        open.pop();
        expected = open.length === 0 ? 'end' : 'comma';
      } else if (lexeme === ',') expected = closing === '}' ? 'key' : 'value';
      else return { offset, message: `missing comma or ${closing}`, help: 'add it before this place' };
    } else if (lexeme === '{' || lexeme === '[') {
      open.push(lexeme);
      expected = lexeme === '{' ? 'key or }' : 'value or ]';
    } else if (lexeme === ']' && expected === 'value or ]') {
      open.pop();
      expected = open.length === 0 ? 'end' : 'comma';
    } else if (lexeme === ']')
      return { offset, message: 'trailing comma before ]', help: 'remove the comma' };
    else if (isValue(lexeme)) expected = open.length === 0 ? 'end' : 'comma';
    else
      return {
        offset,
        message: `${lexeme.slice(0, 40)} is not a JSON value`,
        help: 'put it in double quotes if it is a string',
      };
  }
  const closing = open.reverse().map((sign) => (sign === '{' ? '}' : ']'));
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

function isValue(lexeme: string): boolean {
  try {
    JSON.parse(lexeme);
    return true;
  } catch {
    return false;
  }
}
