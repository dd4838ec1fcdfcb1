/** Limits for a server's JSON: larger JSON is not parsed, and rules that need it stay undecided. */
const DEEPEST = 500;
const MOST_VALUES = 1_000_000;

/** The cost of parsing a text as JSON. */
export interface JsonSize {
  /** Why the text is not parsed; `undefined` if it may be. */
  readonly excess: string | undefined;
  /** A lower bound for the number of its values, whether it is JSON or not. */
  readonly values: number;
}

/** Counts the brackets and commas of a text without parsing it, because parsing takes memory and stack. */
export function sizeOfJson(text: Uint8Array | string, most = MOST_VALUES): JsonSize {
  const at: (index: number) => number | undefined =
    typeof text === 'string' ? (index) => text.charCodeAt(index) : (index) => text[index];
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    switch (at(index)) {
      case QUOTE:
        for (index += 1; index < text.length && at(index) !== QUOTE; index += 1)
          if (at(index) === BACKSLASH) index += 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > DEEPEST) return { excess: `nests deeper than ${DEEPEST} levels`, values };
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
      default:
        break;
    }
    if (values > most) return { excess: `has more than ${most} values`, values };
  }
  return { excess: undefined, values };
}

// --- internal ---

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
