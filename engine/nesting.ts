/** How deep objects and lists of a request may be nested, unless the server says otherwise. */
export const JSON_DEPTH = 200;

/**
 * Whether a text of JSON holds objects and lists that are nested more than `most` levels deep. Reads the text once and
 * parses nothing: what reads the parsed value may use a level of its call stack for each level of the value.
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
