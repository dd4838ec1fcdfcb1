import { expect, test } from 'vitest';
import { jsonPatched, PatchFault } from '../../../mock/enacted/json-patch.ts';

const thing = { title: 'a', tags: ['x'] };

test('the steps are taken in their order, and the value itself stays as it was', () => {
  const steps = [
    { op: 'test', path: '/title', value: 'a' },
    { op: 'replace', path: '/title', value: 'b' },
    { op: 'add', path: '/tags/-', value: 'y' },
    { op: 'copy', from: '/title', path: '/name' },
    { op: 'move', from: '/name', path: '/label' },
    { op: 'remove', path: '/tags/0' },
  ];
  expect(jsonPatched(thing, steps)).toStrictEqual({ title: 'b', tags: ['y'], label: 'b' });
  expect(thing).toStrictEqual({ title: 'a', tags: ['x'] });
});

test('a copy has a life of its own', () => {
  const steps = [
    { op: 'copy', from: '/tags', path: '/others' },
    { op: 'add', path: '/others/-', value: 'y' },
  ];
  expect(jsonPatched(thing, steps)).toStrictEqual({ title: 'a', tags: ['x'], others: ['x', 'y'] });
});

const doubled = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '', path: `/c${index}` }));
const many = Array.from({ length: 1_001 }, () => ({ op: 'add', path: '/title', value: 'b' }));

test.each([
  ['a step that is not an object', ['x'], 'step 1: expected'],
  ['an unknown operation', [{ op: 'merge', path: '/title' }], 'step 1: expected'],
  ['a member that does not exist', [{ op: 'replace', path: '/no', value: 1 }], 'step 1: can'],
  ['a test that fails', [{ op: 'test', path: '/title', value: 'b' }], 'step 1: '],
  ['a path that is not a pointer', [{ op: 'add', path: 'title', value: 1 }], 'step 1: '],
  ['a way into the prototype', [{ op: 'add', path: '/__proto__/bad', value: 1 }], 'step 1: '],
  ['a value that doubles with each step', doubled, 'the value becomes too long'],
  ['very many steps', many, 'it has more than 1000 steps'],
])('%s is a fault of the patch', (_name, steps, says) => {
  const patch = (): unknown => jsonPatched(thing, steps);
  expect(patch).toThrow(PatchFault);
  expect(patch).toThrow(says);
  expect(Object.hasOwn(Object.prototype, 'bad')).toBe(false);
});
