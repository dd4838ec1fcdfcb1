import { expect, test } from 'vitest';

import { items, pages } from '../../../generator/runtime/pages.ts';
import type { PageRules } from '../../../generator/runtime/pages.ts';

const rules: PageRules = {
  cursorParameter: 'cursor',
  limitParameter: 'limit',
  page: { items: 'data', more: 'has_more', limit: 'limit', next: 'next_cursor' },
};

interface Query {
  readonly cursor?: string;
  readonly limit?: number;
  readonly filter?: string;
}

function list(answers: readonly object[]): {
  read: (query: Query) => Promise<{ data: unknown }>;
  asked: Query[];
} {
  const asked: Query[] = [];
  const read = (query: Query): Promise<{ data: unknown }> => {
    asked.push(query);
    const data = answers[asked.length - 1];
    return data === undefined ? Promise.reject(new Error('one page too many')) : Promise.resolve({ data });
  };
  return { read, asked };
}

async function all<T>(walk: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of walk) found.push(one);
  return found;
}

test('a walk finds items and cursors inside other members', async () => {
  const { read, asked } = list([
    { data: { notes: ['a'] }, page: { more: true, next: 'x' } },
    { data: { notes: ['b'] }, page: { more: false } },
  ]);
  const nested: PageRules = {
    ...rules,
    page: { items: 'data.notes', more: 'page.more', next: 'page.next' },
  };
  expect(await all(items(nested, {}, read))).toEqual(['a', 'b']);
  expect(asked).toEqual([{}, { cursor: 'x' }]);
});

test('router.list.short-page-legal, router.list.limit-echo-drives-walk, router.cursor.opaque: a walk to its end', async () => {
  const { read, asked } = list([
    { data: ['a', 'b'], has_more: true, limit: 100, next_cursor: 'x+/=' },
    { data: [], has_more: true, limit: 50, next_cursor: 'y' },
    { data: ['c'], has_more: true, limit: 50, next_cursor: 'y' },
    { data: ['d'], has_more: false, limit: 50 },
  ]);
  expect(
    await all(items<string, Query, { data: unknown }>(rules, { limit: 500, filter: 'f' }, read)),
  ).toStrictEqual(['a', 'b', 'c', 'd']);
  expect(asked).toStrictEqual([
    { limit: 500, filter: 'f' },
    { limit: 100, filter: 'f', cursor: 'x+/=' },
    { limit: 50, filter: 'f', cursor: 'y' },
    { limit: 50, filter: 'f', cursor: 'y' },
  ]);
});

test('pages come whole, and a walk can begin anywhere', async () => {
  const { read, asked } = list([{ data: [], has_more: false, limit: 1 }]);
  expect(await all(pages(rules, { cursor: 'z' }, read))).toStrictEqual([
    { data: { data: [], has_more: false, limit: 1 } },
  ]);
  expect(asked).toStrictEqual([{ cursor: 'z' }]);
});

test('pages are read on demand', async () => {
  const { read, asked } = list([
    { data: ['a', 'b'], has_more: true, limit: 2, next_cursor: 'x' },
    { data: ['c'], has_more: false, limit: 2 },
  ]);
  for await (const item of items<string, Query, { data: unknown }>(rules, {}, read)) if (item === 'b') break;
  expect(asked).toHaveLength(1);
});

test('the caller’s input is not changed', async () => {
  const input = Object.freeze({ limit: 500 });
  const { read } = list([
    { data: [], has_more: true, limit: 100, next_cursor: 'x' },
    { data: [], has_more: false, limit: 100 },
  ]);
  await all(pages(rules, input, read));
  expect(input).toStrictEqual({ limit: 500 });
});

test.each<[string, object, string]>([
  ['more without a cursor', { data: [], has_more: true, limit: 1 }, 'no cursor'],
  ['no word about more', { data: [] }, 'has_more'],
])('a page with %s is given out, and then ends the walk with an error', async (_, page, why) => {
  const { read } = list([page]);
  const walk = pages(rules, {}, read);
  expect(await walk.next()).toStrictEqual({ done: false, value: { data: page } });
  await expect(walk.next()).rejects.toThrow(why);
});

test('an error of a page ends the walk', async () => {
  await expect(all(pages(rules, {}, list([]).read))).rejects.toThrow('one page too many');
});

test('a cursor without a boolean: the page without one is the last', async () => {
  const { read, asked } = list([
    { data: ['a'], next: 'x' },
    { data: ['b'], next: null },
  ]);
  const plain: PageRules = {
    cursorParameter: 'after',
    limitParameter: 'size',
    page: { items: 'data', next: 'next' },
  };
  expect(await all(items(plain, {}, read))).toStrictEqual(['a', 'b']);
  expect(asked).toStrictEqual([{}, { after: 'x' }]);
});

test('pages by number, until one is not full', async () => {
  const { read, asked } = list([['a', 'b'], ['c']]);
  const numbered: PageRules = { pageParameter: 'page', limitParameter: 'size', defaultLimit: 2 };
  expect(await all(items(numbered, { filter: 'f' }, read))).toStrictEqual(['a', 'b', 'c']);
  expect(asked).toStrictEqual([{ filter: 'f' }, { filter: 'f', page: 2 }]);
});

test('pages by Link: its address says where the next one begins', async () => {
  const asked: object[] = [];
  const links = ['</notes?page=7&size=2>; rel="next"', ''];
  const read = (query: object): Promise<{ data: string[]; headers: Headers }> => {
    asked.push(query);
    return Promise.resolve({ data: ['a'], headers: new Headers({ Link: links[asked.length - 1] ?? '' }) });
  };
  const linked: PageRules = { pageParameter: 'page', limitParameter: 'size', defaultLimit: 2, link: true };
  expect(await all(items(linked, {}, read))).toStrictEqual(['a', 'a']);
  expect(asked).toStrictEqual([{}, { page: 7 }]);
});
