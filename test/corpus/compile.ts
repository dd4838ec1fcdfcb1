import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strictest } from '../strictest.ts';

export const nodeNext = { module: 'nodenext', moduleResolution: 'nodenext' };
export const bundler = { module: 'esnext', moduleResolution: 'bundler' };

/** Every strictness that a user may have. */
export const checked = {
  ...strictest,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  isolatedDeclarations: true,
  declaration: true,
  skipLibCheck: true,
  noEmit: true,
};

/** How many errors a compiler finds when it looks for modules in this way. */
export async function compile(
  folder: string,
  tsc: string,
  resolution: object,
  part: { readonly exclude: readonly string[]; readonly compilerOptions: object },
  limitMs: number,
): Promise<number | 'timeout'> {
  const { exclude } = part;
  const compilerOptions = { ...checked, ...resolution, ...part.compilerOptions };
  const options = { compilerOptions, include: ['.'], exclude };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const args = ['--max-old-space-size=4000', tsc, '-p', '.', '--pretty', 'false'];
  const compiler = spawn(process.execPath, args, { cwd: folder, timeout: limitMs, killSignal: 'SIGKILL' });
  const { status, signal, stdout } = await ended(compiler);
  if (signal === 'SIGKILL') {
    process.stdout.write(`    ${tsc} was not done in ${(limitMs / 1_000).toFixed(0)} s\n`);
    return 'timeout';
  }
  const found = stdout.match(/error TS\d+/g)?.length ?? 0;
  if (found > 0 && process.env['CORPUS_SHOW'] !== undefined) process.stdout.write(stdout.slice(0, 3_000));
  return found === 0 && status !== 0 ? 1 : found;
}

// --- internal ---

function ended(
  child: ChildProcessWithoutNullStreams,
): Promise<{ readonly status: number | null; readonly signal: string | null; readonly stdout: string }> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, stdout }));
  });
}
