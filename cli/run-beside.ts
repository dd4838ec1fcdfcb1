import { spawn } from 'node:child_process';
import type { Context } from './context.ts';

/** Runs a shell command with more environment, passes signals on, and gives its exit code. */
export function runBeside(
  command: string,
  variables: Readonly<Record<string, string>>,
  { cwd, environment, onSignal }: Context,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      cwd,
      env: { ...environment, ...variables },
      stdio: 'inherit',
    });
    const forget = onSignal((signal) => child.kill(signal));
    child.once('error', (error) => {
      forget();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      forget();
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}
