import { expect } from 'vitest';
import { KNOWN } from './known.ts';
import { judge } from './law.ts';
import type { Case } from './law.ts';

/**
 * The law: with every permission, the state after a run is the state before it and what `report.left` lists. Every run makes
 * something, and takes it back.
 */
export async function keepsTheLaw(one: Case, seeds: readonly number[]): Promise<void> {
  const { name, rows } = one.sample;
  const known = KNOWN.filter(({ sample }) => sample === name);
  const harmless = rows.flatMap(({ id, isHarmless }) => (isHarmless === true ? [id] : []));
  const breaches: string[] = [];
  for (const seed of seeds) {
    const outcome = await judge(one, seed);
    breaches.push(...outcome.breaches.map((breach) => `${breach} (seed ${String(seed)})`));
    expect(outcome.report.status).toBe('judged');
    expect(outcome.takenBack).toEqual(expect.arrayContaining(harmless));
  }
  expect(breaches.filter((breach) => known.every((each) => !each.breach.test(breach)))).toEqual([]);
  // What is mended leaves the table.
  expect(known.filter((each) => breaches.every((breach) => !each.breach.test(breach)))).toEqual([]);
}
