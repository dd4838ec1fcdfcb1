import type { CST, Document as YamlDocument } from 'yaml';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { LineTable } from './locate.ts';
import type { Diagnostic } from '../model.ts';
import { type YamlFinding, yamlMessage } from './yaml-messages.ts';

/** The first few syntax errors of a text; later ones are often consequences of the first. */
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
    // The text after an unterminated string was read as a part of it.
    if (seen.size === MOST_PROBLEMS || message === UNTERMINATED) break;
  }
  return diagnostics;
}

/** Every token with its depth. A loop, because recursion overflows the stack on hostile depth. */
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
const UNTERMINATED = 'unterminated string';

/** The library's error in our own words, at the place to correct. */
function explain(
  finding: YamlFinding,
  tokens: readonly CST.Token[],
  text: string,
): { readonly offset: number; readonly message: string; readonly help?: string } {
  const [offset] = finding.pos;
  const general = yamlMessage(finding, text.slice(...finding.pos));
  switch (finding.code) {
    case 'MULTILINE_IMPLICIT_KEY': {
      const [line = ''] = /^.*/.exec(text.slice(offset)) ?? [];
      const [, name, value] = /^([\w$/.-]+) +(\S.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) break;
      return { offset: offset + name.length, message: 'missing colon', help: `write \`${name}: ${value}\`` };
    }
    case 'BAD_INDENT': {
      const closing = /end with a ([}\]])/.exec(finding.message)?.[1];
      if (closing !== undefined)
        return {
          offset,
          message: `missing ${closing}`,
          help: `add ${closing} before this place, or indent this line`,
        };
      break;
    }
    case 'MISSING_CHAR': {
      const start = /quote/.test(finding.message) ? openQuote(tokens) : undefined;
      if (start === undefined) break;
      return { ...general, offset: start, help: `add the closing ${text.charAt(start)}` };
    }
  }
  return { offset, ...general };
}

/** The offset of a quoted string without a closing quote. */
function openQuote(tokens: readonly CST.Token[]): number | undefined {
  for (const { token } of walkTokens(tokens)) {
    if (token.type !== 'double-quoted-scalar' && token.type !== 'single-quoted-scalar') continue;
    const { source, offset } = token;
    if (source.length < 2 || !source.endsWith(source.charAt(0))) return offset;
  }
  return undefined;
}
