/**
 * Runs jobs in order, at most `concurrency` at a time. Two jobs that exclude each other never run at the same
 * time.
 */
export async function schedule<Job>(
  jobs: readonly Job[],
  options: {
    readonly concurrency: number;
    readonly mustNotMeet: (one: Job, other: Job) => boolean;
    readonly run: (job: Job) => Promise<void>;
    readonly stopped: () => boolean;
  },
): Promise<void> {
  const waiting = [...jobs];
  const running = new Map<Job, Promise<void>>();
  while (waiting.length > 0 && !options.stopped()) {
    const index =
      running.size < options.concurrency
        ? waiting.findIndex((job) => ![...running.keys()].some((other) => options.mustNotMeet(job, other)))
        : -1;
    const [job] = index < 0 ? [] : waiting.splice(index, 1);
    if (job === undefined) {
      await Promise.race(running.values());
      continue;
    }
    const done = options.run(job).finally(() => running.delete(job));
    running.set(job, done);
  }
  await Promise.all(running.values());
}
