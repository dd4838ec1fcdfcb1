/** Backslashes before a quote: 0 in JSON, 1 in JSON that a string of JSON contains, then 3. Deeper ones are not read. */
const DEEPEST = 15;

/** How many backslashes are before a place, not counting those before `least`. */
export function backslashesBefore(text: string, at: number, least = Math.max(0, at - DEEPEST)): number {
  let count = 0;
  while (at - count > least && text[at - count - 1] === '\\') count += 1;
  return count;
}

/** The quote at a place, with its backslashes; `undefined` if there is none. */
export function quoteAt(text: string, at: number): string | undefined {
  let end = at;
  while (end - at < DEEPEST && text[end] === '\\') end += 1;
  return text[end] === '"' || text[end] === "'" ? text.slice(at, end + 1) : undefined;
}

/** The end of the text after an opening quote; a text that does not end extends to the end of the whole. */
export function endOfQuoted(text: string, start: number, quote: string): number {
  const depth = quote.length - 1;
  const mark = quote.charAt(depth);
  for (let at = text.indexOf(mark, start); at >= 0; at = text.indexOf(mark, at + 1)) {
    const before = backslashesBefore(text, at, start);
    // A backslash of the value is spelled with twice as many as the quote has, and two more.
    if (before < depth || before % (2 * depth + 2) === depth) return at - Math.min(before, depth);
  }
  return text.length;
}

export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANK.test(text.charAt(at))) at += 1;
  return at;
}

export const BLANK = /\s/;
