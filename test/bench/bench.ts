/**
 * `npm run bench`: what we claim about speed and size, beside peers in one run. Ratios count; absolute figures are orientation.
 * CPU time comes from the measured processes themselves. Nothing is asserted. Names of parts run only these: `npm run bench
 * -- requests proxies`; `--json FILE` writes the rows for programs as well, `--write` puts all rows into docs/speed.md.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine, mistaken } from '../command-line.ts';
import { writeSection } from '../soak/page.ts';
import { commands } from './commands.ts';
import { documents } from './documents.ts';
import { memory } from './memory.ts';
import { programs } from './programs.ts';
import { proofs } from './proofs.ts';
import { proxies } from './proxies.ts';
import { requests } from './requests.ts';
import { cellsOf, type Row } from './rows.ts';
import { sizes } from './sizes.ts';
import { suite } from './suite.ts';
import { validators } from './validators.ts';

/** Each gets a folder for what it writes. */
const parts: Readonly<Record<string, (scratch: string) => Promise<readonly Row[]>>> = {
  requests,
  documents,
  memory,
  proxies,
  programs,
  sizes,
  suite,
  validators,
  commands,
  proofs,
};
const names = Object.keys(parts);

const { values, positionals } = commandLine(
  import.meta.url,
  {
    options: { json: { type: 'string' }, write: { type: 'boolean', default: false } },
    allowPositionals: true,
  },
  names,
);
if (values.write && positionals.length > 0)
  mistaken(import.meta.url, '--write replaces the whole table: leave out the names of parts');
const wanted = positionals.length === 0 ? names : names.filter((name) => positionals.includes(name));

const scratch = await mkdtemp(join(tmpdir(), 'tallystick-bench-'));
const rows: Row[] = [];
try {
  for (const name of wanted) rows.push(...((await parts[name]?.(scratch)) ?? []));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
const cells = cellsOf(rows);
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify({ schemaVersion: 2, rows }, null, 2)}\n`);
if (values.write) writeSection('bench', cells, 'speed.md');
const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of cells)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
