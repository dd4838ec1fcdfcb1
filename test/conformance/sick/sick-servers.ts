/**
 * `npm run sick-servers`: judges every sick server of the table, each in a process of its own, and writes
 * docs/sick-servers.md. It fails where a server does not get the exit code of its table. With a name, it judges that server alone.
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../command-line.ts';
import { illnesses } from './illnesses.ts';
import { judgeIllness } from './outcome.ts';
import { pageFile, renderPage, rowOf } from './page.ts';
import type { Row } from './page.ts';

const { positionals } = commandLine(
  import.meta.url,
  { allowPositionals: true },
  illnesses.map(({ name }) => name),
);
const [wanted] = positionals;
const chosen = illnesses.find(({ name }) => name === wanted);

if (chosen === undefined) await judgeAll();
else {
  const row = rowOf(chosen, await judgeIllness(chosen));
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(row)}\n`);
  else process.send(row);
}

async function judgeAll(): Promise<void> {
  const rows: Row[] = [];
  for (const { name, exit } of illnesses) {
    const row = await judged(name);
    rows.push(row);
    const isExpected = row.exit === exit;
    if (!isExpected) process.exitCode = 1;
    process.stdout.write(
      `${isExpected ? '✔' : '✖'} ${name}: exit ${row.exit}, ${row.megabytes} MB, ${row.seconds} s\n`,
    );
  }
  writeFileSync(pageFile, renderPage(rows));
  process.stdout.write(`written: ${pageFile}\n`);
}

function judged(name: string): Promise<Row> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [name]);
    child.once('message', (row) => resolve(row as Row));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name}: the process ended with ${code}`)));
  });
}
