import type { Edit } from './edits.ts';
import { withoutEscapes } from './known-secrets.ts';
import { HIDDEN, isMasked } from './placeholders.ts';
import { BLANK, backslashesBefore, endOfQuoted, quoteAt, skipBlanks } from './quoted.ts';
import { LONGEST_NAME } from './secret-names.ts';

/**
 * The values of JSON members with a secret name, also in JSON that is a string of JSON, and in what Python prints.
 * They stay JSON.
 */
export function* secretMembers(
  text: string,
  isSecret: (name: string) => boolean,
  replacement: (name: string) => string,
): Generator<Edit> {
  let from = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    if (colon < from) continue;
    const member = memberBefore(text, colon);
    if (member === undefined) continue;
    const at = skipBlanks(text, colon + 1);
    if (SIGNED.test(member.name)) yield* queryIn(text, at);
    if (!isSecret(member.name)) continue;
    const { edits, end } = valueAt(text, at, member.quote, replacement(member.name));
    from = end;
    for (const edit of edits) if (!isMasked(text.slice(edit.start, edit.end))) yield edit;
  }
}

// --- internal ---

/** Each signer has its own names for the parts of a signed query. */
const SIGNED = /signed_?-?ur[il]/i;

function* queryIn(text: string, at: number): Generator<Edit> {
  const quote = quoteAt(text, at);
  if (quote === undefined) return;
  const end = endOfQuoted(text, at + quote.length, quote);
  const query = text.slice(at, end).indexOf('?');
  if (query >= 0 && !isMasked(text.slice(at + query + 1, end)))
    yield { start: at + query, end, by: `?${HIDDEN}` };
}

/** Nobody writes more before a colon. */
const MOST_BLANKS = 20;

/** A quote with its backslashes, and the name that it encloses. */
function memberBefore(
  text: string,
  colon: number,
): { readonly name: string; readonly quote: string } | undefined {
  let end = colon - 1;
  while (colon - end < MOST_BLANKS && BLANK.test(text.charAt(end))) end -= 1;
  const mark = text.charAt(end);
  if (mark !== '"' && mark !== "'") return undefined;
  const depth = backslashesBefore(text, end);
  const open = text.lastIndexOf(mark, end - 1);
  // Names may spell each character as an escape.
  if (open < 0 || end - depth - open > 6 * LONGEST_NAME) return undefined;
  return {
    name: withoutEscapes(text.slice(open + 1, end - depth)),
    quote: text.slice(end - depth, end + 1),
  };
}

interface Value {
  readonly edits: readonly Edit[];
  readonly end: number;
}

function valueAt(text: string, at: number, quote: string, by: string): Value {
  const opening = quoteAt(text, at);
  if (opening !== undefined) {
    const start = at + opening.length;
    const end = endOfQuoted(text, start, opening);
    return { edits: end > start ? [{ start, end, by }] : [], end };
  }
  if (text[at] === '{' || text[at] === '[') return nested(text, at, by);
  NUMBER.lastIndex = at;
  const end = at + (NUMBER.exec(text)?.[0].length ?? 0);
  return { edits: end > at ? [{ start: at, end, by: `${quote}${HIDDEN}${quote}` }] : [], end };
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/** The strings in an object or a list. Names stay, and what a schema says of a secret. */
function nested(text: string, from: number, by: string): Value {
  const edits: Edit[] = [];
  let open = 0;
  let name = '';
  let at = from;
  while (at < text.length) {
    const one = text.charAt(at);
    const quote = '\\"\''.includes(one) ? quoteAt(text, at) : undefined;
    if (one === '{' || one === '[') open += 1;
    else if (one === '}' || one === ']') open -= 1;
    else if (one === ',') name = '';
    if (open <= 0) break;
    if (quote === undefined) at += 1;
    else {
      const start = at + quote.length;
      const end = endOfQuoted(text, start, quote);
      at = end + quote.length;
      if (text[skipBlanks(text, at)] === ':') name = text.slice(start, end);
      else if (end > start && !OF_SCHEMA.has(name)) edits.push({ start, end, by });
    }
  }
  return { edits, end: at };
}

const OF_SCHEMA = new Set(['type', 'format', '$ref', 'description', 'title']);
