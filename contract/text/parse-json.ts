import { createScanner, printParseErrorCode, visit } from 'jsonc-parser';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import { extentOf, type JsonPart, type LongParts, partsOfJson, wholeOf } from './json-scan.ts';
import type { LineTable } from './locate.ts';
import type { Diagnostic } from '../model.ts';
import type { ParsedText } from './parsed-text.ts';

/** Reads JSON. The JavaScript engine parses the text. jsonc-parser finds what is wrong with one. */
export function parseJson(text: string, lines: LineTable, limits: { readonly depth: number }): ParsedText {
  const { deep, members, ends } = extentOf(text, limits.depth);
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
  // The engine keeps the last of several members with one name.
  if (members === membersOf(value)) return { ok: true, value, offsetOf: offsetFinder(text, ends), lines };
  const diagnostics = duplicatesIn(text).map(({ key, offset }): Diagnostic =>
    problem('duplicate-key', `duplicate key ${JSON.stringify(key)}`, {
      location: lines.at(offset),
      help: 'remove one of the two',
    }),
  );
  return { ok: false, diagnostics };
}

// --- internal ---

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += membersOf(item);
  else for (const member of Object.values(value)) count += 1 + membersOf(member);
  return count;
}

/** The members whose names an earlier member of the same object has. */
function duplicatesIn(text: string): { readonly key: string; readonly offset: number }[] {
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
  return duplicates;
}

/** Objects and arrays are divided into their parts when a position in them is requested. */
function offsetFinder(
  text: string,
  ends: LongParts,
): (path: readonly string[], part?: 'name') => number | undefined {
  let whole: JsonPart | undefined;
  const known = new Map<JsonPart, ReadonlyMap<string, JsonPart>>();
  return (path, part) => {
    let place: JsonPart | undefined = (whole ??= wholeOf(text));
    for (const token of path) {
      const parts: ReadonlyMap<string, JsonPart> = known.get(place) ?? partsOfJson(text, place, ends);
      known.set(place, parts);
      place = parts.get(token);
      if (place === undefined) return undefined;
    }
    return part === 'name' || place.isLarge ? (place.name ?? place.offset) : place.offset;
  };
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
