import { execFileSync } from 'node:child_process';

/** The newest versions of some packages no longer run on the oldest Node that the package supports. */
const NODE = 24;

/** The program of the Node that runs this script, or of a newer one, which npx downloads. */
export function newerNode(): string {
  if (Number.parseInt(process.versions.node, 10) >= NODE) return process.execPath;
  const args = ['--yes', '--package', `node@${String(NODE)}`, '--', 'node', '-p', 'process.execPath'];
  return execFileSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
