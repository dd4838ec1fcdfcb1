import { fork } from 'node:child_process';

export interface Ran {
  readonly code: number | null;
  readonly seconds: number;
  /** Its last output. */
  readonly told: unknown;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Runs a script of Node in a process of its own, and ends it when its time is over. */
export function run(
  limitMs: number,
  script: string,
  args: readonly string[],
  cwd: string,
  execArgv: readonly string[] = [],
): Promise<Ran> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = fork(script, args, { cwd, silent: true, execArgv: [...execArgv] });
    let stdout = '';
    let stderr = '';
    let told: unknown;
    let timedOut = false;
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    child.on('message', (message) => (told = message));
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      const seconds = (performance.now() - started) / 1_000;
      resolve({ code, seconds, told, stdout, stderr, timedOut });
    });
  });
}
