import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Fault } from './faults.ts';
import { alarmsOf, judged, type Measured } from './measure.ts';

/** With a path in TALLYSTICK_TABLE, every fault is tried, and what the suite says of each is written there. */
const table = process.env['TALLYSTICK_TABLE'];

/**
 * Demands that the suite says nothing against an honest server, and that what it noticed once it still notices.
 *
 * @param noticed names of the faults that have to be noticed
 */
export function measureSet(
  name: string,
  measuredOf: () => Promise<Measured>,
  faults: readonly Fault[],
  noticed: readonly string[],
): void {
  test(`${name}: nothing is said against an honest server`, async () => {
    const report = await judged(await measuredOf(), []);
    write({ fault: '', alarms: alarmsOf(report) });
    expect(alarmsOf(report)).toEqual([]);
  });

  const tried = faults.filter((fault) => table !== undefined || noticed.includes(fault.name));
  test.each(tried)(`${name}: $name is noticed`, async (fault) => {
    const alarms = alarmsOf(await judged(await measuredOf(), [fault.name]));
    write({ fault: fault.name, alarms });
    if (noticed.includes(fault.name)) expect(alarms).not.toEqual([]);
  });
}

// --- internal ---

function write(line: object): void {
  if (table !== undefined) appendFileSync(table, `${JSON.stringify(line)}\n`);
}
