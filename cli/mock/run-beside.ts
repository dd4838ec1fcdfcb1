import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningProcess, runningProcesses, type RunningProcess } from '../../mock/state/process-table.ts';
import type { Context } from '../context.ts';

/**
 * Runs a shell command with additional environment variables and resolves with its exit code. A signal is sent to the
 * command and to all its descendants, because a shell does not pass signals on; the second one kills them. Signals of
 * a terminal are not sent again, because they have reached all of them.
 */
export async function runBeside(
  command: string,
  variables: Readonly<Record<string, string>>,
  { cwd, environment, onSignal, onKey }: Context,
): Promise<number> {
  const hasTerminal = onKey !== undefined;
  const signalled: RunningProcess[] = [];
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      cwd,
      env: { ...environment, ...variables },
      stdio: 'inherit',
    });
    const forget = onSignal((signal, isSecond) => {
      if (signal === 'SIGINT' && hasTerminal && !isSecond) return;
      signalled.push(...descendants(child.pid));
      const sent = isSecond === true ? 'SIGKILL' : signal;
      child.kill(sent);
      for (const each of signalled) send(each, sent);
    });
    child.once('error', (error) => {
      forget();
      reject(error);
    });
    child.once('exit', (ownCode, signal) => {
      // Descendants of the command may still be ending, and a second signal has to reach them too.
      void gone(signalled).then(forget);
      resolve(ownCode ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
  await gone(signalled);
  return code;
}

// --- internal ---

/** How long the processes below a command may take to end after it, in milliseconds, and how often they are looked at. */
const PATIENCE_MS = 5_000;
const INTERVAL_MS = 50;

/** All descendants of a process; empty if the system has no list of processes. */
function descendants(pid: number | undefined): RunningProcess[] {
  const all = [...runningProcesses().values()];
  const below = (parent: number | undefined): RunningProcess[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return pid === undefined ? [] : below(pid);
}

function isRunning({ pid, started }: RunningProcess): boolean {
  return runningProcess(pid)?.started === started;
}

function send(each: RunningProcess, signal: NodeJS.Signals): void {
  try {
    if (isRunning(each)) process.kill(each.pid, signal);
  } catch {
    // It has ended by itself, or belongs to another user.
  }
}

/** Resolves when none of them is running. Processes that take too long are killed. */
async function gone(processes: readonly RunningProcess[]): Promise<void> {
  for (let waited = 0; processes.some(isRunning) && waited < PATIENCE_MS; waited += INTERVAL_MS)
    await sleep(INTERVAL_MS);
  for (const each of processes) send(each, 'SIGKILL');
}
