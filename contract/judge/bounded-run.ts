import { Script, createContext } from 'node:vm';
import { isRecord } from '../record.ts';

/** A task was stopped because it exceeded its time limit. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Runs a synchronous task, such as matching a pattern, and stops it when it exceeds its limit of processor
 * time. If a busy machine kept the task from running, it is started again.
 *
 * @param task must be safe to run again from its beginning
 * @param mostMs the limit of processor time, in milliseconds
 * @throws {TookTooLong} when the task needs more
 */
export function runBounded<Result>(task: () => Result, mostMs: number): Result {
  for (let attempt = 1; ; attempt += 1) {
    const before = process.cpuUsage();
    try {
      return script.runInContext(Object.assign(context, { task }), { timeout: mostMs }) as Result;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      const { user, system } = process.cpuUsage(before);
      if (attempt === MOST_ATTEMPTS || user + system >= (mostMs * 1000) / 2)
        throw new TookTooLong(`it takes longer than ${String(mostMs)} ms`, { cause: error });
    } finally {
      context['task'] = undefined;
    }
  }
}

// --- internal ---

const MOST_ATTEMPTS = 10;

const context: Record<string, unknown> = createContext({ task: undefined });
const script = new Script('task()');

function isTimeout(error: unknown): boolean {
  // The error comes from the realm of the `vm` context, so `instanceof Error` is false for it.
  return isRecord(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
