import { expect, test } from 'vitest';
import { ruleMatcher } from '../../conformance/index.ts';
import type { Verdict } from '../../conformance/index.ts';
import type { Check } from '../../conformance/scenarios/scenario.ts';
import { withoutChanged } from '../../conformance/verdicts/outcome.ts';
import type { Outcome } from '../../conformance/verdicts/outcome.ts';
import { decide } from '../../conformance/verdicts/verdict.ts';
import type { Gap } from '../../conformance/verdicts/verdict.ts';

const must = { level: 'must' } as const;

function seen(outcome: Check['outcome'], exchange = 'x0001'): Check {
  return { kind: 'check', rule: 'r', outcome, exchanges: [exchange], expected: 'this', got: 'that' };
}

const missing: Gap = { verdict: 'not-exercised', reason: 'needs model.slow', missing: 'model.slow' };
const hindered: Gap = { verdict: 'inconclusive', reason: 'the server returned 429' };
const broken: Gap = { verdict: 'error', reason: 'fixture model.ok: it returned 404' };

test.each<[string, { checks: Check[]; gaps: Gap[]; want: Verdict }]>([
  ['nothing seen is not exercised and never a pass', { checks: [], gaps: [], want: 'not-exercised' }],
  ['a met expectation is a pass', { checks: [seen('pass')], gaps: [], want: 'pass' }],
  [
    'one broken expectation among many is a fail',
    { checks: [seen('pass'), seen('fail')], gaps: [], want: 'fail' },
  ],
  [
    'a broken expectation outweighs a broken fixture',
    { checks: [seen('fail')], gaps: [broken], want: 'fail' },
  ],
  [
    'a part that was held back leaves the pass of the rest',
    { checks: [seen('pass')], gaps: [missing], want: 'pass' },
  ],
  [
    'a part that could not be decided leaves no pass',
    { checks: [seen('pass')], gaps: [hindered], want: 'inconclusive' },
  ],
  [
    'an undecided check leaves no pass',
    { checks: [seen('pass'), seen('inconclusive')], gaps: [], want: 'inconclusive' },
  ],
  ['a broken fixture is an error', { checks: [], gaps: [broken, missing], want: 'error' }],
  [
    'an obstacle outweighs a missing fixture',
    { checks: [], gaps: [missing, hindered], want: 'inconclusive' },
  ],
])('%s', (_, { checks, gaps, want }) => {
  expect(decide(must, checks, gaps).verdict).toBe(want);
});

test('a broken SHOULD is a warning', () => {
  expect(decide({ level: 'should' }, [seen('fail')], []).verdict).toBe('warn');
});

test('a verdict names the exchange that decided it first', () => {
  const decided = decide(must, [seen('pass', 'x0001'), seen('fail', 'x0002')], []);
  expect(decided.exchanges).toEqual(['x0002', 'x0001']);
  expect(decided).toMatchObject({ expected: 'this', observed: 'that', checks: 2, failed: 1 });
});

test('a partial pass names what was not judged', () => {
  expect(decide(must, [seen('pass')], [missing]).reason).toBe('partly untested: needs model.slow');
});

test('a glob matches rules by their beginning, and a dot is a dot', () => {
  expect(['router.idem.replay', 'router.idemXreplay'].map(ruleMatcher('router.idem.*'))).toEqual([
    true,
    false,
  ]);
  expect(ruleMatcher('router.run.ok')('router.run.ok-not')).toBe(false);
  expect(['a.b', 'a.xb', 'a.x', 'ab'].map(ruleMatcher('a.*b'))).toEqual([true, true, false, false]);
  expect(['aba', 'ab', 'abba'].map(ruleMatcher('ab*ba'))).toEqual([false, false, true]);
  expect(ruleMatcher('*')('')).toBe(true);
});

function outcome(...checks: readonly (readonly [rule: string, outcome: Check['outcome']])[]): Outcome {
  return {
    checks: checks.map(([rule, one], index) => ({ ...seen(one, `x000${index}`), rule })),
    observations: [],
    gaps: new Map(),
  };
}

test.each<[string, { before: Outcome; again: Outcome; fails: string[]; inconclusive: string[] }]>([
  [
    'a failure that repeats itself stays one',
    { before: outcome(['a', 'fail']), again: outcome(['a', 'fail']), fails: ['a'], inconclusive: [] },
  ],
  [
    'a failure that does not is inconclusive',
    { before: outcome(['a', 'fail']), again: outcome(['a', 'pass']), fails: [], inconclusive: ['a'] },
  ],
  [
    'a pass that fails the second time is inconclusive as well',
    {
      before: outcome(['a', 'fail'], ['b', 'pass']),
      again: outcome(['a', 'fail'], ['b', 'fail']),
      fails: ['a'],
      inconclusive: ['b'],
    },
  ],
  [
    'a failure that could not be tried again is inconclusive',
    { before: outcome(['a', 'fail']), again: outcome(), fails: [], inconclusive: ['a'] },
  ],
])('under --retries, %s', (_, { before, again, fails, inconclusive }) => {
  const merged = withoutChanged(before, again);
  const verdicts = (['a', 'b'] as const).map((rule) => {
    const gap = merged.gaps.get(rule);
    const own = merged.checks.filter((check) => check.rule === rule);
    return [rule, decide(must, own, gap === undefined ? [] : [gap]).verdict] as const;
  });
  const ruled = (verdict: Verdict): string[] =>
    verdicts.filter(([, one]) => one === verdict).map(([rule]) => rule);
  expect(ruled('fail')).toEqual(fails);
  expect(ruled('inconclusive')).toEqual(inconclusive);
});

test('a verdict that changed twice stays inconclusive', () => {
  const twice = withoutChanged(
    withoutChanged(outcome(['a', 'fail']), outcome(['a', 'pass'])),
    outcome(['a', 'fail']),
  );
  expect(twice.checks).toEqual([]);
  expect(twice.gaps.get('a')?.verdict).toBe('inconclusive');
});
