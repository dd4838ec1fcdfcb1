/** The size of a JSON text, which may be invalid. */
export interface JsonExtent {
  /** The number of its members, in objects of any depth. */
  readonly members: number;
  /** The place where it first exceeds the allowed depth. The text after it was not examined. */
  readonly deep?: number;
  readonly ends: LongParts;
}

/** The ends of long objects and arrays, by their starts. They can be stepped over at once. */
export type LongParts = ReadonlyMap<number, number>;

/** Steps over a whole text, without making values. */
export function extentOf(text: string, most: number): JsonExtent {
  const ends = new Map<number, number>();
  const starts: number[] = [];
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at) - 1;
    else if (sign === COLON) members += 1;
    else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) {
      if (depth === most) return { members, deep: at, ends };
      starts[depth] = at;
      depth += 1;
    } else if ((sign === CLOSE_OBJECT || sign === CLOSE_ARRAY) && depth > 0) {
      depth -= 1;
      const start = starts[depth] ?? at;
      if (at - start > LONG) ends.set(start, at + 1);
    }
  }
  return { members, ends };
}

/** The place of a value in an object or array. */
export interface JsonPart {
  readonly offset: number;
  /** Where the name of a member begins. */
  readonly name?: number;
  readonly isLarge: boolean;
}

/** The value that a valid text consists of. */
export function wholeOf(text: string): JsonPart {
  return partAt(text, 0);
}

/**
 * The values of an object by name, or of an array by index, in a valid text; of anything else, none.
 *
 * @param ends of the same text
 */
export function partsOfJson(
  text: string,
  { offset, isLarge }: JsonPart,
  ends: LongParts,
): ReadonlyMap<string, JsonPart> {
  const parts = new Map<string, JsonPart>();
  if (!isLarge) return parts;
  const isObject = text.charCodeAt(offset) === OPEN_OBJECT;
  let at = skipSpace(text, offset + 1);
  while (text.charCodeAt(at) !== CLOSE_OBJECT && text.charCodeAt(at) !== CLOSE_ARRAY) {
    if (isObject) {
      const end = endOfString(text, at);
      const part = partAt(text, skipSpace(text, end) + 1);
      parts.set(JSON.parse(text.slice(at, end)) as string, { ...part, name: at });
      at = ends.get(part.offset) ?? endOfValue(text, part);
    } else {
      const part = partAt(text, at);
      parts.set(String(parts.size), part);
      at = ends.get(part.offset) ?? endOfValue(text, part);
    }
    at = skipSpace(text, at);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return parts;
}

// --- internal ---

/** The length from which an end is worth its memory, in characters. */
const LONG = 5_000;

const [QUOTE, COLON, COMMA, BACKSLASH] = [0x22, 0x3a, 0x2c, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The offset after the string that begins here; the end of the text if the string does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function partAt(text: string, start: number): JsonPart {
  const offset = skipSpace(text, start);
  const sign = text.charCodeAt(offset);
  return { offset, isLarge: sign === OPEN_OBJECT || sign === OPEN_ARRAY };
}

function endOfValue(text: string, { offset }: JsonPart): number {
  let depth = 0;
  for (let at = offset; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at) - 1;
    else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) depth += 1;
    else if (sign === CLOSE_OBJECT || sign === CLOSE_ARRAY) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (sign === COMMA && depth === 0) return at;
  }
  return text.length;
}
