// @module-tag long
import { expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { startReplica } from '../../examples/reference-server/replica.ts';
import { leapingClock } from './leaping-clock.ts';

test('a server on the generated stubs breaks no rule of router and jobs', async () => {
  const clock = leapingClock();
  const findings: unknown[] = [];
  const replica = await startReplica({
    deadlineMs: 600,
    now: () => clock.now(),
    onFinding: (finding) => {
      if (!['started', 'answered', 'ended'].includes(finding.kind)) findings.push(finding);
    },
  });
  try {
    const read = readFixtures(JSON.stringify(replica.fixtures), {});
    if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
    const report = await runConformance({
      contracts: [await loadOwnContract('router'), await loadOwnContract('jobs')],
      baseUrl: replica.url,
      fixtures: read.fixtures,
      allow: permissions,
      clock,
      seed: 1,
    });
    const bad = report.rules
      .filter(({ verdict }) => ['fail', 'warn', 'error', 'inconclusive'].includes(verdict))
      .map(({ id, observed, reason }) => `${id}: ${observed ?? reason}`);
    expect(bad).toEqual([]);
    // It serves no partner route; everything else is exercised.
    const left = report.rules.filter(({ verdict }) => verdict === 'not-exercised').map(({ id }) => id);
    expect(left).toEqual(['router.proxy.same-credential']);
    expect(findings).toEqual([]);
    expect(report.summary.pass).toBeGreaterThan(200);
  } finally {
    await replica.stop();
  }
});
