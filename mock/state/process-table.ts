import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What the system knows of a process that runs. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** The pid of the leader of its process group. */
  readonly group: number;
  /** When it started. Only good for comparing: with its pid it names one process, also after the pid is used again. */
  readonly started: string;
  /** The name of its program, such as `sh`. */
  readonly program: string;
}

/** All processes of this machine by their pids; empty where the system offers no such list (Windows). */
export function runningProcesses(): ReadonlyMap<number, RunningProcess> {
  const found = process.platform === 'linux' ? fromProc() : fromPs(['-A']);
  return new Map(found.map((each) => [each.pid, each]));
}

/** One process; `undefined` when it does not run, and where the system cannot tell. */
export function runningProcess(pid: number): RunningProcess | undefined {
  return process.platform === 'linux' ? fromStat(pid) : fromPs(['-p', String(pid)])[0];
}

/** Processes as `ps` prints them, on every system but Windows; empty where it cannot be run. */
export function fromPs(which: readonly string[]): RunningProcess[] {
  if (process.platform === 'win32') return [];
  const columns = ['pid=', 'ppid=', 'pgid=', 'lstart=', 'comm='].flatMap((column) => ['-o', column]);
  try {
    const printed = execFileSync('ps', [...which, ...columns], {
      encoding: 'utf8',
      // Times are compared as text, so that they must not depend on who asks.
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 16 * 2 ** 20,
    });
    return printed.split('\n').flatMap((line) => {
      const [, pid, parent, group, started = '', program = ''] =
        /^(\d+) +(\d+) +(\d+) +(\w+ \w+ +\d+ [\d:]+ \d+) +(\S.*)$/.exec(line.trim()) ?? [];
      return pid === undefined ? [] : [named({ pid, parent, group, started, program })];
    });
  } catch {
    return [];
  }
}

// --- internal ---

function fromProc(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => fromStat(Number(name)))
    .filter((found) => found !== undefined);
}

/** See proc_pid_stat(5): the program's name is in brackets and may hold any character. */
function fromStat(pid: number): RunningProcess | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    const program = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not asked for its exit code yet.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    // Ticks since the machine was booted, so that they need the boot beside them.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return named({
      pid: String(pid),
      parent: fields[1],
      group: fields[2],
      started: `${boot}/${fields[19] ?? ''}`,
      program,
    });
  } catch {
    return undefined;
  }
}

function named(facts: {
  readonly pid: string;
  readonly parent: string | undefined;
  readonly group: string | undefined;
  readonly started: string;
  readonly program: string;
}): RunningProcess {
  return {
    pid: Number(facts.pid),
    parent: Number(facts.parent),
    group: Number(facts.group),
    started: facts.started,
    // A login shell calls itself `-zsh`, and some systems print the whole path.
    program: facts.program.replace(/^.*\//, '').replace(/^-/, ''),
  };
}
