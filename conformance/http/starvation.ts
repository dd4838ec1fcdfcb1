import { performance } from 'node:perf_hooks';

/**
 * Watches how long this process had something to do and no processor to do it on. Timers alone show a part of it: a busy
 * machine lets this process run often, and each time for a moment only.
 *
 * @returns gives the milliseconds since the start of the watch
 */
export function watchStarvation(): () => number {
  const active = performance.eventLoopUtilization();
  const used = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(used);
    // Other threads use the processor too: what is left is at most how long this one waited.
    return Math.max(0, performance.eventLoopUtilization(active).active - (user + system) / 1000);
  };
}
