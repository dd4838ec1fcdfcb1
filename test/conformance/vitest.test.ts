import { expect, test } from 'vitest';
import { testRules } from '../../cli/vitest.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report, RuleResult } from '../../conformance/index.ts';
import { outcomeOf } from '../../conformance/vitest.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { routerContract } from './servers.ts';

async function judged(deviations: readonly string[]): Promise<Report> {
  const clock = virtualClock({ startAt: 0 });
  const mock = createMock({ clock, deviations: [...deviations] });
  await mock.ready();
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    credential: { header: 'X-API-Key', value: 'service-mock-ok' },
    transport: inProcess(mock.handle),
    clock,
    rules: ['router.list.limit-*', 'router.list.cursor-expired-400'],
  });
  mock.close();
  return report;
}

// These become tests of this very file: a server that keeps the rules passes them.
const kept = await judged([]);
testRules({ ...kept, rules: kept.rules.filter(({ verdict }) => verdict !== 'not-exercised') });

const broken = await judged(['router.list.limit-clamped~400']);
const ruleOf = (id: string): RuleResult => {
  const found = broken.rules.find((rule) => rule.id === id);
  if (found === undefined) throw new Error(`no rule ${id}`);
  return found;
};

test('a broken rule is a failed test, with what was expected, what came and how to see it again', () => {
  const outcome = outcomeOf(ruleOf('router.list.limit-clamped'));
  expect(outcome.kind).toBe('failed');
  const words = [
    'expected a page of at most 100 items',
    'got      400',
    'cites    document 1',
    'repeat   curl',
  ];
  for (const word of words) expect(outcome).toMatchObject({ why: expect.stringContaining(word) as string });
});

test('what was not exercised is skipped, with the line that would open it', () => {
  expect(outcomeOf(ruleOf('router.list.cursor-expired-400'))).toEqual({
    kind: 'skipped',
    why: 'not-exercised: needs cursor.expired; add "cursor": { "expired": "…" }',
  });
});

test('warnings and inconclusive rules fail only on request', () => {
  const of = (verdict: RuleResult['verdict']): RuleResult => ({
    ...ruleOf('router.list.limit-clamped'),
    verdict,
  });
  expect(outcomeOf(of('warn')).kind).toBe('skipped');
  expect(outcomeOf(of('warn'), { strict: true }).kind).toBe('failed');
  expect(outcomeOf(of('inconclusive')).kind).toBe('skipped');
  expect(outcomeOf(of('inconclusive'), { failInconclusive: true }).kind).toBe('failed');
  expect(outcomeOf(of('error')).kind).toBe('failed');
});

test('a known failure is skipped, one that passes by now fails, and an unmet requirement fails', () => {
  const failed = ruleOf('router.list.limit-clamped');
  const baseline = { known: { [failed.id]: 'fail' } } as const;
  expect(outcomeOf(failed, { baseline }).kind).toBe('skipped');
  expect(outcomeOf({ ...failed, verdict: 'pass' }, { baseline })).toEqual({
    kind: 'failed',
    why: 'passes now: remove it from the baseline',
  });
  const open = ruleOf('router.list.cursor-expired-400');
  expect(outcomeOf(open, { require: ['router.list.*'] }).kind).toBe('failed');
});
