import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../until.ts';

export interface Program {
  readonly command: readonly string[];
  /** Where it runs, and where its output goes. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a program, and waits at most six minutes until it answers at an address with a success. */
export async function startProgram(what: Program, ready: string): Promise<{ stop(): Promise<void> }> {
  const child = launch(what);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', kill);
    child.kill('SIGKILL');
    await gone;
  };
  const until = Date.now() + 360_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error(`${what.command.join(' ')} did not start:\n${outputOf(what)}`);
    }
    const isReady = await fetch(ready).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { stop };
    await pause(250);
  }
}

/** Runs a program to its end. @throws {Error} with its output, where it fails */
export async function runProgram(what: Program): Promise<void> {
  const child = launch(what);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${what.command.join(' ')} ended with ${String(code)}:\n${outputOf(what)}`);
}

/** Sends JSON, and gives the JSON of the answer. @throws {Error} for an answer that is no success */
export async function send(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${String(answer.status)} ${text.slice(0, 400)}`);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

// --- internal ---

function launch({
  command: [program = '', ...args],
  folder,
  environment,
}: Program): ReturnType<typeof spawn> {
  const output = openSync(join(folder, 'output.txt'), 'a');
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  return child;
}

function outputOf({ folder }: Program): string {
  return readFileSync(join(folder, 'output.txt'), 'utf8').slice(-2_000);
}
