import { expect, test } from 'vitest';
import { misfitOf, type Form } from '../../contract/index.ts';

const form: Form = {
  members: {
    name: 'string',
    size: 'number',
    kind: { oneOf: ['a', 'b'] },
    tags: { listOf: 'string', orWord: 'any' },
    owner: { nullOr: 'string' },
    by: { mapOf: 'number' },
    event: {
      by: 'kind',
      cases: { begun: { members: { kind: 'string', at: 'number' }, required: ['at'] } },
    },
    more: 'anything',
  },
  required: ['name'],
};

test.each([
  { name: 'x' },
  { name: 'x', size: 1, kind: 'b', tags: ['t'], owner: null, by: { 'a/b': 1 }, more: [{}] },
  { name: 'x', tags: 'any', owner: 'me', event: { kind: 'begun', at: 1 }, size: undefined },
])('a value of the form is accepted: %j', (value) => {
  expect(misfitOf(value, form)).toBeUndefined();
});

const itself: unknown[] = [];
itself.push(itself);

test.each<[value: unknown, pointer: string, message: RegExp]>([
  [[], '', /^expected an object, got \[\]$/],
  [{}, '', /^name is missing$/],
  [{ name: 1 }, '/name', /^expected a string, got 1$/],
  [{ name: 'x', size: Number.NaN }, '/size', /^expected a number, got NaN$/],
  [{ name: 'x', size: '2' }, '/size', /^expected a number, got "2"$/],
  [{ name: 'x', siez: 2 }, '/siez', /^unknown member. Did you mean size\?$/],
  [{ name: 'x', constructor: 2 }, '/constructor', /^unknown member$/],
  [{ name: 'x', kind: 'c' }, '/kind', /^expected a, b, got "c"$/],
  [{ name: 'x', tags: ['t', 2] }, '/tags/1', /^expected a string, got 2$/],
  [{ name: 'x', tags: 'all' }, '/tags', /^expected a list or any, got "all"$/],
  [{ name: 'x', owner: 2 }, '/owner', /^expected a string, got 2$/],
  [{ name: 'x', by: { 'a/b': 'c' } }, '/by/a~1b', /^expected a number, got "c"$/],
  [{ name: 'x', event: { kind: 'toString' } }, '/event/kind', /^expected begun, got "toString"$/],
  [{ name: 'x', event: { kind: 'begun' } }, '/event', /^at is missing$/],
  [{ name: 'x'.repeat(100), size: 'y'.repeat(100) }, '/size', /^expected a number, got "y{59}…$/],
  [itself, '', /^expected an object, got /],
])('%j is reported with its place', (value, pointer, message) => {
  expect(misfitOf(value, form)).toMatchObject({
    pointer,
    message: expect.stringMatching(message) as string,
  });
});
