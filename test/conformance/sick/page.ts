import { packageRoot } from '../../../contract/index.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report, Verdict } from '../../../conformance/index.ts';
import type { Illness } from './illness.ts';
import type { SickOutcome } from './outcome.ts';

export const pageFile = join(packageRoot(), 'docs', 'sick-servers.md');

/** What the page shows about one run. */
export interface Row {
  readonly name: string;
  readonly exit: number;
  /** Kind and sentence of the first finding. */
  readonly finding: string;
  readonly verdicts: string;
  readonly megabytes: number;
  readonly seconds: number;
}

export function rowOf({ name }: Illness, { report, exit, memory, milliseconds }: SickOutcome): Row {
  const [first] = report.findings;
  return {
    name,
    exit,
    finding: first === undefined ? 'none' : `${first.kind}: ${told(first.says, report)}`,
    verdicts: verdictsOf(report),
    megabytes: Math.ceil(memory / 1024 / 1024),
    seconds: milliseconds / 1000,
  };
}

/** The first two cells of a row: what must not differ between two runs. */
export function constantCells({ name, exit, finding }: Pick<Row, 'name' | 'exit' | 'finding'>): string {
  return `| ${name} | ${exit} | ${finding.split(':')[0] ?? ''}`;
}

/**
 * What the page gets wrong, as far as the table of sick servers tells without a run: a server that is missing or listed
 * with another exit code or kind of finding, and rows of servers that do not exist any more.
 */
export function pageMisfits(
  illnesses: readonly Illness[],
  page = readFileSync(pageFile, 'utf8'),
): readonly string[] {
  const rows = page
    .split('\n')
    .filter((line) => /^\| .* \| \d \|/.test(line))
    .map((line) => line.replace(/ +/g, ' '));
  const cells = illnesses.map(({ name, exit, finding }) =>
    constantCells({ name, exit, finding: finding?.kind ?? 'none' }),
  );
  return [
    ...cells
      .filter((start) => !rows.some((row) => row.startsWith(start)))
      .map((start) => `missing: ${start}`),
    ...rows
      .filter((row) => !cells.some((start) => row.startsWith(start)))
      .map((row) => `not in the table: ${row}`),
  ];
}

export function renderPage(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `${constantCells(row)}${row.finding.slice(row.finding.split(':')[0]?.length ?? 0)} | ${row.verdicts} | ${row.megabytes} MB | ${row.seconds.toFixed(1)} s |`,
  );
  return `# Sick servers

How \`tallystick conform\` judges servers that are ill. \`npm run sick-servers\` writes this page: each server
runs in a process of its own, together with the suite that judges it. Memory is the maximum that the run added to the process. The
tests in \`test/conformance/sick/\` require the exit code and the first finding, and that no rule fails because the server is ill.

- Exit code 1: the server is at fault. An operation never answers while others do, a response is broken each time, or a rule is broken.
- Exit code 3: the run could not judge what it had to judge. The server is gone, is not reached, refuses, or is too often disturbed;
  or the time budget is used up.
- A single fault of the network is reported, and does not change the exit code.

| the server … | exit | the first finding | verdicts | memory | time |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}

// --- internal ---

const ORDER: readonly Verdict[] = ['pass', 'fail', 'warn', 'error', 'inconclusive', 'not-exercised'];

function verdictsOf({ summary }: Report): string {
  return ORDER.filter((verdict) => summary[verdict] > 0)
    .map((verdict) => `${summary[verdict]} ${verdict}`)
    .join(', ');
}

/** The sentence without the port, which is another one each time, in the form of a table cell. */
function told(says: string, { target }: Report): string {
  const text = says
    .replaceAll(target.baseUrl, 'http://server')
    .replace(/127\.0\.0\.1:\d+/g, 'server')
    .replace(/[|<>`\\*_{}]/g, (character) => `\\${character}`);
  return text.length > 240 ? `${text.slice(0, 239)}…` : text;
}
