// @module-tag long
import { expect, test } from 'vitest';
import type { Report, RuleResult } from '../../conformance/index.ts';
import { isExercised } from '../../conformance/verdicts/verdict.ts';
import { judgeMock } from './matrix.ts';
import { jobsOn, surfaces } from './settings.ts';
import type { Setting } from './settings.ts';

const apis = ['router', 'registry'] as const;

/** Rules that a clean run cannot show, each with its reason. */
const excused: Readonly<Record<string, string>> = {
  'registry.node.enum-status': 'no answer that the contract shows has a node',
  'registry.publisher.enum-status': 'no answer that the contract shows has a publisher',
  'registry.formats.numbers': 'no answer that the contract shows has a node',
  'registry.publisher.id-lowercase': 'no answer that the contract shows has a publisher',
  'registry.node.translations-shape': 'no answer that the contract shows has a node',
};

/** What the jobs of a mock without a mount prefix, or without a token, cannot show. */
function excusedBy({ apis: [api], mock }: Setting): Readonly<Record<string, string>> {
  if (api !== 'jobs') return excused;
  const { surface, staticToken } = mock?.jobs ?? {};
  const isMounted = surface === 'serverless' || surface === 'demo';
  return {
    ...(isMounted ? {} : { 'jobs.urls.mount-prefix': 'no mount prefix' }),
    ...(surface !== 'self-hosted'
      ? {}
      : staticToken === undefined
        ? { 'jobs.auth.self-hosted-static': 'no token' }
        : {
            'jobs.auth.self-hosted-open': 'a token',
            'jobs.idem.release-on-upstream-reject': 'the token is the only account',
          }),
  };
}

function told(report: Report, ...verdicts: readonly RuleResult['verdict'][]): readonly string[] {
  return report.rules
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id, verdict, observed, reason }) => `${id} ${verdict}: ${observed ?? reason ?? ''}`);
}

const settings: Readonly<Record<string, Setting>> = {
  'router and registry': { apis },
  ...Object.fromEntries(surfaces.map((surface) => [`jobs on ${surface}`, jobsOn({ surface })])),
  'jobs of an instance with a token': jobsOn({ surface: 'self-hosted', staticToken: 'token-of-this-one' }),
};

test.each(Object.entries(settings))(
  'the faithful mock breaks no rule, and every rule is exercised or excused: %s',
  async (_, setting) => {
    const report = await judgeMock(setting);
    expect(told(report, 'fail', 'warn', 'inconclusive', 'error')).toEqual([]);
    expect(report.findings).toEqual([]);
    const open = report.rules.filter(({ verdict }) => verdict === 'not-exercised').map(({ id }) => id);
    expect(open.sort()).toEqual(Object.keys(excusedBy(setting)).sort());
  },
);

test('jobs: every rule is exercised on one surface or another', async () => {
  const reports = await Promise.all(
    Object.values(settings)
      .slice(1)
      .map((setting) => judgeMock(setting)),
  );
  const seen = new Set(reports.flatMap(({ rules }) => rules.filter(isExercised).map(({ id }) => id)));
  expect(reports[0]?.rules.filter(({ id }) => !seen.has(id))).toEqual([]);
});

test.each(Object.entries(settings))(
  'a mock that does everything legal but unusual breaks no rule: %s',
  async (_, setting) => {
    const report = await judgeMock({ ...setting, mock: { ...setting.mock, profile: 'legal-but-odd' } });
    expect(told(report, 'fail', 'warn', 'error')).toEqual([]);
  },
);

test('router.availability.served: before the rollout there is one finding and no failure', async () => {
  const report = await judgeMock({ apis: ['router'], mock: { profile: 'not-rolled-out' } });
  expect(report.status).toBe('not-served');
  expect(report.findings.map(({ kind }) => kind)).toEqual(['not-served']);
  expect(told(report, 'fail', 'warn', 'error', 'inconclusive')).toEqual([]);
});

test('two runs with one seed have the same verdicts', async () => {
  const [first, second] = [await judgeMock({ apis }), await judgeMock({ apis })];
  const verdicts = ({ rules }: Report): readonly string[] =>
    rules.map(({ id, verdict, checks }) => `${id} ${verdict} ${checks}`);
  expect(verdicts(second)).toEqual(verdicts(first));
});
