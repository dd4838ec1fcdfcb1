/** Schemas as large as documents have them, and larger. */

const refer = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });

function numbered<Item>(count: number, each: (index: number) => Item): Record<string, Item> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, each(index)]));
}

/** So many schemas with references across all of them. */
export function web(count: number): Record<string, object> {
  return numbered(count, (index) => ({
    type: 'object',
    properties: {
      id: { type: 'integer' },
      near: refer((index + 1) % count),
      far: refer((index * 31 + 3) % count),
      all: { type: 'array', items: refer((index * 7 + 1) % count) },
    },
  }));
}

/** Schemas of which each has a member of the next. */
export function chain(count: number): Record<string, object> {
  return numbered(count, (index) => ({
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'string' }, ...(index + 1 < count ? { next: refer(index + 1) } : {}) },
  }));
}

const alternative = (index: number): object => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: `k${index}` }, [`m${index}`]: { type: 'string' }, n: { minimum: index } },
});

/** Single schemas that are too large for one function. */
export const single: Record<string, object> = {
  Any: { anyOf: Array.from({ length: 300 }, (_, index) => alternative(index)) },
  Looking: {
    type: 'object',
    anyOf: Array.from({ length: 300 }, (_, index) => alternative(index)),
    unevaluatedProperties: false,
  },
  Flat: {
    type: 'object',
    required: ['p0', 'p1999'],
    properties: Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `p${index}`,
        index % 3 === 0 ? { type: 'integer' } : { type: 'string', maxLength: 5, pattern: '^a' },
      ]),
    ),
    additionalProperties: { type: 'boolean' },
  },
};

/** Values that are right and wrong by `single`. */
export const samples: readonly unknown[] = [
  ...[null, 7, 'x', [], {}, { kind: 'k0' }, { kind: 'k299', n: 299 }, { kind: 'k299', n: 298 }],
  ...[{ kind: 'k7', m7: 'x' }, { kind: 'k7', m7: 1 }, { kind: 'k7', m8: 'x' }, { kind: 'k300' }],
  ...[
    { p0: 1, p1999: 'ab' },
    { p0: 1, p1999: 'b' },
    { p0: 1, p1999: 'abcdef' },
    { p0: 1.5, p1999: 'a' },
  ],
  ...[
    { p0: 1, p1999: 'a', x: true },
    { p0: 1, p1999: 'a', x: 1 },
    { p0: 1, p1999: 'a', p1500: 'x' },
  ],
];
