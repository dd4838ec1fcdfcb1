import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The system's information about a running process. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** The pid of the leader of its process group. */
  readonly group: number;
  /**
   * When it started. Only for comparison: together with its pid it identifies one process, even after the pid
   * is reused.
   */
  readonly started: string;
  /** The name of its program, such as `sh`. */
  readonly program: string;
}

/** All processes of this machine by pid; empty if the system offers no such list (Windows). */
export function runningProcesses(): ReadonlyMap<number, RunningProcess> {
  const found = process.platform === 'linux' ? fromProc() : fromPs(['-A']);
  return new Map(found.map((each) => [each.pid, each]));
}

/** One process; `undefined` if it does not run, or if the system cannot report it. */
export function runningProcess(pid: number): RunningProcess | undefined {
  return process.platform === 'linux' ? fromStat(pid) : fromPs(['-p', String(pid)])[0];
}

/** Processes as `ps` prints them, on every system except Windows; empty if it cannot be run. */
export function fromPs(which: readonly string[]): RunningProcess[] {
  if (process.platform === 'win32') return [];
  const columns = ['pid=', 'ppid=', 'pgid=', 'lstart=', 'comm='].flatMap((column) => ['-o', column]);
  try {
    const printed = execFileSync('ps', [...which, ...columns], {
      encoding: 'utf8',
      // Times are compared as text, so their format must not depend on the user's locale.
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

/** See proc_pid_stat(5): the program's name is in brackets and may contain any character. */
function fromStat(pid: number): RunningProcess | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    const program = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; its parent has not read its exit code yet.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    // Ticks since boot, so they are only unique together with the boot.
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
