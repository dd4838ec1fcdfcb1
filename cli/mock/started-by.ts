import { runningProcess, type RunningProcess } from '../../mock/state/process-table.ts';
import type { Context } from '../context.ts';

/**
 * A context that also asks the command to end when the npx or npm that started this process ends. npm runs commands
 * in a shell and sends signals to that shell, which does not pass them on. Without this, the command would survive a
 * killed npm.
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
 * The pid of the package manager that started a process. `undefined` for a process that leads its own group (it was
 * detached on purpose), and for one whose shell had ended before (a script left it in the background).
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
  // An orphaned process gets the first process as its parent.
  return above?.pid === 1 ? undefined : above?.pid;
}

// --- internal ---

/** Calls back once when a process has ended; the returned function stops the polling. */
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
  // A signal also succeeds for a zombie process, which only the process list shows. Outside of Linux, reading that
  // list starts a process each time.
  if (process.platform === 'linux') return runningProcess(pid) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
