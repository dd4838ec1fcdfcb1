import { expect, test } from 'vitest';
import { valueAt } from '../../../contract/pointer.ts';
import { withTargets } from '../../../mock/prism/example-references.ts';

const resolverOf =
  (document: object) =>
  (reference: string): unknown =>
    reference.startsWith('#') ? valueAt(document, reference.slice(1)) : undefined;

test('a reference in an example is replaced by its target, and one in the target as well', () => {
  const document = { a: { name: 'Ada', pet: { $ref: '#/b' } }, b: { name: 'Rex' } };
  expect(withTargets([{ value: { owner: { $ref: '#/a' } } }], resolverOf(document))).toEqual([
    { value: { owner: { name: 'Ada', pet: { name: 'Rex' } } } },
  ]);
});

test('a reference without a target, and a circular one, stay', () => {
  const document = { a: { again: { $ref: '#/a' } } };
  expect(withTargets({ x: { $ref: '#/none' }, y: { $ref: '#/a' } }, resolverOf(document))).toEqual({
    x: { $ref: '#/none' },
    y: { again: { $ref: '#/a' } },
  });
});

test('references that would grow without end are left after some', { tags: 'attack' }, () => {
  const doubled = Array.from({ length: 60 }, (_, n) => [
    `x${String(n)}`,
    [{ $ref: `#/x${String(n + 1)}` }, { $ref: `#/x${String(n + 1)}` }],
  ]);
  const value = withTargets({ $ref: '#/x0' }, resolverOf(Object.fromEntries(doubled) as object));
  expect(JSON.stringify(value).length).toBeLessThan(10_000_000);
});
