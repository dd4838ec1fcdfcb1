import { runningProcess, type RunningProcess } from '../mock/state/process-table.ts';
import type { Context } from './context.ts';

/**
 * A context in which the end of npx or npm asks to end as well, where one of them started this process. npm puts a shell
 * between itself and what it runs, and hands signals to that shell, which passes none on: npm is killed, and what it ran is
 * left over.
 */
export function endingWithPackageManager(context: Context): Context {
  const above = packageManagerAbove(context);
  if (above === undefined) return context;
  const { say, sign } = context.terminal;
  return {
    ...context,
    onSignal: (listener) => {
      const forgetSignals = context.onSignal(listener);
      const forgetEnd = whenEnded(above, () => {
        say(
          `${sign.info} The npx or npm that started the mock has ended, so the mock ends too (--keep-running)`,
        );
        listener('SIGTERM');
      });
      return () => {
        forgetSignals();
        forgetEnd();
      };
    },
  };
}

/**
 * The pid of the package manager that started a process. A process that leads its own group was detached on purpose, and
 * one whose shell had ended when it began was left in the background by a script: they have nobody above.
 */
export function packageManagerAbove(
  { environment }: Pick<Context, 'environment'>,
  pid = process.pid,
  find: (pid: number) => RunningProcess | undefined = runningProcess,
): number | undefined {
  const own = find(pid);
  if (environment['npm_config_user_agent'] === undefined || own === undefined || own.group === own.pid)
    return undefined;
  let above = find(own.parent);
  while (above !== undefined && SHELLS.has(above.program)) above = find(above.parent);
  // What has lost its parent belongs to the first process.
  return above?.pid === 1 ? undefined : above?.pid;
}

// --- internal ---

/** Calls back once when a process has ended; the returned function stops looking. */
function whenEnded(pid: number, tell: () => void): () => void {
  const timer = setInterval(() => {
    if (isRunning(pid)) return;
    clearInterval(timer);
    tell();
  }, INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
  };
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'ash', 'bash', 'busybox', 'dash', 'fish', 'ksh', 'zsh']);
const INTERVAL_MS = 500;

function isRunning(pid: number): boolean {
  // A signal also reaches a process that has ended and was not waited for, and the list of processes tells; beyond Linux
  // that list costs a process each time.
  if (process.platform === 'linux') return runningProcess(pid) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
