import { expect, test } from 'vitest';
import { linkedQuery } from '../../../contract/policies/link-header.ts';
import { nextNumber } from '../../../contract/policies/numbered-pages.ts';

const byPage = { pageParameter: 'page', defaultLimit: 2, page: { items: 'items' } };
const byOffset = { defaultLimit: 2, page: { items: 'items' } };
const full = { items: [1, 2] };

test.each<[string, Parameters<typeof nextNumber>, number | undefined]>([
  ['a full page has one behind it', [byPage, full, undefined, undefined], 2],
  ['a page that is not full is the last', [byPage, { items: [1] }, 3, undefined], undefined],
  ['an empty page is the last', [byPage, { items: [] }, 3, undefined], undefined],
  ['the size that was asked for counts', [byPage, full, 1, 3], undefined],
  ['pages may be counted from 0', [{ ...byPage, firstPage: 0 }, full, undefined, undefined], 1],
  [
    'more says so, whatever the page holds',
    [{ ...byPage, page: { items: 'items', more: 'more' } }, { items: [1], more: true }, 1, undefined],
    2,
  ],
  [
    'no more ends it',
    [{ ...byPage, page: { items: 'items', more: 'more' } }, { ...full, more: false }, 1, undefined],
    undefined,
  ],
  [
    'the total ends it',
    [{ ...byPage, page: { items: 'items', total: 'total' } }, { ...full, total: 4 }, 2, undefined],
    undefined,
  ],
  [
    'below the total it goes on',
    [{ ...byPage, page: { items: 'items', total: 'total' } }, { ...full, total: 5 }, 2, undefined],
    3,
  ],
  [
    'a total that grows without items ends',
    [{ ...byPage, page: { items: 'items', total: 'total' } }, { items: [], total: 5 }, 2, undefined],
    undefined,
  ],
  [
    'the echoed size counts',
    [{ ...byPage, page: { items: 'items', limit: 'size' } }, { ...full, size: 5 }, 1, 2],
    undefined,
  ],
  [
    'the facts of a page may be inside other members',
    [
      { ...byPage, page: { items: 'data.items', total: 'meta.total', limit: 'meta.size' } },
      { data: { items: [1, 2] }, meta: { total: 5, size: 2 } },
      2,
      undefined,
    ],
    3,
  ],
  ['an offset counts items', [byOffset, full, undefined, undefined], 2],
  ['an offset goes on from where it was', [byOffset, full, 4, undefined], 6],
  ['a bare list', [{ pageParameter: 'page', defaultLimit: 2 }, [1, 2], 1, undefined], 2],
  ['no page at all is the last', [byPage, null, 1, undefined], undefined],
])('%s', (_what, [policy, body, start, limit], next) => {
  expect(nextNumber(policy, body, start, limit)).toBe(next);
});

test.each([
  ['</notes?page=2&per_page=5>; rel="next"', 'page=2&per_page=5'],
  ['<https://example.com/a?x=1>; rel=prev, <https://example.com/a?x=3>; rel=next', 'x=3'],
  ['</a?x=1>; title="a, b; rel=next"; rel="last", </a?x=2#f>; REL="prev next"', 'x=2'],
  ['</a?x=1>; rel="last"', undefined],
  ['</a>; rel=next', ''],
  ['rubbish', undefined],
  ['', undefined],
  [null, undefined],
])('Link: %s leads on to %s', (header, query) => {
  expect(linkedQuery(header, 'next')?.toString()).toBe(query);
});

test('a very long Link header is parsed in linear time', () => {
  expect(linkedQuery('</a>; x="'.repeat(5_000), 'next')).toBeUndefined();
});
