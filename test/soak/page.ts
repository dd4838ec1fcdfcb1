import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';

/** The rows as a table; with `--write` it also goes to its place in the page, which is a file of docs/. */
export function writeSection(
  name: string,
  [head = [], ...body]: readonly (readonly string[])[],
  page = 'soak.md',
): string {
  const file = join(packageRoot(), 'docs', page);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
  if (process.argv.includes('--write')) {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [before = '', rest = ''] = readFileSync(file, 'utf8').split(start);
    const [, after = ''] = rest.split(end);
    writeFileSync(file, `${before}${start}\n\n${table}\n\n${end}${after}`);
  }
  return table;
}
