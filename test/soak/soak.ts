/**
 * `npm run soak`: everything here, one after the other, with its tables written to docs/soak.md. It takes the better part
 * of an hour; names on the command line choose, as in `npm run soak -- kill-nine`. Options, such as `--rounds 5` for the
 * laws, are passed on.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine, mistaken } from '../command-line.ts';

const all = [
  'kill-nine',
  'malformed',
  'mixed-load',
  'detection-rate',
  'clean-runs',
  'honest',
  'open-points',
  'lost-rules',
  'lost-records',
  'random-schemas',
  'random-documents',
  'large-schemas',
  'laws',
  'chaos',
  'proxied',
  'explore',
];
// Other words and options are for the runs that are named.
const { positionals } = commandLine(import.meta.url, { strict: false, allowPositionals: true });
const wanted = positionals.filter((word) => all.includes(word));
const unknown = positionals.find((word) => !/^\d+$/.test(word));
if (wanted.length === 0 && unknown !== undefined)
  mistaken(import.meta.url, `There is no '${unknown}': expected ${all.join(', ')}`);
const options = process.argv.slice(2).filter((argument) => !all.includes(argument));
const failed = (wanted.length === 0 ? all : wanted).filter((name) => {
  process.stdout.write(`\n${name}\n`);
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const run = spawnSync(process.execPath, ['--import', 'tsx', script, '--write', ...options], {
    stdio: 'inherit',
  });
  return run.status !== 0;
});
if (failed.length > 0) {
  process.stdout.write(`\n✖ ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
