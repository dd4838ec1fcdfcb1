import { ControlMistake } from './api-control.ts';
import type { Assembly } from '../assembly.ts';
import type { Clock, SteerableClock } from '../state/clock.ts';
import { readDuration, readSpeed } from '../state/clock-values.ts';
import { dueKeys, keysOf } from './keys.ts';
import { asMistake, formed } from './reading.ts';
import type { ClockShape } from './steering-shape.ts';
import type { Mock } from '../mock.ts';

/** The clock, and the events that happen when it advances. */
export function clockShape(
  { clock, journal }: Pick<Mock, 'clock' | 'journal'>,
  assembly: Assembly,
): ClockShape {
  const now = clock.now();
  const due = [
    ...dueKeys(keysOf(assembly, journal), now),
    ...assembly.apis.flatMap(({ control }) => control?.due?.(now) ?? []),
  ].sort((a, b) => a.at - b.at);
  const time = { now, iso: new Date(now).toISOString(), due: due.slice(0, MOST_DUE) };
  return isSteerable(clock) ? { ...time, speed: clock.speed, nextWake: clock.nextWake() ?? null } : time;
}

/** `advance`: milliseconds or an ISO 8601 duration. `speed`: 1 for real time, 0 to stop, more to run faster. */
export async function steerClock(clock: Clock, body: unknown): Promise<void> {
  if (!isSteerable(clock)) throw new ControlMistake('The clock of this mock cannot be changed.');
  const { advance, speed } = formed(body, { members: { advance: 'anything', speed: 'anything' } });
  if (advance === undefined && speed === undefined)
    throw new ControlMistake('Give "advance" (such as "PT24H") or "speed".');
  // Both are validated before either takes effect, so that a refused step changes nothing.
  const milliseconds = advance === undefined ? undefined : asMistake(() => readDuration('advance', advance));
  const nextSpeed = speed === undefined ? undefined : asMistake(() => readSpeed(speed));
  if (milliseconds !== undefined && milliseconds > FURTHEST_MS)
    throw new ControlMistake('"advance" must be at most 1,000 days.');
  if (nextSpeed !== undefined) clock.speed = nextSpeed;
  if (milliseconds !== undefined) await clock.advance(milliseconds);
}

// --- internal ---

const MOST_DUE = 100;
const FURTHEST_MS = 1_000 * 24 * 3_600_000;

function isSteerable(clock: Clock): clock is SteerableClock {
  return 'advance' in clock && 'speed' in clock;
}
