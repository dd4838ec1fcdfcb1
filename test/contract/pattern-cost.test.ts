import { describe, expect, test } from 'vitest';
import { boundedPattern } from '../../contract/judge/bounded-pattern.ts';
import { runBounded, TookTooLong } from '../../contract/judge/bounded-run.ts';
import { judgePatterns, mayBeCostly } from '../../contract/judge/pattern-cost.ts';
import { loadContract, packageRoot } from '../../contract/index.ts';

const costOf = async (pattern: string): Promise<string | undefined> =>
  (await judgePatterns([pattern])).get(pattern);

test.each([
  '^https://',
  '^[a-z]+$',
  '^[\\w(+*]{1,64}$',
  '^\\+?x$',
  '^[a-z0-9]+([._-][a-z0-9]+)*$',
  '^[a-z0-9]+([._-][a-z0-9]+)*/[a-z0-9]+([._-][a-z0-9]+)*$',
])('%s is harmless', async (pattern) => {
  expect(await costOf(pattern)).toBe('harmless');
  expect(mayBeCostly(pattern)).toBe(false);
});

test.each(['^(a+)+$', '^(\\w+\\s?)*$', '^((a|b)*c|a*)*$'])('%s is exponential', async (pattern) => {
  expect(await costOf(pattern)).toBe('exponential');
  expect(mayBeCostly(pattern)).toBe(true);
});

test.each([
  ['quadratic time', 'a+$'],
  ['what the library does not find', '^(a|aa)+$'],
  ['what the library does not find, with equal alternatives', '^(a|a)*$'],
  ['what the library does not find, with an optional part', '^(a?a)+$'],
  ['repetitions of bounded repetitions', '^(a{0,50}){0,50}$'],
  ['a reference to a group', '^(a+)\\1+$'],
  ['a pattern of a thousand groups', '('.repeat(1000) + 'a' + ')+'.repeat(1000)],
  ['a pattern of a megabyte', 'a*'.repeat(500_000)],
])('%s is unproven', async (_, pattern) => {
  expect(await costOf(pattern)).toBe('unproven');
  expect(mayBeCostly(pattern)).toBe(true);
});

test('patterns of the packaged contracts are not judged, and are matched without a bound', () => {
  expect(mayBeCostly('^never judged (a+)+$')).toBe(false);
});

describe('a bounded pattern', () => {
  test('matches as a regular expression does', () => {
    expect(boundedPattern('^(a+)+$', 'u').test('aaa')).toBe(true);
    expect(boundedPattern('^(a+)+$', 'u').test('aab')).toBe(false);
  });

  test('gives up where a value takes too long, and says which pattern it is', () => {
    expect(() => boundedPattern('^(a+)+$', 'u').test(`${'a'.repeat(60)}!`)).toThrow(
      new TookTooLong('the pattern ^(a+)+$ is too costly to check for this value'),
    );
  });

  test('has the text of its pattern: validators tell patterns apart by it', () => {
    expect(String(boundedPattern('^a$', 'u'))).not.toBe(String(boundedPattern('^b$', 'u')));
  });
});

test('a fault of a task is passed on', () => {
  expect(() =>
    runBounded(() => {
      throw new RangeError('its own');
    }, 100),
  ).toThrow(RangeError);
});

test('a packaged contract has no pattern that users would be warned of', async () => {
  for (const name of ['router', 'registry', 'jobs']) {
    const result = await loadContract({ document: `specs/${name}.openapi.yaml`, cwd: packageRoot() });
    expect(result.ok && result.warnings.filter(({ code }) => code === 'pattern-costly')).toStrictEqual([]);
  }
});
