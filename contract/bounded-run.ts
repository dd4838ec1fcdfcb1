import { Script, createContext } from 'node:vm';
import { isRecord } from './record.ts';

/** A task was stopped because it took too long. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Runs a task that does not wait for anything, such as matching a pattern, and stops it when it takes too long. A task
 * that was kept waiting by a busy machine is started again: processor time is what counts.
 *
 * @param task runs again from its beginning where it was kept waiting
 * @param mostMs the processor time, in milliseconds
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
  // The error is of the context's own realm, so that `instanceof Error` does not hold.
  return isRecord(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
