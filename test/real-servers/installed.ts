import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs packages of npm in a folder of their own. None of their scripts runs.
 *
 * @param versions exact versions by name
 * @param overrides exact versions of packages that those would bring in another version
 */
export function installFromNpm(
  folder: string,
  versions: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>> = {},
): void {
  once(folder, () => {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'a-real-server', private: true, dependencies: versions, overrides }),
    );
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'], folder);
  });
}

/** Extracts packages of Debian into a folder, and installs nothing. A package is `name=version`. */
export function extractFromDebian(folder: string, packages: readonly string[]): void {
  once(folder, () => {
    run('apt-get', ['download', ...packages], folder);
    const files = execFileSync('find', [folder, '-maxdepth', '1', '-name', '*.deb'], { encoding: 'utf8' });
    for (const file of files.trim().split('\n')) run('dpkg-deb', ['--extract', file, folder], folder);
  });
}

// --- internal ---

/** Begins again where an earlier installation did not reach its end. */
function once(folder: string, install: () => void): void {
  const mark = join(folder, '.installed');
  if (existsSync(mark)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install();
  writeFileSync(mark, '');
}

function run(program: string, args: readonly string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], timeout: 900_000 });
}
