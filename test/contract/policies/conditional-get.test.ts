import { expect, test } from 'vitest';

import { matchesIfNoneMatch, opaqueTag } from '../../../contract/policies/conditional-get.ts';

test.each<[string, string | undefined, string | undefined, boolean]>([
  ['router.schema.inm-304: the same tag', '"a"', '"a"', true],
  ['router.schema.inm-miss: another tag', '"nope"', '"a"', false],
  ['router.schema.inm-weak: asked weakly', 'W/"a"', '"a"', true],
  ['router.schema.inm-weak: held weakly', '"a"', 'W/"a"', true],
  ['router.schema.inm-weak: both weakly', 'W/"a"', 'W/"a"', true],
  ['router.schema.inm-list: in a list', '"x", "a"', '"a"', true],
  ['router.schema.inm-list: weakly in a list without spaces', '"x",W/"a","y"', '"a"', true],
  ['router.schema.inm-list: not in the list', '"x", "y"', '"a"', false],
  ['a tag that holds a comma', '"a,b"', '"a,b"', true],
  ['a comma inside a tag does not cut it', '"x,a"', '"a"', false],
  ['empty elements', ' , "x",, "a" ,', '"a"', true],
  ['router.schema.inm-star: any', '*', '"a"', true],
  ['any, with spaces', ' * ', 'W/"a"', true],
  ['any of nothing', '*', undefined, false],
  ['a tag of nothing', '"a"', undefined, false],
  ['no header', undefined, '"a"', false],
  ['an empty header', '', '"a"', false],
  ['an empty tag', '""', '""', true],
  ['tags are compared with their case', '"A"', '"a"', false],
  ['malformed: no quotes', 'a', '"a"', false],
  ['malformed: a lower-case w', 'w/"a"', '"a"', false],
  ['malformed: one quote', '"a', '"a"', false],
  ['malformed: the star in a list', '"a", *', '"a"', false],
  ['malformed: no comma between', '"x" "a"', '"a"', false],
  ['malformed: a space in a tag', '"a b", "a"', '"a"', false],
  ['malformed: something else beside the tag', '"a", b', '"a"', false],
])('%s', (_, header, current, want) => {
  expect(matchesIfNoneMatch(header, current)).toBe(want);
});

test('a long list of empty tags is parsed in linear time', () => {
  expect(matchesIfNoneMatch(`"a"${' ,'.repeat(200_000)}x`, '"b"')).toBe(false);
});

test('opaqueTag leaves the strength out', () => {
  expect(['"a"', 'W/"a"', 'a', '"a', '"a"b"'].map(opaqueTag)).toStrictEqual([
    '"a"',
    '"a"',
    undefined,
    undefined,
    undefined,
  ]);
});
