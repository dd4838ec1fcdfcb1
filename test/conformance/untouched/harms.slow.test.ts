import { expect, test } from 'vitest';
import { samples } from './documents/index.ts';
import { caseOf, judge } from './law.ts';
import { harms } from './sample.ts';

const cases = new Map(await Promise.all(samples.map(async (one) => [one.name, await caseOf(one)] as const)));

// What a run does not list is as before: untouched.slow.test.ts, for 50 seeds.
test('with every operation allowed, each kind of harm is done, and the law notices it', async () => {
  const done = new Set<string>();
  for (const [name, one] of cases) {
    const writes = one.sample.rows.map(({ id }) => id);
    const { deeds, breaches } = await judge(one, 1, writes);
    const harmed = deeds.filter(({ touched }) => touched.length > 0);
    expect(harmed.length, name).toBeGreaterThan(5);
    expect(breaches.length, name).toBeGreaterThan(5);
    for (const { row } of harmed) if (row.harm !== undefined) done.add(row.harm);
  }
  expect([...done].sort()).toEqual([...harms].sort());
});
