/** Runs jobs with at most `concurrency` at a time, in order; jobs of one lock never at the same time. */
export async function schedule<Job>(
  jobs: readonly Job[],
  options: {
    readonly concurrency: number;
    readonly lockOf: (job: Job) => string | undefined;
    readonly run: (job: Job) => Promise<void>;
    readonly stopped: () => boolean;
  },
): Promise<void> {
  const waiting = [...jobs];
  const locked = new Set<string>();
  const running = new Set<Promise<void>>();
  while (waiting.length > 0 && !options.stopped()) {
    const index =
      running.size < options.concurrency
        ? waiting.findIndex((job) => !locked.has(options.lockOf(job) ?? ''))
        : -1;
    const [job] = index < 0 ? [] : waiting.splice(index, 1);
    if (job === undefined) {
      await Promise.race(running);
      continue;
    }
    const lock = options.lockOf(job);
    if (lock !== undefined) locked.add(lock);
    const done: Promise<void> = options.run(job).finally(() => {
      if (lock !== undefined) locked.delete(lock);
      running.delete(done);
    });
    running.add(done);
  }
  await Promise.all(running);
}
