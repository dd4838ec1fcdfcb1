import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';

/** The number of files that fits on one command line, on any system. */
const MOST_FILES = 200;
const PATIENCE_MS = 300_000;

/**
 * Runs the user's command, such as a formatter, on files that were just written. It uses no shell, so file names need
 * no quoting. Programs of the package's own `node_modules` are found.
 *
 * @param command the program and its arguments; the paths of the files follow
 * @param config the absolute path of the file that contains the command
 * @throws {CommandFailure} if it cannot be run or fails
 */
export async function runAfterWrite(
  command: readonly string[],
  files: readonly string[],
  { config, environment }: { readonly config: string; readonly environment: Context['environment'] },
): Promise<void> {
  const [program = '', ...given] = command;
  const folder = dirname(config);
  const path = [join(folder, 'node_modules/.bin'), environment['PATH']].filter((part) => part !== undefined);
  const env = { ...environment, PATH: path.join(delimiter) };
  for (let index = 0; index < files.length; index += MOST_FILES) {
    const some = files.slice(index, index + MOST_FILES);
    const options = { cwd: folder, env, timeout: PATIENCE_MS, maxBuffer: 2 ** 24 };
    await new Promise<void>((resolve, reject) => {
      execFile(program, [...given, ...some], options, (error, stdout, stderr) => {
        if (error === null) resolve();
        else reject(failed(program, error, `${stderr}\n${stdout}`));
      });
    });
  }
}

// --- internal ---

function failed(program: string, error: Error & { readonly code?: unknown }, output: string): CommandFailure {
  const why =
    error.code === 'ENOENT'
      ? 'there is no such program'
      : typeof error.code === 'number'
        ? `it ended with ${String(error.code)}`
        : `it was stopped after ${String(PATIENCE_MS / 1000)} s, or could not be started`;
  const said = output.split('\n').filter((line) => line.trim() !== '');
  return new CommandFailure(
    2,
    `the code was written, but afterWrite failed: ${program}: ${why}`,
    said.slice(0, 10),
    {
      cause: error,
    },
  );
}
