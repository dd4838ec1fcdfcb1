import fc from 'fast-check';
import { expect, test } from 'vitest';

import { nextPage, readPageEnd, servedLimit } from '../../../contract/policies/pagination.ts';
import type { PaginationPolicy } from '../../../contract/policies/pagination.ts';

const policy: PaginationPolicy = {
  kind: 'pagination',
  operations: ['listModels'],
  cursorParameter: 'cursor',
  limitParameter: 'limit',
  defaultLimit: 20,
  maximumLimit: 100,
  page: { items: 'data', more: 'has_more', limit: 'limit', next: 'next_cursor' },
};

test.each<[string | undefined, number | undefined, string]>([
  [undefined, 20, 'router.list.limit-default'],
  ['1', 1, 'router.list.limit-honoured'],
  ['99', 99, 'router.list.limit-honoured'],
  ['100', 100, 'router.list.limit-honoured'],
  ['101', 100, 'router.list.limit-clamped'],
  ['2147483648', 100, 'router.list.limit-clamped-huge'],
  ['99999999999999999999', 100, 'router.list.limit-clamped-huge'],
  ['9'.repeat(400), 100, 'router.list.limit-clamped-huge, past what a number holds'],
  ['0', 20, 'router.list.limit-zero'],
  ['-0', 20, 'router.list.limit-zero'],
  ['000', 20, 'router.list.limit-zero'],
  ['007', 7, 'leading zeros'],
  ['+7', 7, 'a sign'],
  ['-1', 20, 'router.list.limit-negative'],
  ['-100', 20, 'router.list.limit-negative'],
  [`-${'9'.repeat(400)}`, 20, 'router.list.limit-negative'],
  ['', undefined, 'silent: A-24'],
  [' 5', undefined, 'silent: A-24'],
  ['5 ', undefined, 'silent: A-24'],
  ['1.5', undefined, 'silent: A-24'],
  ['1e2', undefined, 'silent: A-24'],
  ['0x10', undefined, 'silent: A-24'],
  ['١٢', undefined, 'digits of another script are no integer'],
  ['5\n', undefined, 'a line break is not overlooked'],
  ['Infinity', undefined, 'silent: A-24'],
])('servedLimit(%j) is %s: %s', (raw, want) => {
  expect(servedLimit(policy, raw)).toBe(want);
});

test('every integer is served within the bounds (router.list.limit-range)', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
      const want = value <= 0n ? 20 : value > 100n ? 100 : Number(value);
      return servedLimit(policy, String(value)) === want;
    }),
  );
});

test('a short or empty page does not end a walk (router.list.short-page-legal)', () => {
  const page = { data: [], has_more: true, limit: 100, next_cursor: 'a+/=' };
  expect(nextPage(readPageEnd(policy, page))).toStrictEqual({ cursor: 'a+/=', limit: 100 });
});

test('a full page without more ends it, cursor or not (router.list.walk-terminates)', () => {
  expect(nextPage(readPageEnd(policy, { data: [1, 2], has_more: false, limit: 2 }))).toBeUndefined();
  expect(
    nextPage(readPageEnd(policy, { data: [], has_more: false, limit: 2, next_cursor: 'x' })),
  ).toBeUndefined();
});

test('the echoed limit is used for the next page, not the requested one (router.list.limit-echo-drives-walk)', () => {
  expect(nextPage({ more: true, limit: 100, next: 'c' })).toStrictEqual({ cursor: 'c', limit: 100 });
});

test('a page that does not echo its limit leaves it open', () => {
  expect(nextPage(readPageEnd(policy, { has_more: true, next_cursor: 'c' }))).toStrictEqual({
    cursor: 'c',
    limit: undefined,
  });
});

test('the facts of a page may be inside other members', () => {
  const names = { items: 'data', more: 'page.more', limit: 'page.size', next: 'page.next' };
  const page = { data: [], page: { more: true, size: 3, next: 'c' } };
  expect(readPageEnd({ page: names }, page)).toStrictEqual({ more: true, limit: 3, next: 'c' });
});

test.each([
  [{ has_more: true }],
  [{ has_more: true, next_cursor: null }],
  [{ has_more: true, next_cursor: '' }],
  [{ has_more: true, next_cursor: 7 }],
])('more without a cursor is an error, not a walk that starts over: %j', (page) => {
  expect(() => nextPage(readPageEnd(policy, page))).toThrow('no cursor');
});

test.each([[{}], [{ has_more: 'true' }], [null], ['text'], [undefined], [[]]])(
  'a page that does not say whether there is more is an error: %j',
  (page) => {
    expect(() => readPageEnd(policy, page)).toThrow('has_more');
  },
);
