const PATTERN = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * Milliseconds of an ISO 8601 duration such as `PT24H`, as in behaviour sheets. Years and months are not
 * accepted, because their length depends on the calendar.
 *
 * @throws {RangeError} when the text is not such a duration
 */
export function durationMs(text: string): number {
  const [whole, days, hours, minutes, seconds] = PATTERN.exec(text) ?? [];
  if (whole === undefined || whole === 'P' || whole.endsWith('T')) {
    throw new RangeError(`"${text}" is not a duration such as PT24H or PT10M`);
  }
  const count = (digits: string | undefined): number => Number(digits ?? 0);
  const total = ((count(days) * 24 + count(hours)) * 60 + count(minutes)) * 60 + count(seconds);
  const milliseconds = Math.round(total * 1000);
  if (!Number.isSafeInteger(milliseconds)) throw new RangeError(`"${text}" is too long a duration`);
  return milliseconds;
}
