import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, pathOf } from '../../mock/inspector/json-lines.ts';

const text = (value: unknown): string =>
  linesOf(value, [])
    .map(({ indent, pieces }) => '  '.repeat(indent) + pieces.map((piece) => piece.text).join(''))
    .join('\n');

test('JSON is printed as by JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(text(value)).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
});

const body = { node: { tags: ['a', 7], 'a.b': { c: 1 } }, prompt: 'x' };

test.each([
  ['a member', 'body.prompt', ['prompt']],
  ['an element of a list', 'body.node.tags.1', ['node', 'tags', '1']],
  ['a name with a dot', 'body.node.a.b.c', ['node', 'a.b', 'c']],
  ['a member that is missing, by what should have it', 'body.node.licence', ['node']],
  ['the body itself', 'body', []],
  ['a name of every object', 'body.constructor', []],
  ['something else', 'query.limit', undefined],
])('a finding points at %s', (_what, at, path) => {
  expect(pathOf(at, 'body', body)).toStrictEqual(path);
});

test('exactly the place of a finding is marked', () => {
  const marked = linesOf(body, [['node', 'tags', '1']]).filter((line) => line.marked);
  expect(marked.map(({ pieces }) => pieces.map((piece) => piece.text).join(''))).toStrictEqual(['7']);
});

test('a missing member marks the braces of its object, not the content', () => {
  const marked = linesOf(body, [['node']]).filter((line) => line.marked);
  expect(marked.map(({ pieces }) => pieces.at(-1)?.text)).toStrictEqual(['{', ',']);
});
