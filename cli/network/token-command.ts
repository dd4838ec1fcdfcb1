import { spawn } from 'node:child_process';
import { Option } from 'commander';
import type { TokenSource } from '../../conformance/index.ts';
import { visible } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';

/** `--token-command`, for tokens that expire within a run. */
export function tokenCommandOption(): Option {
  return new Option(
    '--token-command <command>',
    'shell command that prints a bearer token; run at the start, and again when the token expires',
  ).conflicts(['bearer', 'anonymous']);
}

/**
 * Runs the command of `--token-command` for the first token.
 *
 * @throws {CommandFailure} when it fails, takes too long, or does not print one token
 */
export async function tokenFrom(
  command: string,
  context: Pick<Context, 'cwd' | 'environment' | 'onSignal'>,
): Promise<TokenSource> {
  const renew = (signal: AbortSignal): Promise<string> => printedToken(command, context, signal);
  const stop = new AbortController();
  const forget = context.onSignal(() => stop.abort(new Error('interrupted')));
  try {
    return { token: await renew(stop.signal), renew };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(
      2,
      `--token-command: ${message}`,
      ['run the command directly to see what it prints'],
      {
        cause,
      },
    );
  } finally {
    forget();
  }
}

// --- internal ---

/** How long the command may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/** The limit for bytes of output; tokens are shorter. */
const LONGEST_TOKEN = 64 * 1024;
const LONGEST_COMPLAINT = 2000;

/** How long its output may take to arrive after its end, if a descendant keeps the pipe open. */
const DRAIN_MS = 200;

/** Rejects with an error that names the problem and never contains the standard output. */
function printedToken(
  command: string,
  { cwd, environment }: Pick<Context, 'cwd' | 'environment'>,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(command, {
      shell: true,
      cwd,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that its descendants can be ended with it.
      detached: process.platform !== 'win32',
    });
    let printed = '';
    let complaint = '';
    let wrong: Error | undefined;
    const end = (why: Error): void => {
      wrong ??= why;
      try {
        if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
        else process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const stop = (): void => end(signal.reason as Error);
    const timer = setTimeout(
      () => end(new Error(`it took longer than ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text.slice(0, LONGEST_TOKEN + 1 - printed.length);
      if (printed.length > LONGEST_TOKEN) end(new Error(`it printed more than ${LONGEST_TOKEN} characters`));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text.slice(0, LONGEST_COMPLAINT - complaint.length);
    });
    const done = (code: number | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      const token = printed.trim().replace(/^bearer +/i, '');
      const why = wrong ?? complaintOf(code, complaint, token);
      if (why === undefined) resolve(token);
      else reject(why);
    };
    child.once('error', (error) => {
      wrong ??= error;
      done(null);
    });
    child.once('exit', () =>
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS).unref(),
    );
    child.once('close', (code) => done(code));
  });
}

function complaintOf(code: number | null, complaint: string, token: string): Error | undefined {
  if (code !== 0) {
    const last = complaint.trim().split('\n').at(-1) ?? '';
    return new Error(
      `it ended with exit code ${code ?? 'unknown'}${last === '' ? '' : `: ${visible(last).slice(0, 300)}`}`,
    );
  }
  if (token === '') return new Error('it printed nothing');
  if (/[^\u0021-\u007e]/.test(token))
    return new Error('it printed more than a token: there are blanks, line breaks or other characters in it');
  return undefined;
}
