/**
 * Untrusted text (from servers, clients, documents, reports) on its way to a terminal, a page, a build system
 * or a shell. Only this module decides how such text is shown. Web standards only, because the inspector's
 * page uses it too.
 */

/**
 * Invisible characters that change how a text is shown: controls (Unicode's C0 and C1 sets), formats such as
 * bidirectional overrides and zero-width characters, line and paragraph separators, lone surrogates,
 * noncharacters. Source of a regular expression with the flag `u`.
 */
export const unseenCharacters = '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{NChar}]';

/**
 * Text on one line: line feeds and tabs become spaces, other invisible characters are written as `\u202e`.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => (SPACES.has(character) ? ' ' : escaped(character)));
}

/**
 * Text of several lines: like `visible`, but line feeds and tabs stay. JSON keeps its value, because
 * invisible characters occur only in its strings, where `\u202e` is an equivalent escape.
 */
export function visibleLines(text: string): string {
  return text.replace(UNSEEN, (character) => (LAYOUT.has(character) ? character : escaped(character)));
}

/** A value with each of its strings on one line. Only for values of a known shape, because it recurses. */
export function visibleStrings<Value>(value: Value): Value {
  if (typeof value === 'string') return visible(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(visibleStrings) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [visible(name), visibleStrings(item as unknown)]),
  ) as Value;
}

/**
 * A value as JSON text that can be shown: it contains no invisible character and parses to the same value.
 */
export function visibleJson(value: unknown, indent?: number): string {
  return visibleLines(JSON.stringify(value, null, indent));
}

/** Text for an element or a double-quoted attribute of HTML. */
export function escapeHtml(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** Text for an element or a double-quoted attribute of XML 1.0. */
export function escapeXml(text: string): string {
  return escapeHtml(text).replaceAll('\n', '&#10;');
}

/** Prose for a line of Markdown: no markup, no HTML, no entity, no link. */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replace(/[\\`*_{}[\]<>#|~&$]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=\bwww)\./gi, '\\$&')
    .replace(/ +/g, ' ')
    .trim();
}

/** Text as code within a line of Markdown, in a table too. */
export function markdownCode(text: string): string {
  const line = visible(text).replace(/ +/g, ' ').replaceAll('|', '¦');
  const fence = '`'.repeat(longestRun(line) + 1);
  return fence.length > 1 || line.trim() === '' ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** Text as a fenced block of Markdown. */
export function markdownBlock(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${visibleLines(text)}\n${fence}`;
}

/**
 * Text as one word of a POSIX shell. The shell expands nothing in it except the variables that `variables`
 * matches, such as `$API_KEY`. Invisible characters are written as escapes that the shell prints, so that the
 * script itself contains none.
 */
export function shellWord(text: string, variables?: RegExp): string {
  const rest = variables === undefined ? text : text.replaceAll(variables, '');
  if (rest !== text && !/["`\\!$]/.test(rest) && !UNSEEN_RUNS.test(rest)) return `"${text}"`;
  if (/^[\w./:=@%+,-]+$/.test(text)) return text;
  const pieces: string[] = [];
  let from = 0;
  const take = (end: number): void => {
    if (end > from) pieces.push(...literalPieces(text.slice(from, end)));
  };
  for (const match of variables === undefined ? [] : text.matchAll(variables)) {
    take(match.index);
    pieces.push(`"${match[0]}"`);
    from = match.index + match[0].length;
  }
  take(text.length);
  return pieces.length === 0 ? "''" : pieces.join('');
}

/** The message of a workflow command of GitHub Actions; the reader sees its line feeds as line feeds. */
export function workflowMessage(text: string): string {
  return visibleLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

/** A property of a workflow command of GitHub Actions. */
export function workflowProperty(text: string): string {
  return workflowMessage(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Text in which the log of GitHub Actions finds no commands: these begin with `::` after blanks, or have
 * `##[` anywhere in their line. JSON keeps its value.
 */
export function withoutWorkflowCommands(text: string): string {
  // No line of JSON begins with a colon.
  const shown = text
    .split('\n')
    .map((line) => (line.trimStart().startsWith('::') ? line.replace('::', ': :') : line))
    .join('\n');
  return shown.replaceAll('##[', /^\s*[[{]/.test(text) ? '#\\u0023[' : '## [');
}

// --- internal ---

const UNSEEN = new RegExp(unseenCharacters, 'gu');

const LAYOUT = new Set(['\n', '\t']);
const SPACES = new Set(['\n', '\t', '\r']);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** In UTF-16 units, as JSON and JavaScript spell it. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function literalPieces(text: string): readonly string[] {
  // The pieces with odd indices are runs of invisible characters.
  return text.split(UNSEEN_RUNS).flatMap((piece, index) => {
    if (piece === '') return [];
    return [index % 2 === 1 ? printed(piece) : `'${piece.replaceAll("'", `'\\''`)}'`];
  });
}

/** Line feeds and tabs are safe within quotes. */
const UNSEEN_RUNS = new RegExp(`((?:(?![\\n\\t])${unseenCharacters})+)`, 'u');

function printed(characters: string): string {
  const octal = [...new TextEncoder().encode(characters)].map(
    (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"$(printf '${octal.join('')}')"`;
}
