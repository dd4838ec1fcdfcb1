/** Chooses an integer from 0 to `most`. */
export type Choose = (most: number) => number;

/**
 * Makes a text for a regular expression with classes, groups, alternatives and quantifiers. The caller has to
 * check that it matches, because anchors, lookarounds and back references inside are ignored. `undefined` for
 * an unsupported expression, and if the text would be very long.
 */
export function textOfPattern(pattern: string, choose: Choose): string | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  try {
    const reader = { pattern, at: 0, left: LONGEST_TEXT, choose };
    const text = alternatives(reader);
    return reader.at < pattern.length ? undefined : text;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

// --- internal ---

const LONGEST_PATTERN = 500;
const LONGEST_TEXT = 5_000;
const MOST_REPEATS = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ANY = `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}`;

class Unreadable extends Error {}

interface Reader {
  readonly pattern: string;
  at: number;
  /** The remaining number of characters. */
  left: number;
  readonly choose: Choose;
}

function alternatives(reader: Reader): string {
  const made = [sequence(reader)];
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1;
    made.push(sequence(reader));
  }
  return made[reader.choose(made.length - 1)] ?? '';
}

function sequence(reader: Reader): string {
  let text = '';
  for (;;) {
    const next = reader.pattern[reader.at];
    if (next === undefined || next === '|' || next === ')') return text;
    const from = reader.at;
    const one = atom(reader);
    const times = quantity(reader);
    const end = reader.at;
    for (let made = 0; made < times; made += 1) {
      // Each repetition makes its own choice.
      reader.at = from;
      text += made === 0 ? one : atom(reader);
      reader.left -= 1;
      if (text.length > LONGEST_TEXT || reader.left < 0) throw new Unreadable();
    }
    reader.at = end;
  }
}

function atom(reader: Reader): string {
  const { pattern, choose } = reader;
  const sign = pattern[reader.at] ?? '';
  reader.at += 1;
  switch (sign) {
    case '^':
    case '$':
      return '';
    case '.':
      return pick(ANY, choose);
    case '[':
      return pick(members(reader), choose);
    case '\\':
      return pick(escaped(reader), choose);
    case '(': {
      const [opened = ''] = /^\?(?::|<[A-Za-z]\w*>)/.exec(pattern.slice(reader.at, reader.at + 60)) ?? [];
      if (opened === '' && pattern[reader.at] === '?') throw new Unreadable();
      reader.at += opened.length;
      const text = alternatives(reader);
      if (pattern[reader.at] !== ')') throw new Unreadable();
      reader.at += 1;
      return text;
    }
    case '*':
    case '+':
    case '?':
    case '{':
      throw new Unreadable();
    default:
      return sign;
  }
}

function quantity(reader: Reader): number {
  const { pattern, choose } = reader;
  const [all = '', sign, least, comma, most] =
    /^(?:([*+?])|\{(\d{1,4})(,?)(\d{0,4})\})\??/.exec(pattern.slice(reader.at, reader.at + 16)) ?? [];
  reader.at += all.length;
  if (all === '') return 1;
  if (sign === '?') return choose(1);
  const from = sign === '*' ? 0 : sign === '+' ? 1 : Number(least);
  const to = comma === '' ? from : most === undefined || most === '' ? from + MOST_REPEATS : Number(most);
  return from + choose(Math.max(0, to - from));
}

/** The content of a character class. */
function members(reader: Reader): string {
  const { pattern } = reader;
  const isNegated = pattern[reader.at] === '^';
  if (isNegated) reader.at += 1;
  let found = '';
  while (pattern[reader.at] !== ']') {
    const from = member(reader);
    const isRange = pattern[reader.at] === '-' && pattern[reader.at + 1] !== ']';
    if (!isRange || from.length !== 1) {
      found += from;
      continue;
    }
    reader.at += 1;
    const [first, last] = [from.charCodeAt(0), member(reader).charCodeAt(0)];
    for (let code = first; code <= Math.min(last, first + 256); code += 1) found += String.fromCharCode(code);
  }
  reader.at += 1;
  if (!isNegated) return found;
  return [...ANY].filter((sign) => !found.includes(sign)).join('');
}

function member(reader: Reader): string {
  const sign = reader.pattern[reader.at];
  if (sign === undefined) throw new Unreadable();
  reader.at += 1;
  return sign === '\\' ? escaped(reader) : sign;
}

function escaped(reader: Reader): string {
  const sign = reader.pattern[reader.at] ?? '';
  reader.at += 1;
  if (sign === 'd') return DIGITS;
  if (sign === 'w') return `${ANY}_`;
  if (sign === 's') return ' ';
  if (sign === 'D' || sign === 'S') return LETTERS;
  if (sign === 'W') return '-';
  // Other escaped letters and digits are classes and references.
  if (sign === '' || /[A-Za-z0-9]/.test(sign)) throw new Unreadable();
  return sign;
}

function pick(signs: string, choose: Choose): string {
  if (signs === '') throw new Unreadable();
  return signs[choose(signs.length - 1)] ?? '';
}
