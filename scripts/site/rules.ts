/** The table of rules as a section for each rule, which search and links can reach and a phone can show. */
export function rulesAsSections(markdown: string): string {
  let columns: readonly string[] = [];
  return markdown
    .split('\n')
    .map((line) => {
      if (!line.startsWith('| ')) return line;
      const cells = line.slice(2, -2).split(/(?<!\\) \| /);
      if (cells[0] === 'rule') {
        columns = cells;
        return '';
      }
      return cells[0]?.startsWith('---') === true ? '' : section(columns, cells);
    })
    .join('\n');
}

// --- internal ---

function section(columns: readonly string[], [rule = '', says = '', ...others]: readonly string[]): string {
  const [, id = rule, level = ''] = /^`([^`]+)`(?: \(([^)]+)\))?/.exec(rule) ?? [];
  const lines = others.map((cell, index) => `- ${columns[index + 2] ?? ''}: ${cell}`);
  return [`### ${id}`, '', says, '', ...(level === '' ? [] : [`- level: ${level}`]), ...lines, ''].join('\n');
}
