import { expect, test } from 'vitest';
import { check } from '../../generator/validation/checks.ts';
import { below, fail, type Failures, recurse } from '../../generator/validation/recursion.ts';

/** Numbers are wrong at any depth. */
function tree(value: unknown, failures: Failures, pointer = ''): void {
  recurse(inner, value, failures, pointer);
}

function inner(value: unknown, failures: Failures, pointer = ''): void {
  const count = failures.length;
  for (const [name, member] of Object.entries(value as object))
    if (typeof member === 'number') fail(failures, `/${name}`, 'must be no number');
    else tree(member, failures, `/${name}`);
  below(pointer, failures, count);
}

const numbers = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, index]));

const shared = numbers(250);

test.each([
  ['on one level', numbers(250), 250],
  ['a level deeper', { a: numbers(250) }, 250],
  ['three levels deeper', { a: { b: { c: numbers(250) } } }, 250],
  ['in several values', { a: numbers(250), b: { c: numbers(130), d: numbers(99) } }, 479],
  ['in one value at two places', { a: shared, b: { c: shared } }, 500],
  ['in more values than are kept whole', { a: Array.from({ length: 300 }, () => [numbers(60)]) }, 18_000],
])('misfits %s are all counted, and 100 reported', (_where, value, total) => {
  const checked = check(tree, value);
  if (checked.ok) throw new Error('nothing was found');
  expect([checked.errors.length, checked.more]).toStrictEqual([100, total - 100]);
});
