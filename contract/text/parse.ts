import { builtSpec } from '../built-specs.ts';
import type { Diagnostic } from '../model.ts';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import { isFar, lineTable, type Locate } from './locate.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import type { ParsedText } from './parsed-text.ts';
import { parsePointer } from '../pointer.ts';
import { isRecord } from '../record.ts';

/** A parsed file that contains a mapping. The value is not shared, so it may be changed. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
  readonly value: Record<string, unknown>;
  readonly locate: Locate;
}

export type ParsedFile =
  | { readonly ok: true; readonly source: SourceFile }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Deeper documents are refused, because later readers recurse. The deepest well-known document reaches 40.
 */
const LIMITS = { depth: 200, marks: 1_500_000, aliasedValues: 100_000 };

/**
 * Reads JSON or YAML 1.2. Never throws; a file that is not a mapping is refused.
 *
 * @param mayBeList accepts a list as well, because a referenced file can be one
 * @param help how a file of the expected kind begins
 */
export function parseFile(
  file: string,
  text: string,
  { mayBeList = false, help = 'an OpenAPI document begins with a line such as `openapi: 3.1.0`' } = {},
): ParsedFile {
  const lines = lineTable(file, text);
  if (!/^[ \t]*[^\s#]/m.test(text)) {
    const diagnostic = problem('file-empty', `${file} is empty`, {
      location: lines.at(0),
      help: 'check that this is the file you meant',
    });
    return { ok: false, diagnostics: [diagnostic] };
  }
  const parsed = parseText(file, text, lines);
  if (!parsed.ok) return parsed;
  const { value, offsetOf } = parsed;
  const isPart = mayBeList && Array.isArray(value);
  if (!isRecord(value) && !isPart) {
    const kind = Array.isArray(value) ? 'an array' : 'plain text';
    const diagnostic = problem('not-a-mapping', `${file} contains ${kind}, not an object`, {
      location: lines.at(Math.max(0, text.search(/\S/))),
      help,
    });
    return { ok: false, diagnostics: [diagnostic] };
  }
  const locate: Locate = (pointer, part) => {
    const path = parsePointer(pointer);
    const offset = path && offsetOf(path, part);
    if (offset === undefined) return undefined;
    const place = lines.at(offset);
    return isFar(place.column) ? { ...place, pointer } : place;
  };
  return { ok: true, source: { file, text, value: value as Record<string, unknown>, locate } };
}

/** Reads any JSON value. Never throws. */
export function parseJsonFile(file: string, text: string): ParsedText {
  return parseJson(text, lineTable(file, text), LIMITS);
}

/** Reads any value in JSON or YAML 1.2. Never throws; a text with only comments is `null`. */
export function parseText(file: string, text: string, lines = lineTable(file, text)): ParsedText {
  if (/^\s*[{[]/.test(text) || (file.endsWith('.json') && /^\s*\/[/*]/.test(text))) {
    const parsed = parseJson(text, lines, LIMITS);
    // A YAML file may also begin with a brace, so only a file with the extension `.json` must be JSON.
    if (parsed.ok || file.endsWith('.json') || parsed.diagnostics.some(({ code }) => code !== 'syntax'))
      return parsed;
  }
  // YAML also ends a line at a lone carriage return; the library does not.
  const read = (): ParsedText => parseYaml(text.replace(/\r(?!\n)/g, '\n'), lines, LIMITS);
  const built = builtSpec(file, text);
  if (built === undefined) return read();
  let whole: ParsedText | undefined;
  return {
    ok: true,
    value: built.value,
    lines,
    offsetOf: (path, part) => {
      const known = part === undefined ? built.offsets[path.join('/')] : undefined;
      if (known !== undefined) return known;
      whole ??= read();
      return whole.ok ? whole.offsetOf(path, part) : undefined;
    },
  };
}
