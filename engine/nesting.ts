/** The default limit for nested objects and lists in a request. */
export const JSON_DEPTH = 200;

/**
 * Whether objects and lists in a JSON text are nested more than `most` levels deep. Scans the text once without
 * parsing it, because code that reads the parsed value may use one level of the call stack for each level of the
 * value.
 */
export function isNestedDeeperThan(most: number, text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
  }
  return false;
}

// --- internal ---

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
