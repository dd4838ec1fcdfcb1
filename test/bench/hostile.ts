/**
 * `npm run bench:hostile`: what hostile input costs, and how the cost grows with its size. `npm run bench:hostile -- mock`
 * measures one subject. Times are not judged: it fails where something crashes, hangs or answers 5xx without a reason.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../command-line.ts';
import type { Measured } from './hostile/run-one.ts';
import { subjects } from './hostile/subjects.ts';

const SIZES = [250_000, 500_000, 1_000_000];
const LONGEST_MS = 30_000;
const runner = fileURLToPath(new URL('hostile/run-one.ts', import.meta.url));

type Ending = 'whole' | 'hung' | 'crashed';

/** Each size has its own time limit; the start of the process has one too. */
function run(subject: string, shape: string): Promise<{ measured: Measured[]; ending: Ending }> {
  return new Promise((resolve) => {
    const child = fork(runner, [subject, shape, ...SIZES.map(String)], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const measured: Measured[] = [];
    let hung = false;
    const stop = (): void => {
      hung = true;
      child.kill('SIGKILL');
    };
    let timer = setTimeout(stop, LONGEST_MS * 2);
    child.on('message', (message) => {
      measured.push(message as Measured);
      clearTimeout(timer);
      timer = setTimeout(stop, LONGEST_MS);
    });
    child.on('exit', () => {
      clearTimeout(timer);
      const isWhole = measured.length === SIZES.length && !measured.some(({ crashed }) => crashed === true);
      resolve({ measured, ending: isWhole ? 'whole' : hung ? 'hung' : 'crashed' });
    });
  });
}

/** How much longer twice the size takes. */
function growth(measured: readonly Measured[]): string {
  return measured
    .slice(1)
    .map(
      ({ milliseconds }, index) => `${(milliseconds / (measured[index]?.milliseconds ?? NaN)).toFixed(1)} x`,
    )
    .join(', ');
}

const { positionals: wanted } = commandLine(
  import.meta.url,
  { allowPositionals: true },
  subjects.map(({ name }) => name),
);

const columns = [18, 22, 26, 16, 10];
const line = (cells: readonly string[]): string =>
  cells.map((cell, index) => cell.padEnd(columns[index] ?? 0)).join(' ');

console.log(line(['subject', 'shape', 'ms for 250 kB, 500 kB, 1 MB', 'per doubling', 'peak RSS', 'answer']));
let failures = 0;
for (const { name, shapes } of subjects) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const shape of shapes) {
    const { measured, ending } = await run(name, shape);
    if (ending !== 'whole') failures += 1;
    const times = measured.map(({ milliseconds }) => milliseconds.toFixed(0)).join(', ');
    const peak = Math.max(0, ...measured.map(({ peakBytes }) => peakBytes));
    const answers = [...new Set(measured.map(({ answer }) => answer))].join(' / ');
    const said = ending === 'whole' ? answers : `${ending.toUpperCase()} ${answers}`;
    console.log(line([name, shape, times, growth(measured), `${(peak / 2 ** 20).toFixed(0)} MiB`, said]));
  }
}
if (failures > 0) console.error(`${String(failures)} crashed or hung`);
process.exitCode = failures > 0 ? 1 : 0;
