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
  } catch (error) {
    return { ok: false, diagnostics: [syntaxProblem(error, text, lines)] };
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
  return { ok: true, value, offsetOf: (tokens) => offsetOf(text, tokens), lines };
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

/** Where the value at a path begins, or its member name when the value is a container. */
function offsetOf(text: string, path: readonly string[]): number | undefined {
  let matched = 0;
  const indexAt: number[] = [];
  let keyOffset: number | undefined;
  let keyMatches = false;
  for (const event of scanJson(text)) {
    switch (event.kind) {
      case 'open':
        indexAt[event.depth] = -1;
        keyOffset = undefined;
        break;
      case 'close':
        if (event.depth <= matched) return undefined;
        keyOffset = undefined;
        break;
      case 'key':
        keyOffset = event.offset;
        keyMatches = event.key === path[event.depth - 1];
        break;
      case 'value': {
        const inObject = keyOffset !== undefined;
        if (event.depth > 0 && !inObject) indexAt[event.depth] = (indexAt[event.depth] ?? -1) + 1;
        const fits =
          event.depth === 0 ||
          (inObject ? keyMatches : String(indexAt[event.depth]) === path[event.depth - 1]);
        if (event.depth === matched + (event.depth === 0 ? 0 : 1) && fits) {
          matched = event.depth;
          if (matched === path.length) {
            return keyOffset !== undefined && /[{[]/.test(text[event.offset] ?? '')
              ? keyOffset
              : event.offset;
          }
        }
        keyOffset = undefined;
      }
    }
  }
  return undefined;
}

function syntaxProblem(error: unknown, text: string, lines: LineTable) {
  const message = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(message)?.[1];
  const offset = position === undefined ? text.length : Number(position);
  const what = message
    .replace(/ at position \d+.*$/s, '')
    .replace(/ in JSON$/, '')
    .replace(/, ".*$/s, '');
  return problem('syntax', `this is not JSON: ${what.charAt(0).toLowerCase()}${what.slice(1)}`, {
    location: lines.at(Math.min(offset, text.length)),
  });
}
