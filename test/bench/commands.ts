import { spawnSync } from 'node:child_process';
import { packageRoot } from '../../contract/index.ts';
import { alone, type Row } from './rows.ts';

/** How long the commands take that people who work on this project type. */
export async function commands(): Promise<readonly Row[]> {
  return [row('npm run demo', ['run', 'demo'], '20 s, 45 lines'), row('npm test', ['test'], '3 min', '90 s')];
}

// --- internal ---

function row(what: string, words: readonly string[], bar: string, aim?: string): Row {
  const started = performance.now();
  const { status, stdout } = spawnSync('npm', ['--silent', ...words], {
    cwd: packageRoot(),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const lines = stdout.trimEnd().split('\n').length;
  const told = status === 0 ? `${seconds} s, ${lines} lines` : `failed after ${seconds} s`;
  return alone(what, told, { bar, ...(aim === undefined ? {} : { aim }) });
}
