import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as mainModule from '../../cli/main.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const bin = join(root, 'dist/cli/bin.cjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a user's shell hands down, without what colours, credentials or a CI would change. */
export function plainEnvironment(
  more: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  const { NO_COLOR, FORCE_COLOR, TALLYSTICK_API_KEY, TALLYSTICK_BEARER, ...inherited } = process.env;
  return { ...inherited, ...more };
}

/** Runs a program to its end. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return ended(start(program, args, options));
}

/** Runs `tallystick` as built to its end. */
export function tallystick(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return run(process.execPath, [bin, ...args], options);
}

/**
 * Runs `tallystick` as built to its end in this process, which spares the second that a process needs to load it. What
 * belongs to a process (its streams, its signals, its end) is not in it.
 */
export async function tallystickHere(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const built = pathToFileURL(join(root, 'dist/cli/main.js')).href;
  const { main } = (await import(built)) as typeof mainModule;
  const told = { stdout: '', stderr: '' };
  const into = (name: keyof typeof told): Writable =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        told[name] += text;
        done();
      },
    });
  const code = await main(args, {
    stdout: into('stdout'),
    stderr: into('stderr'),
    cwd: options.cwd ?? root,
    environment: plainEnvironment(options.environment),
    onSignal: () => () => undefined,
  });
  return { code, ...told };
}

export function start(program: string, args: readonly string[], options: RunOptions = {}): ChildProcess {
  return spawn(program, args, {
    cwd: options.cwd ?? root,
    env: plainEnvironment(options.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function ended(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** A fresh folder, by its real path. */
export async function freshFolder(): Promise<string> {
  return mkdtemp(join(await realpath(tmpdir()), 'tallystick-'));
}

export interface RunningCommand {
  readonly url: string;
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly said: () => string;
  /** Asks it to end and waits for that; the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts `tallystick mock` on free ports; resolves when it answers. */
export async function startMockCommand(
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<RunningCommand> {
  const child = start(
    process.execPath,
    [bin, 'mock', '--port', '0', '--control-port', '0', '--print-url', ...args],
    options,
  );
  let said = '';
  const end = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /^(?:\{.*"url":")?(http:[^\s"]+)["\n]/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void end.then((code) => reject(new Error(`the mock ended with ${String(code)}: ${said}`)));
  });
  return {
    url,
    child,
    said: () => said,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return end;
    },
  };
}
