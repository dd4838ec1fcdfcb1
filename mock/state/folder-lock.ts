import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../contract/index.ts';
import { valueOfText } from './durable-state.ts';
import { runningProcess } from './process-table.ts';

/**
 * Locks a folder for this process; the returned function releases it. The lock is a file that identifies its
 * process by pid and start time: it is void if that process was killed, or if another process now has its
 * pid. Processes of other containers are not visible. A process may lock a folder that it has already locked.
 *
 * @throws {RangeError} if another process has locked the folder
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock.json');
  const own: Lock = { pid: process.pid, started: runningProcess(process.pid)?.started, id: randomUUID() };
  while (!created(file, own)) {
    const other = settledLock(file);
    if (other !== undefined && holds(other)) {
      const pid = String(other.pid);
      throw new RangeError(
        `${folder} is in use by another mock (pid ${pid}). Stop that mock (kill ${pid}), or take another folder`,
      );
    }
    remove(file, other);
  }
  return () => {
    if (readLock(file)?.id === own.id) rmSync(file, { force: true });
  };
}

// --- internal ---

interface Lock {
  readonly pid: number;
  /** As in the process table; absent if the system cannot report it. */
  readonly started: string | undefined;
  /** Differs for each lock, so that a later lock is not removed by mistake. */
  readonly id: string;
}

/** Whether the file was created by this call. */
function created(file: string, lock: Lock): boolean {
  try {
    writeFileSync(file, `${JSON.stringify(lock)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readLock(file: string): Lock | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const value = valueOfText(text);
  if (!isRecord(value) || typeof value['pid'] !== 'number' || typeof value['id'] !== 'string')
    return undefined;
  const { pid, id, started } = value;
  return { pid, id, started: typeof started === 'string' ? started : undefined };
}

/** How often a file without a complete lock is read again, and the pause in milliseconds. */
const READINGS = 10;
const PAUSE_MS = 20;

/** Waits for a lock that is being written. An incomplete lock from a crash does not count. */
function settledLock(file: string): Lock | undefined {
  for (let reading = 0; reading < READINGS; reading += 1) {
    const lock = readLock(file);
    if (lock !== undefined) return lock;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  return undefined;
}

function holds({ pid, started }: Lock): boolean {
  if (pid === process.pid) return false;
  if (started !== undefined) return runningProcess(pid)?.started === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Removes a void lock, unless another process has already done so and locked the folder since. */
function remove(file: string, lock: Lock | undefined): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (readLock(aside)?.id === lock?.id) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
