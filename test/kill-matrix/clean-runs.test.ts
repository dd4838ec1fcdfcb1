import { expect, test } from 'vitest';
import type { Report, RuleResult } from '../../conformance/index.ts';
import { judgeMock } from './matrix.ts';

const apis = ['router', 'registry'] as const;

/** Rules that a clean run cannot show, each with its reason. */
const excused: Readonly<Record<string, string>> = {
  'registry.node.enum-status': 'no answer that the contract shows has a node',
  'registry.publisher.enum-status': 'no answer that the contract shows has a publisher',
  'registry.formats.numbers': 'no answer that the contract shows has a node',
  'registry.publisher.id-lowercase': 'no answer that the contract shows has a publisher',
  'registry.node.translations-shape': 'no answer that the contract shows has a node',
};

function told(report: Report, ...verdicts: readonly RuleResult['verdict'][]): readonly string[] {
  return report.rules
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id, verdict, observed, reason }) => `${id} ${verdict}: ${observed ?? reason ?? ''}`);
}

test('the faithful mock breaks no rule, and every rule is exercised or excused', async () => {
  const report = await judgeMock({ apis });
  expect(told(report, 'fail', 'warn', 'inconclusive', 'error')).toEqual([]);
  expect(report.findings).toEqual([]);
  const open = report.rules.filter(({ verdict }) => verdict === 'not-exercised').map(({ id }) => id);
  expect(open).toEqual(Object.keys(excused));
});

test('a mock that does everything legal but unusual breaks no rule', async () => {
  const report = await judgeMock({ apis, mock: { profile: 'legal-but-odd' } });
  expect(told(report, 'fail', 'warn', 'error')).toEqual([]);
});

test('router.availability.served: before the rollout there is one finding and no failure', async () => {
  const report = await judgeMock({ apis: ['router'], mock: { profile: 'not-rolled-out' } });
  expect(report.status).toBe('not-served');
  expect(report.findings.map(({ kind }) => kind)).toEqual(['not-served']);
  expect(told(report, 'fail', 'warn', 'error', 'inconclusive')).toEqual([]);
});

test('two runs with one seed say the same', async () => {
  const [first, second] = [await judgeMock({ apis }), await judgeMock({ apis })];
  const verdicts = ({ rules }: Report): readonly string[] =>
    rules.map(({ id, verdict, checks }) => `${id} ${verdict} ${checks}`);
  expect(verdicts(second)).toEqual(verdicts(first));
});
