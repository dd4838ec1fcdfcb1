import type { RegistryAssumptions } from './assumptions.ts';
import type { Task } from './stored-forms.ts';

/** How long a task takes, in milliseconds of the mock's clock. */
export const TASK_MS = 2_000;

/** The progress of a task (open point A-52: started, running, done). */
export function taskStatus(
  task: Task,
  now: number,
  { initial, values }: RegistryAssumptions['A-52'],
): string {
  const age = now - task.startedAt;
  if (age < TASK_MS / 4) return initial;
  return values[age < TASK_MS ? 1 : 2] ?? initial;
}
