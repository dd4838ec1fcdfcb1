import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conclude, exitCode, makeBaseline, renderReport, verdicts } from '../../conformance/index.ts';
import type { RunFinding, Gate, Report, RuleResult, Verdict } from '../../conformance/index.ts';
import { findingKinds } from '../../conformance/verdicts/report.ts';

type Judged = Pick<Report, 'status' | 'rules' | 'findings'>;

function report(
  rules: readonly (readonly [id: string, verdict: Verdict])[],
  more: Partial<Report> = {},
): Judged {
  return {
    status: 'judged',
    findings: [],
    rules: rules.map(([id, verdict]) => ({ id, verdict })) as never,
    ...more,
  };
}

const unserved = { kind: 'not-served', says: 'not served here', help: undefined, exchanges: [] } as const;

test.each<[string, Parameters<typeof exitCode>, number]>([
  [
    'passes and gaps',
    [
      report([
        ['a', 'pass'],
        ['b', 'not-exercised'],
        ['c', 'inconclusive'],
        ['d', 'warn'],
      ]),
    ],
    0,
  ],
  ['a fail', [report([['a', 'fail']])], 1],
  ['a warning under --strict', [report([['a', 'warn']]), { strict: true }], 1],
  [
    'an inconclusive rule under --fail-inconclusive',
    [report([['a', 'inconclusive']]), { failInconclusive: true }],
    1,
  ],
  ['a required rule that was not exercised', [report([['a.b', 'not-exercised']]), { require: ['a.*'] }], 1],
  [
    'a required rule that does not apply',
    [
      report([
        ['a.b', 'not-applicable'],
        ['c', 'pass'],
      ]),
      { require: ['a.*'] },
    ],
    0,
  ],
  ['a run that judged nothing', [report([['a', 'not-exercised']])], 2],
  ['a run without rules', [report([])], 2],
  ['a run in which all stayed open', [report([['a', 'inconclusive']])], 2],
  [
    'a shard without anything to do',
    [report([], { rules: [{ id: 'a', verdict: 'not-exercised', reason: 'in another shard' }] as never })],
    0,
  ],
  ['too few exercised rules', [report([['a', 'pass']]), { minExercised: 2 }], 1],
  [
    'an error beside a fail',
    [
      report([
        ['a', 'fail'],
        ['b', 'error'],
      ]),
    ],
    2,
  ],
  ['a server that is not there', [report([['a', 'not-exercised']], { status: 'unreachable' })], 3],
  [
    'an API that is not served beside one that keeps its rules',
    [report([['a', 'pass']], { findings: [unserved] })],
    3,
  ],
  [
    'an API that is not served beside one that breaks a rule',
    [report([['a', 'fail']], { findings: [unserved] })],
    1,
  ],
  ['a router before its rollout', [report([['a', 'not-exercised']], { status: 'not-served' })], 3],
])('%s: the exit code', (_, args, code) => {
  expect(exitCode(...args)).toBe(code);
});

const offered: Gate = { baseline: { known: { a: 'fail', b: 'warn' } } };

test.each<[string, Judged, Gate, number, string[]]>([
  [
    'known failures',
    report([
      ['a', 'fail'],
      ['b', 'warn'],
      ['c', 'pass'],
    ]),
    offered,
    0,
    [],
  ],
  ['known failures under --strict', report([['b', 'warn']]), { ...offered, strict: true }, 0, []],
  [
    'known failures that were not exercised',
    report([
      ['a', 'not-exercised'],
      ['c', 'pass'],
    ]),
    offered,
    0,
    [],
  ],
  ['a failure that is not in the baseline', report([['c', 'fail']]), offered, 1, ['c']],
  ['a warning that is not in the baseline', report([['c', 'warn']]), offered, 0, []],
  ['a known failure that passes', report([['a', 'pass']]), offered, 1, ['a']],
  ['a known warning that became a failure', report([['b', 'fail']]), offered, 1, ['b']],
  [
    'known failures and a requirement that is not met',
    report([
      ['a', 'fail'],
      ['c', 'not-exercised'],
    ]),
    { ...offered, require: ['c'] },
    1,
    ['c'],
  ],
])('a baseline and %s: the exit code and the rules that it is about', (_, judged, gate, code, about) => {
  const conclusion = conclude(judged, gate);
  expect(conclusion.exitCode).toBe(code);
  expect(conclusion.reasons.map(({ rule }) => rule)).toEqual(about);
});

test('a baseline that is written from a run makes the same run succeed', () => {
  const judged = report([
    ['a', 'fail'],
    ['b', 'warn'],
    ['c', 'pass'],
  ]);
  expect(exitCode(judged, { strict: true, baseline: makeBaseline(judged) })).toBe(0);
});

test('an interrupted run ends with 130, regardless of its verdicts so far', () => {
  expect(exitCode(report([['a', 'fail']], { status: 'interrupted' }))).toBe(130);
});

test('an API of the run that does not respond is not hidden by the others', () => {
  const dead: RunFinding = {
    kind: 'unreachable',
    says: 'x does not respond',
    help: undefined,
    exchanges: [],
  };
  expect(exitCode(report([['a', 'pass']], { findings: [dead] }))).toBe(3);
});

test('a repeated access token is a finding, although the contract only recommends otherwise', () => {
  const leak: RunFinding = { kind: 'leak', about: 'a', says: 'leaked', help: undefined, exchanges: [] };
  const judged = report([['a', 'warn']], { findings: [leak] });
  expect(exitCode(judged)).toBe(1);
  expect(exitCode(judged, { baseline: makeBaseline(judged) })).toBe(0);
});

test('a required pattern that matches nothing is a mistake of the caller', () => {
  expect(exitCode(report([['a', 'pass']]), { require: ['b.*'] })).toBe(2);
});

const rule = fc.record({
  id: fc.constantFrom('a.b', 'a.c', 'd.e', 'd.f', 'g'),
  verdict: fc.constantFrom(...verdicts),
});
const reports: fc.Arbitrary<Report> = fc
  .record({
    rules: fc.uniqueArray(rule, { selector: ({ id }) => id }),
    kinds: fc.array(fc.constantFrom(...findingKinds), { maxLength: 2 }),
    status: fc.constantFrom(
      'judged' as const,
      'not-served' as const,
      'unreachable' as const,
      'interrupted' as const,
    ),
    gate: fc.record(
      {
        strict: fc.boolean(),
        failInconclusive: fc.boolean(),
        require: fc.subarray(['a.*', 'g', 'x']),
        minExercised: fc.nat(3),
        baseline: fc.record({
          known: fc.dictionary(
            fc.constantFrom('a.b', 'd.e'),
            fc.constantFrom('fail' as const, 'warn' as const),
          ),
        }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ rules, kinds, status, gate }) => ({
    schemaVersion: 1,
    tool: { name: 'tallystick', version: '1.0.0' },
    contract: { a: '1' },
    target: { baseUrl: 'https://api.example.com', identity: 'nobody' },
    status,
    gate,
    startedAt: '2026-01-05T09:00:00.000Z',
    durationMs: 1,
    seed: 1,
    allowed: [],
    requests: { sent: 0, billable: 0, billedAtMost: 0 },
    summary: {} as Report['summary'],
    findings: kinds.map((kind) => ({ kind, says: `a finding: ${kind}`, help: undefined, exchanges: [] })),
    rules: rules.map((one): RuleResult => ({ ...full, ...one })),
    observations: [],
    notJudged: [],
    exchanges: [],
  }));
const full: Omit<RuleResult, 'id' | 'verdict'> = {
  api: 'a',
  level: 'must',
  says: 'A rule.',
  source: { document: 1, section: 'Limits', item: 'row 1' },
  reason: 'a reason',
  missing: undefined,
  fixtureLine: undefined,
  expected: 'this',
  observed: 'that',
  exchanges: [],
  checks: 1,
  failed: 1,
  repeat: undefined,
};

test('every format shows the outcome of the exit code', () => {
  fc.assert(
    fc.property(reports, (one) => {
      const { exitCode: code, reasons, known } = conclude(one);
      expect(reasons.length > 0).toBe(code !== 0);
      expect(renderReport(one, 'text')).toContain(`exit ${code}\n`);
      expect(renderReport(one, 'markdown')).toContain(`exit ${code}\n`);
      expect(renderReport(one, 'html')).toContain(`exit ${code}<`);
      expect(JSON.parse(renderReport(one, 'json'))).toMatchObject({ exitCode: code });
      expect(JSON.parse(renderReport(one, 'ndjson').trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        event: 'summary',
        exitCode: code,
      });
      const junit = renderReport(one, 'junit');
      const red = (junit.match(/<(?:failure|error) /g) ?? []).length;
      expect(red > 0).toBe(code !== 0);
      const [, failures, errors] = /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(junit) ?? [];
      expect(Number(failures) + Number(errors)).toBe(red);
      expect(renderReport(one, 'github').includes('::error ')).toBe(code !== 0);
      expect((JSON.parse(renderReport(one, 'badge')) as { color: string }).color === 'red').toBe(code !== 0);
      const [run] = (JSON.parse(renderReport(one, 'sarif')) as Sarif).runs;
      expect(run.invocations[0].exitCode).toBe(code);
      const wrong = run.results.filter(
        ({ level, suppressions }) => level === 'error' && suppressions === undefined,
      );
      const notified = run.invocations[0].toolExecutionNotifications.filter(({ level }) => level === 'error');
      expect(wrong.length + notified.length > 0).toBe(code !== 0);
      expect(run.results.filter(({ suppressions }) => suppressions !== undefined)).toHaveLength(known.size);
    }),
  );
});

interface Sarif {
  readonly runs: readonly [
    {
      readonly results: readonly { readonly level: string; readonly suppressions?: unknown }[];
      readonly invocations: readonly [
        {
          readonly exitCode: number;
          readonly toolExecutionNotifications: readonly { readonly level: string }[];
        },
      ];
    },
  ];
}
