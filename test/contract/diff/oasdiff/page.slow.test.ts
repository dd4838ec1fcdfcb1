import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { differenceOf, oasdiffFile, oasdiffPage, oasdiffRows } from './page.ts';

test('docs/oasdiff.md is what diff finds in the pair of each check (npm run docs)', () => {
  expect(readFileSync(oasdiffFile, 'utf8')).toBe(oasdiffPage());
});

test('every check of oasdiff has a pair that shows it, but those of dates, stability and versions', () => {
  const missing = oasdiffRows().filter(({ changes }) => changes === undefined);
  const outside = /sunset|stability|extensible-enum|version-(?:not-bumped|decreased)/;
  expect(missing.filter(({ id }) => !outside.test(id)).map(({ id }) => id)).toStrictEqual([]);
});

test('a change that only oasdiff takes for an error is one that callers can bear', () => {
  const milder = oasdiffRows().filter((row) => row.level === 'error' && differenceOf(row) === 'milder');
  // contentSchema is an annotation; a tuple without its schemas takes more, and one of several schemas takes each.
  const known = /content-schema|prefix-items|wrapped-in-one-of/;
  expect(milder.filter(({ id }) => !known.test(id)).map(({ id }) => id)).toStrictEqual([]);
});

test('most checks of oasdiff are judged in the same way', () => {
  const rows = oasdiffRows().filter(({ changes }) => changes !== undefined);
  const undecidedErrors = rows.filter((row) => row.level === 'error' && differenceOf(row) === 'undecided');
  const decided = /default-value|content-(?:encoding|media-type)|webhook-removed/;
  expect(undecidedErrors.filter(({ id }) => !decided.test(id)).map(({ id }) => id)).toStrictEqual([]);
});
