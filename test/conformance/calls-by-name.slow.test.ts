import { expect, test } from 'vitest';
import { selfTest, selfTestCode } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { listDeviations } from '../../mock/index.ts';
import { callsByName } from '../mock/calls-by-name.ts';

test('things whose id is in a query or a body are judged like those with a path', async () => {
  const report = await judgeOf(await callsByName(), undefined)([]);
  const { rules, findings } = report;
  expect(rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))).toEqual([]);
  expect(findings.filter(({ kind }) => kind !== 'doubt')).toEqual([]);
  const passed = rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  expect(passed).toEqual(
    expect.arrayContaining(
      ['created', 'listed', 'missing', 'patched', 'deleted', 'restored', 'apart', 'owned'].map(
        (name) => `resource.tickets.${name}`,
      ),
    ),
  );
  expect(passed).toContain('lifecycle.Ticket.refused');
}, 60_000);

test('their deviations are caught by their rules, and by no other ones', async () => {
  const contract = await callsByName();
  const ends = [
    ...['missing~any-thing', 'patched~not-kept', 'deleted~still-listed', 'restored~another-value'],
    ...['owned~changed-by-anybody', 'transitions~not-stored', 'created~another-value'],
  ];
  const chosen = listDeviations([contract]).filter(({ id }) => ends.some((end) => id.endsWith(end)));
  expect(chosen).toHaveLength(ends.length);
  const result = await selfTest(chosen, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
  expect(selfTestCode(result)).toBe(0);
}, 300_000);
