import type { Edit } from './edits.ts';
import { HIDDEN, isMasked } from './placeholders.ts';
import { endOfQuoted, quoteAt, skipBlanks } from './quoted.ts';
import { LONGEST_NAME } from './secret-names.ts';
import { decoded } from '../text/decoded.ts';

type IsSecret = (name: string) => boolean;

/** A text without blanks that is one address, or one form: only `&` ends a value in it. */
export function isAddressOrForm(text: string): boolean {
  return ADDRESS_OR_FORM.test(text);
}

/**
 * The values of `name=value`, as in queries, forms, cookies and attributes of XML.
 *
 * @param isWhole whether the text is one address or one form
 * @param within masks a text that a value spells with percent signs
 */
export function* secretPairs(
  text: string,
  isSecret: IsSecret,
  isWhole: boolean,
  within: (text: string) => string,
): Generator<Edit> {
  const ending = isWhole ? END_IN_FORM : END_IN_TEXT;
  let from = 0;
  let unquotedEnd = 0;
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', equals + 1)) {
    if (equals < from) continue;
    const isFirst = equals >= unquotedEnd;
    // Each part of a text is searched for its end once.
    if (isFirst) {
      ending.lastIndex = equals + 1;
      unquotedEnd = ending.exec(text)?.index ?? text.length;
    }
    const { name } = nameBefore(text, equals);
    if (name === '') continue;
    const quote = isWhole ? undefined : quoteAt(text, equals + 1);
    const start = equals + 1 + (quote?.length ?? 0);
    const end = (): number => (quote === undefined ? unquotedEnd : endOfQuoted(text, start, quote));
    if (isSecret(name) || isLongKey(name, text.slice(start, end()))) {
      from = end();
      const value = text.slice(start, from);
      if (value !== '' && !isMasked(decoded(value)) && !SWITCH.test(value))
        yield { start, end: from, by: HIDDEN };
    } else if (isFirst && unquotedEnd - start <= LONGEST_NESTED && quote === undefined) {
      const value = text.slice(start, unquotedEnd);
      const plain = NESTED.test(value) ? decoded(value) : value;
      const shown = plain === value ? plain : within(plain);
      if (shown === plain) continue;
      yield { start, end: unquotedEnd, by: encodeURIComponent(shown) };
      from = unquotedEnd;
    }
  }
}

/** The text of XML elements with a secret name. */
export function* secretElements(text: string, isSecret: IsSecret): Generator<Edit> {
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', open + 1)) {
    ELEMENT.lastIndex = open;
    const [tag = '', name = ''] = ELEMENT.exec(text) ?? [];
    if (tag === '' || !isSecret(name)) continue;
    const start = open + tag.length;
    const isRaw = text.startsWith('<![CDATA[', start);
    const close = isRaw ? text.indexOf(']]>', start) : text.indexOf('<', start);
    const end = close < 0 ? text.length : isRaw ? close + 3 : close;
    if (text.slice(start, end).trim() !== '' && !isMasked(text.slice(start, end)))
      yield { start, end, by: HIDDEN };
    open = Math.max(open, end - 1);
  }
}

/** The parts of a multipart form with a secret name. */
export function* secretParts(text: string, isSecret: IsSecret): Generator<Edit> {
  for (let at = text.search(DISPOSITION); at >= 0; at = nextDisposition(text, at)) {
    PART.lastIndex = at;
    const [head = '', quoted, plain = ''] = PART.exec(text) ?? [];
    if (head === '' || !isSecret(quoted ?? plain)) continue;
    BODY.lastIndex = at + head.length;
    const [between = ''] = BODY.exec(text) ?? [];
    if (between === '') continue;
    const start = at + head.length + between.length;
    const boundary = text.slice(start).search(/\r?\n--/);
    const end = boundary < 0 ? text.length : start + boundary;
    if (end > start && !isMasked(text.slice(start, end))) yield { start, end, by: HIDDEN };
    at = Math.max(at, end - 1);
  }
}

/** Lines such as those of a header, also within a sentence, and members without quotes: `X-API-Key: abc`. */
export function* secretLines(text: string, isSecret: IsSecret): Generator<Edit> {
  let from = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    if (colon < from) continue;
    const { name, at } = nameBefore(text, colon);
    if (name === '' || !isSecret(name)) continue;
    const blanks = skipBlanks(text, colon + 1);
    const quote = quoteAt(text, blanks);
    if (quote !== undefined) {
      const start = blanks + quote.length;
      from = endOfQuoted(text, start, quote);
      if (from > start && !isMasked(text.slice(start, from))) yield { start, end: from, by: HIDDEN };
      continue;
    }
    // Also the line of a text that a string of JSON contains.
    const isLine = at === 0 || /^(?:[\r\n]|\\[nr])/.test(text.slice(at - 1, at + 1));
    if (!isLine && !HEADER.test(name)) continue;
    LINE.lastIndex = colon + 1;
    const [whole = '', head = '', value = ''] = LINE.exec(text) ?? [];
    from = colon + 1 + whole.length;
    // A sentence continues with words.
    if (value === '' || isMasked(value.replace(SCHEME, '')) || !(isLine || KEY_LIKE.test(value))) continue;
    yield { start: colon + 1 + head.length, end: from, by: HIDDEN };
  }
}

// --- internal ---

const ADDRESS_OR_FORM = /^(?:\/|https?:\/\/|[^\s=&{}<>"[\]:?]{1,100}=)\S*$/;

/** A value with another address, form or object in it. */
const NESTED = /%(?:3d|3a|22|40)/i;
const LONGEST_NESTED = 8_192;

/** A key of a caller rather than that of an entry. */
function isLongKey(name: string, value: string): boolean {
  return (
    name.toLowerCase() === 'key' && value.length <= LONGEST_NAME && /^(?=\D*\d)[\w.~%+-]{16,}$/.test(value)
  );
}

const SWITCH = /^(?:true|false|null|0|1)$/i;

const NAME_CHARACTER = /[\w.%[\]$~-]/;

/** The name before a mark, decoded, and its place; empty if there is none. */
function nameBefore(text: string, end: number): { readonly name: string; readonly at: number } {
  let at = end;
  while (at > 0 && end - at <= LONGEST_NAME && NAME_CHARACTER.test(text.charAt(at - 1))) at -= 1;
  const name = text.slice(at, end);
  if (text[at - 1] === '\\') return { name: name.replace(/^(?:u[0-9a-f]{4}|[nrt])/i, ''), at };
  return { name: decoded(name), at };
}

const END_IN_FORM = /&/g;
const END_IN_TEXT = /[&\s"'<>\\]/g;

const ELEMENT = /<(?:[\w.-]{1,50}:)?([\w.-]{1,100})(?:\s[^<>]{0,500})?>/y;

const DISPOSITION = /form-data;/i;
const PART = /form-data;[^\r\n]{0,200}?\bname=(?:"([^"\r\n]{0,200})"|([^\s;"]{1,200}))/iy;
const BODY = /[^\r\n]{0,500}(?:\r?\n[^\r\n]{1,500}){0,10}\r?\n\r?\n/y;

function nextDisposition(text: string, after: number): number {
  const next = text.slice(after + 1).search(DISPOSITION);
  return next < 0 ? -1 : after + 1 + next;
}

const HEADER = /^(?:[^-]*-.*|authorization|cookie)$/i;

const LINE =
  /(\s{0,5}(?:(?:basic|bearer|digest|negotiate|token|apikey)\s{1,5})?)([^\s"'<>\\]+(?:(?<=;) [^\s"'<>\\]+)*)/iy;

const SCHEME = /^(?:basic|bearer|digest|negotiate|token|apikey)/i;

const KEY_LIKE = /^(?:.{16}|(?=\D*\d).{6})/;
