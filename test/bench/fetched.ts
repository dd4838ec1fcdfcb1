import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Generators that others use, in versions that run on every Node that this package runs on. */
const PEERS = ['@hey-api/openapi-ts@0.95.0', 'orval@7.13.2', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];
const DOCUMENTS = '@octokit/openapi@23.0.2';

/** Outside this repository, and kept: fetching takes longer than measuring. */
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tallystick-bench');

export interface Fetched {
  /** GitHub's document. */
  readonly large: string;
  /** Arguments for Node that generate a document with each of them: types and clients that use `fetch`. */
  readonly heyApi: (document: string, out: string) => readonly string[];
  readonly orval: (document: string, out: string) => readonly string[];
  /** The module that creates a client. */
  readonly openapiFetch: string;
}

/** Installs what others wrote; `undefined` where it cannot be fetched. */
export function fetchedGenerators(): Fetched | undefined {
  const folder = join(cache, [...PEERS, DOCUMENTS].join('_').replace(/[^\w.]+/g, '_'));
  if (!existsSync(folder) && !installed(folder)) return undefined;
  const inside = (path: string): string => join(folder, 'node_modules', path);
  return {
    large: inside('@octokit/openapi/generated/api.github.com.json'),
    openapiFetch: inside('openapi-fetch/dist/index.mjs'),
    heyApi: (document, out) => [
      inside('@hey-api/openapi-ts/bin/run.js'),
      '-i',
      document,
      '-o',
      out,
      '--silent',
    ],
    orval: (document, out) => [
      inside('orval/dist/bin/orval.js'),
      ...['--input', document, '--output', `${out}/client.ts`, '--client', 'fetch'],
    ],
  };
}

// --- internal ---

function installed(folder: string): boolean {
  const next = `${folder}.${String(process.pid)}`;
  mkdirSync(next, { recursive: true });
  writeFileSync(join(next, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries', '0'];
  try {
    execFileSync('npm', ['install', ...options, ...PEERS, DOCUMENTS], {
      cwd: next,
      stdio: 'ignore',
      timeout: 180_000,
    });
    renameSync(next, folder);
    return true;
  } catch {
    rmSync(next, { recursive: true, force: true });
    return false;
  }
}
