/** The first line of every written page. */
export function writtenFrom(source: string): string {
  return `<!-- Written by \`npm run docs\` from ${source}. Do not edit. -->`;
}

/** A table; rows without cells are left out together with the head. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Parts of a page with an empty line between them; empty parts are left out. */
export function page(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Text in a code span; it may contain backticks. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A fenced block. */
export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Text of a doc comment or of a help text, escaped for a page: angle brackets outside code are not HTML. */
export function prose(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '{\u200b{'),
    )
    .join('');
}

// --- internal ---

function cell(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replace(/(?<!\\)\|/g, '\\|');
}
