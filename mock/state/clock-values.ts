import { inspect } from 'node:util';
import { durationMs } from '../../contract/policies/duration.ts';

/**
 * Non-negative milliseconds from a number, or from an ISO 8601 duration such as `PT25H`.
 *
 * @param name of the value, for the message
 * @throws {RangeError} for anything else
 */
export function readDuration(name: string, duration: unknown): number {
  const milliseconds = typeof duration === 'string' ? isoMilliseconds(duration) : duration;
  if (isBetween(milliseconds, 0, LATEST)) return milliseconds;
  throw new RangeError(
    `"${name}" is a number of milliseconds from 0 up or an ISO 8601 duration such as "PT25H", got ${shown(duration)}.`,
  );
}

/**
 * A time in epoch milliseconds.
 *
 * @param name of the value, for the message
 * @throws {RangeError} for anything that a Date cannot represent
 */
export function checkedTime(name: string, time: unknown): number {
  if (isBetween(time, -LATEST, LATEST)) return time;
  throw new RangeError(`"${name}" is a time in epoch milliseconds, got ${shown(time)}.`);
}

/**
 * A speed for a clock.
 *
 * @throws {RangeError} for anything but a number from 0 to 1,000,000
 */
export function readSpeed(speed: unknown): number {
  if (isBetween(speed, 0, FASTEST)) return speed;
  throw new RangeError(`"speed" is a number from 0 to ${String(FASTEST)}, got ${shown(speed)}.`);
}

/** A value in a message, in short. */
export function shown(value: unknown): string {
  return inspect(value, { depth: 0 }).slice(0, 60);
}

// --- internal ---

const FASTEST = 1_000_000;

/** The latest time that a Date can represent, in epoch milliseconds. */
const LATEST = 8.64e15;

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

function isoMilliseconds(text: string): number | undefined {
  try {
    return durationMs(text);
  } catch {
    return undefined;
  }
}
