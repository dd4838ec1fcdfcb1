import { expect, test } from 'vitest';
import { negatives } from '../../conformance/apis/router/probes/negatives.ts';

const texts = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`text_${index}`, { type: 'string', minLength: 1 }]),
);
const layer = { type: 'object', properties: { opacity: { type: 'number', maximum: 1 } } };
const document = { components: { schemas: { Layer: layer } } };
const schema = {
  type: 'object',
  required: ['text_0'],
  properties: { ...texts, layers: { type: 'array', items: { $ref: '#/components/schemas/Layer' } } },
};
const valid = { text_0: 'text' };

const placesOf = (most: number): ReadonlySet<string> =>
  new Set(negatives(document, schema, valid, most).map(({ says }) => says.split(':')[0] ?? ''));

test('router.run.schema-is-enforced: as many negatives as there may be violate every place once, nested ones too', () => {
  const places = placesOf(40);
  expect(places.size).toBe(33);
  expect(places).toContain('/layers/0/opacity');
});

test('router.run.schema-is-enforced: a few negatives come from all parts of a large schema', () => {
  const places = [...placesOf(5)];
  expect(places).toHaveLength(5);
  expect(places.filter((place) => place.startsWith('/layers'))).not.toHaveLength(0);
});

test('router.run.schema-is-enforced: the number of negatives is bounded', () => {
  expect(negatives(document, schema, valid, 12)).toHaveLength(12);
  expect(negatives(document, { type: 'object', properties: {} }, valid, 12)).toHaveLength(0);
});
