import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = [
  'cli',
  'conformance',
  'contract',
  'engine',
  'generator',
  'mock',
  'proxy',
  'server',
  'scripts/build.mjs',
  'tsconfig.build.json',
];

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The tests of what ships must not run yesterday's build. */
export function setup(): void {
  const newest = sources
    .map((source) => join(root, source))
    .flatMap((path) =>
      statSync(path).isDirectory()
        ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
        : [path],
    )
    .reduce((latest, path) => Math.max(latest, changedAt(path)), 0);
  if (newest > changedAt(join(root, 'dist/cli/bin.cjs'))) {
    execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
  }
}
