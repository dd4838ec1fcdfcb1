import { expect, test } from 'vitest';
import { withoutCaptures } from '../../generator/validators/pattern.ts';
import { documentOf, filesOf, imported } from './generated.ts';

test.each<[string, { given: string; want: string }]>([
  ['a group remembers nothing', { given: '^[a-z]+([._-][a-z]+)*$', want: '^[a-z]+(?:[._-][a-z]+)*$' }],
  ['nor do groups in groups', { given: '((a)|(b))', want: '(?:(?:a)|(?:b))' }],
  [
    'other groups stay',
    { given: '(?:a)(?=b)(?!c)(?<=d)(?<!e)(?<f>g)', want: '(?:a)(?=b)(?!c)(?<=d)(?<!e)(?<f>g)' },
  ],
  ['a bracket that stands for itself stays', { given: '\\(a\\)[(][^(\\](]', want: '\\(a\\)[(][^(\\](]' }],
  ['behind a backslash that stands for itself a group begins', { given: '\\\\(a)', want: '\\\\(?:a)' }],
  ['one that refers to a group stays', { given: '^(a|b)\\1$', want: '^(a|b)\\1$' }],
  ['one that refers to a group by its name stays', { given: '(?<a>b)(c)\\k<a>', want: '(?<a>b)(c)\\k<a>' }],
])('in a pattern %s', (_, { given, want }) => {
  expect(withoutCaptures(given)).toBe(want);
  expect(() => new RegExp(want, 'u')).not.toThrow();
});

test('patterns that need no flag u are checked without it', async () => {
  const schemas = {
    Local: { type: 'string', pattern: '^[\\w\\-\\.]+\\@x\\_y$' },
    Names: { type: 'object', patternProperties: { '^x\\-': { type: 'integer' } } },
    Brackets: { type: 'string', pattern: ']|{' },
  };
  const { isLocal, isNames, isBrackets } = (await imported(
    await filesOf(documentOf(schemas)),
    'sample/validators.ts',
  )) as Record<string, (value: unknown) => boolean>;
  const verdicts = [isLocal?.('a-b@x_y'), isLocal?.('nothing'), isNames?.({ 'x-a': 1 })];
  expect([...verdicts, isNames?.({ 'x-a': 'b' }), isBrackets?.('{'), isBrackets?.('a')]).toStrictEqual([
    ...[true, false, true],
    ...[false, true, false],
  ]);
});
