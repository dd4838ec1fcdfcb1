/**
 * Every law of the tests, each round with other random values: `npm run soak -- laws`. Rounds: 20, or `--rounds N`. Each round
 * prints its seed, also one that does not end; `TALLYSTICK_SEED=… npm run test:all` tries it again.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSection } from './page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } }, strict: false });
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((name) => readFileSync(join(root, name), 'utf8').includes("from 'fast-check'"));

const seeds = Array.from({ length: Number(values.rounds) }, () => randomInt(2 ** 31));
const failed = seeds.filter((seed) => {
  process.stdout.write(`TALLYSTICK_SEED=${String(seed)} `);
  const { status, stdout } = spawnSync(
    'vitest',
    ['run', '--reporter=tap-flat', '--testTimeout=300000', ...files],
    {
      cwd: root,
      env: { ...process.env, TALLYSTICK_SEED: String(seed) },
      encoding: 'utf8',
    },
  );
  const red = stdout.split('\n').filter((line) => line.startsWith('not ok'));
  process.stdout.write(status === 0 ? '✔\n' : `✖\n${red.join('\n')}\n`);
  return status !== 0;
});
const table = writeSection('laws', [
  ['files with laws', 'rounds, each with another seed', 'rounds that failed'],
  [files.length, seeds.length, failed.length].map(String),
]);
process.stdout.write(`\n${table}\n`);
if (failed.length > 0) process.exitCode = 1;
