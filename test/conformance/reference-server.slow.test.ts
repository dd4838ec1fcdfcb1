// @module-tag long
import { expect, test } from 'vitest';
import { judgeReferenceServer } from './honest-servers.ts';

/** What a busy machine leaves open is judged again, alone: so many times in all. */
const ROUNDS = 4;

test('a server on the generated stubs breaks no rule of router and jobs', async () => {
  let open: readonly string[] | undefined;
  for (let round = 1; round <= ROUNDS && open?.length !== 0; round += 1) {
    const { report, findings } = await judgeReferenceServer(open === undefined ? {} : { rules: open });
    const bad = report.rules
      .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
      .map(({ id, observed, reason }) => `${id}: ${observed ?? reason}`);
    expect(bad).toEqual([]);
    expect(findings).toEqual([]);
    if (round === 1) expect(report.summary.pass).toBeGreaterThan(200);
    // It serves no partner route; everything else is exercised.
    open = report.rules
      .filter(({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive')
      .flatMap(({ id }) => (id === 'router.proxy.same-credential' ? [] : [id]));
  }
  expect(open).toEqual([]);
});
