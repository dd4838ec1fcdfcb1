import type { Clock } from '../../conformance/index.ts';

/** The clock of a machine that is too busy: what waits a short time continues late. */
export const busy = (clock: Clock): Clock => ({
  now: () => clock.now(),
  sleep: (milliseconds, signal) =>
    clock.sleep(milliseconds < 100 ? milliseconds + 700 : milliseconds, signal),
});
