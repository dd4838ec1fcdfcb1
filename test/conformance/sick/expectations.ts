import { expect } from 'vitest';
import { renderReport, reportFormats } from '../../../conformance/index.ts';
import type { Illness } from './illness.ts';
import { judgeIllness } from './outcome.ts';

/** The most memory that a run may use, on any server, with the server in the same process. */
const MOST_MEMORY = 700 * 1024 * 1024;

/** Judges a sick server, and requires all that its entry in the table says. */
export async function expectDiagnosis(illness: Illness): Promise<void> {
  const { report, exit, memory } = await judgeIllness(illness);
  const [first] = report.findings;
  const failed = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  expect(
    failed
      .filter(({ id }) => ![...(illness.breaks ?? []), ...(illness.breaksInTime ?? [])].includes(id))
      .map(({ id, observed, reason }) => `${id}: ${observed ?? reason}`),
  ).toEqual([]);
  expect((illness.breaks ?? []).filter((rule) => !failed.some(({ id }) => id === rule))).toEqual([]);
  if (illness.finding === undefined) expect(report.findings).toEqual([]);
  else {
    expect(first?.says).toMatch(illness.finding.says);
    expect(first?.kind).toBe(illness.finding.kind);
  }
  expect(report.status).toBe(illness.status ?? 'judged');
  expect(exit).toBe(illness.exit);
  expect(memory).toBeLessThan(MOST_MEMORY);
  // Annotations report faults, so a successful run may have none.
  for (const format of reportFormats.filter((each) => each !== 'github'))
    expect(renderReport(report, format).length).toBeGreaterThan(0);
}
