import type { CST, Document as YamlDocument } from 'yaml';
import { problem } from './diagnostic-codes.ts';
import type { LineTable } from './locate.ts';
import type { Diagnostic } from './model.ts';

/** What the library found wrong with a text, the first few things: after a mistake readers stumble on. */
export function syntaxProblems(
  document: YamlDocument.Parsed,
  tokens: readonly CST.Token[],
  text: string,
  lines: LineTable,
): Diagnostic[] {
  const mistakes = [...document.errors, ...document.warnings]
    .map((finding) => explain(finding, tokens, text))
    .sort((a, b) => a.offset - b.offset);
  const seen = new Set<number>();
  const diagnostics: Diagnostic[] = [];
  for (const { offset, message, help } of mistakes) {
    const location = lines.at(offset);
    if (seen.has(location.line)) continue;
    seen.add(location.line);
    diagnostics.push(problem('syntax', message, { location, help }));
    // A text that never ends has swallowed what comes after it.
    if (seen.size === MOST_PROBLEMS || message === NEVER_ENDS) break;
  }
  return diagnostics;
}

/** Every token with its depth. A loop and not a recursion, or hostile depth would end it. */
export function* walkTokens(
  tokens: readonly CST.Token[],
): Generator<{ readonly token: CST.Token; readonly depth: number }> {
  const open: { readonly token: CST.Token | null | undefined; readonly depth: number }[] = [];
  for (const token of tokens) open.push({ token, depth: 0 });
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { token, depth } = entry;
    if (!token) continue;
    yield { token, depth };
    if (token.type === 'document') open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const item of token.items) {
      open.push({ token: item.key, depth: depth + 1 }, { token: item.value, depth: depth + 1 });
    }
  }
}

// --- internal ---

const MOST_PROBLEMS = 3;
const NEVER_ENDS = 'a text never ends';

/** The library's finding, in words for people who do not know how a YAML reader works. */
function explain(
  finding: { readonly code: string; readonly message: string; readonly pos: readonly [number, number] },
  tokens: readonly CST.Token[],
  text: string,
): { readonly offset: number; readonly message: string; readonly help?: string } {
  const [offset] = finding.pos;
  switch (finding.code) {
    case 'TAB_AS_INDENT':
      return { offset, message: 'a tab cannot indent a line', help: 'indent by spaces' };
    case 'TAG_RESOLVE_FAILED': {
      const tag = text.slice(...finding.pos);
      return {
        offset,
        message: `the tag ${tag} means nothing here`,
        help: 'remove it: a document is plain data',
      };
    }
    case 'MULTILINE_IMPLICIT_KEY': {
      const [line = ''] = /^.*/.exec(text.slice(offset)) ?? [];
      const [, name, value] = /^([\w$/.-]+) +(\S.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) break;
      return {
        offset: offset + name.length,
        message: 'a colon is missing',
        help: `write \`${name}: ${value}\``,
      };
    }
    case 'BLOCK_AS_IMPLICIT_KEY': {
      const message = 'a second colon stands in the line, or the line after it is indented too far';
      return { offset, message, help: 'quote the value, or line the keys up' };
    }
    case 'BAD_INDENT': {
      const closing = /end with a ([}\]])/.exec(finding.message)?.[1];
      if (closing !== undefined)
        return { offset, message: `a ${closing} is missing`, help: `write ${closing} before this` };
      return {
        offset,
        message: 'the line is not indented like those around it',
        help: 'line its key up with theirs',
      };
    }
    case 'MISSING_CHAR': {
      const start = /quote/.test(finding.message) ? openQuote(tokens) : undefined;
      if (start === undefined) break;
      return { offset: start, message: NEVER_ENDS, help: `close it by ${text.charAt(start)}` };
    }
  }
  return {
    offset,
    message: `this is not YAML: ${finding.message.charAt(0).toLowerCase()}${finding.message.slice(1)}`,
  };
}

/** Where a quoted text begins that never ends. */
function openQuote(tokens: readonly CST.Token[]): number | undefined {
  for (const { token } of walkTokens(tokens)) {
    if (token.type !== 'double-quoted-scalar' && token.type !== 'single-quoted-scalar') continue;
    const { source, offset } = token;
    if (source.length < 2 || !source.endsWith(source.charAt(0))) return offset;
  }
  return undefined;
}
