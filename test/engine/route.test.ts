import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routerOf } from '../../engine/route.ts';
import type { ServedOperation } from '../../engine/served-api.ts';

const operation = (path: string): ServedOperation => ({ id: path, method: 'GET', path, responses: {} });

function segmentsOf(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const route = routerOf([operation(template)])('GET', path);
  return route.kind === 'operation' ? route.segments : undefined;
}

test.each<[string, string, Record<string, string> | undefined]>([
  ['/a/{x}', '/a/b', { x: 'b' }],
  ['/a/{x}', '/a/', { x: '' }],
  ['/a/{x}', '/a/b/c', undefined],
  ['/a/{x}', '/a', undefined],
  ['/{x}.json', '/a.json', { x: 'a' }],
  ['/{x}.json', '/a.jso', undefined],
  ['/{x}-{y}', '/a-b-c', { x: 'a-b', y: 'c' }],
  ['/{x}{y}', '/ab', { x: 'a', y: 'b' }],
  ['/a{x}a', '/a', undefined],
  ['/a.b', '/aXb', undefined],
  ['/a/{x}:stop', '/a/7:stop', { x: '7' }],
  ['/a/{x}:stop', '/a/7%3astop', { x: '7' }],
  ['/a/{x}:stop', '/a/b%2Fc%3Astop', { x: 'b%2Fc' }],
  ['/a/{x}:stop', '/a/7%3Ago', undefined],
  ['/a/{x}', '/a/7%3Astop', { x: '7%3Astop' }],
])('%s and %s', (template, path, segments) => {
  expect(segmentsOf(template, path)).toStrictEqual(segments);
});

/** Each of these styles begins with a character of its own. */
test.each<[string, Record<string, string>]>([
  ['/.a;m=1', { label: '.a', matrix: ';m=1' }],
  ['/.a.b;m=1,2', { label: '.a.b', matrix: ';m=1,2' }],
  ['/.a=b;m=;m=', { label: '.a=b;m=', matrix: ';m=' }],
])('a label and a matrix in one segment: %s', (path, segments) => {
  const parameters = [
    { name: 'label', in: 'path', style: 'label', explode: false },
    { name: 'm', in: 'path', style: 'matrix', explode: false },
  ] as const;
  const route = routerOf([{ ...operation('/{label}{m}'), parameters }])('GET', path);
  const { label, matrix: m } = segments;
  expect(route.kind === 'operation' && route.segments).toStrictEqual({ label, m });
});

const NUMBER = { kinds: ['number'] } as const;

/** Without a text between two names, the types of their values say where one ends. */
test.each<[string, Record<string, string> | undefined]>([
  ['/12@2x.png', { y: '12', scale: '@2x', format: 'png' }],
  ['/12%402x.png', { y: '12', scale: '%402x', format: 'png' }],
  ['/-1@1x.png', { y: '-1', scale: '@1x', format: 'png' }],
  ['/1.5@1x.png', { y: '1.5', scale: '@1x', format: 'png' }],
  ['/a@2x.png', { y: 'a', scale: '@2x', format: 'png' }],
])('a number, one of some texts, and a text: %s', (path, segments) => {
  const parameters = [
    { name: 'y', in: 'path', style: 'simple', explode: false, reads: NUMBER },
    { name: 'scale', in: 'path', style: 'simple', explode: false, among: ['x', '@1x', '@2x'] },
    { name: 'format', in: 'path', style: 'simple', explode: false },
  ] as const;
  const route = routerOf([{ ...operation('/{y}{scale}.{format}'), parameters }])('GET', path);
  expect(route.kind === 'operation' ? route.segments : undefined).toStrictEqual(segments);
});

test('one of some texts before a text without a boundary', () => {
  const parameters = [
    { name: 'kind', in: 'path', style: 'simple', explode: false, among: ['a', 'ab c'] },
    { name: 'rest', in: 'path', style: 'simple', explode: false },
  ] as const;
  const find = routerOf([{ ...operation('/{kind}{rest}'), parameters }]);
  const route = find('GET', '/ab%20cdef');
  expect(route.kind === 'operation' && route.segments).toStrictEqual({ kind: 'ab%20c', rest: 'def' });
});

test.each<[string, string, string | undefined]>([
  ['/x', '', '/x'],
  ['/x', 'action=start', '/x?action=start'],
  ['/x', 'b=1&action=start', '/x?action=start'],
  ['/x', 'action=stop', '/x?action={other}'],
  ['/x', 'action=%73tart', '/x?action=start'],
  ['/x', 'action=a/b', '/x?action=a%2fb'],
  ['/x', 'acl', '/x?acl'],
  ['/x', 'acl=', '/x?acl'],
  ['/x', 'acls', '/x'],
  ['/y', '', undefined],
  ['/y', 'a=1', undefined],
  ['/y', 'a=1&b=2', '/y?a=1&b={n}'],
])('%s with the query %j is %s', (path, query, template) => {
  const templates = [
    '/x',
    '/x?action={other}',
    '/x?action=start',
    '/x?acl',
    '/x?action=a%2fb',
    '/y?a=1&b={n}',
  ];
  const route = routerOf(templates.map(operation))('GET', path, query);
  expect(route.kind === 'operation' ? route.operation.path : undefined).toBe(template);
});

test('a path that is written as such takes precedence over an empty segment', () => {
  const find = routerOf(['/{key}', '/', '/a/{x}', '/a/'].map(operation));
  for (const path of ['/', '/a/']) {
    const route = find('GET', path);
    expect(route.kind === 'operation' && route.operation.path).toBe(path);
  }
});

test('operations that differ only in a fragment are told apart by the parameters that they require', () => {
  const needs = (path: string, ...names: string[]): ServedOperation => ({
    ...operation(path),
    parameters: names.map((name) => ({ name, in: 'query', required: true, style: 'form', explode: true })),
  });
  const find = routerOf([operation('/{key}'), needs('/{key}#acl', 'acl'), needs('/{key}#tag', 'tag', 'v')]);
  const at = (query: string): unknown => {
    const route = find('GET', '/a', query);
    return route.kind === 'operation' && route.operation.path;
  };
  expect(['', 'acl', 'x=1&acl=true', 'tag', 'tag=1&v=2'].map(at)).toStrictEqual([
    '/{key}',
    '/{key}#acl',
    '/{key}#acl',
    '/{key}',
    '/{key}#tag',
  ]);
});

test('a segment with several names is parsed like a greedy regular expression', () => {
  const literal = fc.string({ unit: fc.constantFrom('a', '-', '.'), maxLength: 2 });
  fc.assert(
    fc.property(
      fc.array(literal, { minLength: 1, maxLength: 5 }),
      fc.string({ unit: fc.constantFrom('a', '-', '.', 'b'), maxLength: 12 }),
      (literals, part) => {
        const template = `/${literals.map((text, index) => (index === 0 ? text : `{p${String(index)}}${text}`)).join('')}`;
        // A value directly behind another one is not empty.
        const isBehind = (index: number): boolean => index > 1 && literals[index - 1] === '';
        const pieces = literals.map(
          (text, index) =>
            (index === 0 ? '' : isBehind(index) ? '([^/]+)' : '([^/]*)') + text.replaceAll('.', '\\.'),
        );
        const expected = new RegExp(`^${pieces.join('')}$`).exec(part);
        const found = segmentsOf(template, `/${part}`);
        expect(found === undefined ? null : Object.values(found)).toStrictEqual(expected?.slice(1) ?? null);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a long path is judged in time that grows with its length only', () => {
  const template = `/${Array.from({ length: 6 }, (_, index) => `{p${String(index)}}`).join('-')}.x`;
  expect(segmentsOf(template, `/${'-'.repeat(200_000)}`)).toBeUndefined();
});
