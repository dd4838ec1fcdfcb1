import type { Edit } from './edits.ts';

/** A secret, and what replaces it. */
export interface Known {
  readonly secret: string;
  readonly placeholder: string;
}

/** The ways in which a text may contain a secret, except for JSON escapes. */
export function spellings(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  // Lone surrogates cannot be spelled in these ways.
  const encoded = encodeURIComponent(new TextDecoder().decode(bytes));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    ...[encoded, encoded.replaceAll(/%../g, (code) => code.toLowerCase())],
    ...[encoded.replaceAll('%20', '+'), encodedInForms(encoded)],
    ...[json, JSON.stringify(json).slice(1, -1)],
    ...[base64, base64.replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')],
  ];
}

export function* plainSecrets(text: string, { secret, placeholder }: Known): Generator<Edit> {
  for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + secret.length))
    yield { start, end: start + secret.length, by: placeholder };
}

/** Texts with an escape that JSON permits and does not need. */
export const ESCAPE = /\\(?:u[0-9a-f]{4}|\/)/i;

/** Characters of `\u0041`. */
export const LONGEST_ESCAPE = 6;

/** JSON may write any character as an escape. */
export function escapedSecrets(text: string, known: readonly Known[]): readonly Edit[] {
  const offsets: number[] = [];
  const characters: string[] = [];
  for (const { 0: spelled, index } of text.matchAll(/\\u[0-9a-f]{4}|\\[^]|[^]/gi)) {
    offsets.push(index);
    characters.push(unescaped(spelled));
  }
  offsets.push(text.length);
  const plain = characters.join('');
  return known
    .flatMap((mask) => [...plainSecrets(plain, mask)])
    .map(({ start, end, by }) => ({ start: offsets[start] ?? 0, end: offsets[end] ?? text.length, by }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The text that a JSON string spells; also of one that is cut. */
export function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\u[0-9a-f]{4}|\\[^]/gi, unescaped) : text;
}

/** A shorter prefix of a secret reveals nothing. */
export const SHORTEST_STUMP = 6;

/**
 * The beginning of a secret in a truncated text: before an ellipsis, or at the end of the beginning of a
 * longer text. Knuth-Morris-Pratt search, which examines each character once.
 */
export function* stumps(text: string, { secret, placeholder }: Known, isBeginning: boolean): Generator<Edit> {
  const borders = bordersOf(secret);
  let matched = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const isEnd = at === text.length ? isBeginning : text[at] === '…';
    if (isEnd && matched >= SHORTEST_STUMP) yield { start: at - matched, end: at, by: placeholder };
    while (matched > 0 && (matched === secret.length || secret[matched] !== text[at]))
      matched = borders[matched - 1] ?? 0;
    if (secret[matched] === text[at]) matched += 1;
  }
}

// --- internal ---

/** Forms also encode the marks that addresses may contain. */
function encodedInForms(encoded: string): string {
  const marks = encoded.replaceAll(/[!'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return marks.replaceAll('%20', '+');
}

/** Always one UTF-16 unit. */
function unescaped(spelled: string): string {
  if (spelled.length === 6) return String.fromCharCode(Number.parseInt(spelled.slice(2), 16));
  if (spelled.length === 1) return spelled;
  return SHORT_ESCAPES[spelled.charAt(1)] ?? spelled.charAt(1);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** For each prefix of a text, the length of the longest shorter prefix that is also its suffix. */
function bordersOf(text: string): readonly number[] {
  const borders = [0];
  for (let at = 1, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    borders.push(length);
  }
  return borders;
}
