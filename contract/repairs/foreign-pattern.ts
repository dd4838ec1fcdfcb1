/**
 * Translates a regular expression of another language to JavaScript: `(?i)` and similar flags at the start,
 * `\A` and `\z`, named groups and POSIX classes as in Python and Perl, and `/…/i` with its delimiters.
 * `undefined` if the pattern is already valid, or if it cannot be expressed in JavaScript.
 */
export function fromForeignPattern(pattern: string): string | undefined {
  if (pattern.length > LONGEST) return undefined;
  const read = readingOf(pattern);
  return read === undefined || read === pattern || !compiles(read) ? undefined : read;
}

/** Whether JavaScript can compile a pattern, with the flag `u` or without it. */
export function compiles(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags).source !== '';
    } catch {
      return false;
    }
  });
}

// --- internal ---

const LONGEST = 10_000;

function readingOf(pattern: string): string | undefined {
  // Nothing can precede the start of a text: with literal slashes, such a pattern would never match.
  const [, delimited, delimiterFlags = ''] = /^\/(\^.*\$)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (delimited !== undefined) return withFlags(delimited, delimiterFlags);
  const [, anchor = '', flags, rest = ''] = /^(\^?)\(\?([a-zA-Z]+)\)(.*)$/s.exec(pattern) ?? [];
  if (flags !== undefined) return withFlags(anchor + rest, flags);
  return /\\[AZz]|\(\?P[<=]|\(\?#|\[:[a-z]+:\]/.test(pattern) ? withFlags(pattern, '') : undefined;
}

const POSIX: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
  punct: '!-\\/:-@\\[-`{-~',
  blank: ' \\t',
};

function withFlags(pattern: string, flags: string): string | undefined {
  // Flags of a whole pattern: case-insensitive, dot matches every character, Unicode, and a single match.
  if (!/^[isugUm]*$/.test(flags) || (flags.includes('m') && /[$^]/.test(pattern.slice(1, -1))))
    return undefined;
  const anyCase = flags.includes('i');
  const dotAll = flags.includes('s');
  let made = '';
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at);
    const [token = rest.charAt(0)] = TOKEN.exec(rest) ?? [];
    at += token.length;
    if (token.startsWith('[')) made += classOf(token, anyCase);
    else if (token === '\\A') made += '^';
    else if (token === '\\Z' || token === '\\z') made += '$';
    else if (token.startsWith('(?#')) continue;
    else if (token.startsWith('(?P<')) made += `(?<${token.slice(4)}`;
    else if (token.startsWith('(?P=')) made += `\\k<${token.slice(4, -1)}>`;
    else if (token === '.' && dotAll) made += '[^]';
    else if (anyCase && /^[A-Za-z]$/.test(token)) made += `[${token.toLowerCase()}${token.toUpperCase()}]`;
    else if (anyCase && /^\\[1-9k]/.test(token)) return undefined;
    else made += token;
  }
  return made;
}

/** An escape, a class, the start of a group, or a repetition. Letters in these are not literal. */
const TOKEN =
  /^(?:\\u\{[^}]*\}|\\[pP]\{[^}]*\}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\c[A-Za-z]|\\k<[^>]*>|\\[^]|\[\^?(?:\\[^]|\[:\^?[a-z]+:\]|[^\]\\])*\]|\(\?#[^)]*\)|\(\?P<[^>]*>|\(\?P=[^)]*\)|\(\?<[A-Za-z_]\w*>|\(\?(?:[:=!]|<[=!]))/;

function classOf(text: string, anyCase: boolean): string {
  const open = text.startsWith('[^') ? '[^' : '[';
  const inner = text
    .slice(open.length, -1)
    .replace(/\[:([a-z]+):\]/g, (whole, name: string) => POSIX[name] ?? whole);
  if (!anyCase) return `${open}${inner}]`;
  let added = '';
  for (const [token] of inner.matchAll(
    /\\(?:[pPu]\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[^])|[A-Za-z]-[A-Za-z]|[^]/g,
  )) {
    if (/^[A-Za-z]-[A-Za-z]$/.test(token) && isOneCase(token))
      added += token === token.toLowerCase() ? token.toUpperCase() : token.toLowerCase();
    else if (/^[A-Z]$/.test(token)) added += token.toLowerCase();
    else if (/^[a-z]$/.test(token)) added += token.toUpperCase();
  }
  return `${open}${inner}${added}]`;
}

function isOneCase(range: string): boolean {
  return range === range.toLowerCase() || range === range.toUpperCase();
}
