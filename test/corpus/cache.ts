import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { extname, join } from 'node:path';

/** Beside the installed packages, so that `npm ci` empties it. */
export const cacheFolder = join(import.meta.dirname, '../../node_modules/.cache/tallystick-corpus');

/** The folder of a published package, unpacked. Fetched once. */
export function unpacked(specifier: string): string {
  const folder = join(cacheFolder, 'packages', specifier.replace(/[/@]+/g, '_'));
  if (existsSync(folder)) return join(folder, 'package');
  const next = `${folder}.${String(process.pid)}`;
  mkdirSync(next, { recursive: true });
  try {
    const args = ['pack', specifier, '--json', '--ignore-scripts', '--pack-destination', next];
    const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as { filename: string }[];
    const archive = readdirSync(next).find((name) => name.endsWith('.tgz'));
    if (packed === undefined || archive === undefined) throw new Error(`npm pack gave no ${specifier}`);
    execFileSync('tar', ['-xzf', archive], { cwd: next });
    const top = readdirSync(next).find((name) => statSync(join(next, name)).isDirectory());
    if (top !== undefined && top !== 'package') renameSync(join(next, top), join(next, 'package'));
    renameSync(next, folder);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return join(folder, 'package');
}

/** The script of a compiler that is fetched for the run. */
export function compilerOf(specifier: string): string {
  return installed('compilers', [specifier], 'typescript/bin/tsc');
}

/** A module of packages that are fetched for the run, the one to import first. */
export function moduleOf(specifiers: readonly [string, ...string[]], path: string): string {
  return installed('peers', specifiers, path);
}

/**
 * What runs have found with the code that is built now.
 *
 * @param built its folder
 */
export function keptRows<Row>(
  built: string,
  again: boolean,
): { readonly rows: readonly Row[]; readonly keep: (row: Row) => void } {
  const hash = createHash('sha256');
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((each) => each.endsWith('.js')).sort())
    hash.update(name).update(readFileSync(join(built, name)));
  const file = join(cacheFolder, `beside-peers-${hash.digest('hex').slice(0, 16)}.json`);
  const rows: Row[] = existsSync(file) && !again ? (JSON.parse(readFileSync(file, 'utf8')) as Row[]) : [];
  const keep = (row: Row): void => {
    rows.push(row);
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(file, JSON.stringify(rows));
  };
  return { rows, keep };
}

/** The documents at a path of a package: the file itself, or every OpenAPI document of a folder. */
export function documentsAt(root: string, path: string): string[] {
  const whole = join(root, path);
  if (!statSync(whole).isDirectory()) return [whole];
  return readdirSync(whole, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^\.(?:json|ya?ml)$/.test(extname(name)) && !name.includes('node_modules'))
    .map((name) => join(whole, name))
    .filter((file) =>
      /^\s*["']?(?:openapi|swagger)["']?\s*:/m.test(readFileSync(file, 'utf8').slice(0, 5_000)),
    )
    .sort();
}

// --- internal ---

function installed(kind: string, specifiers: readonly string[], path: string): string {
  const folder = join(cacheFolder, kind, (specifiers[0] ?? '').replace(/[^\w.]+/g, '_'));
  const file = join(folder, 'node_modules', path);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...specifiers], {
      cwd: folder,
    });
  }
  return file;
}
