import { expect, test } from 'vitest';
import type { Document } from '../../contract/index.ts';
import { wireType } from '../../contract/schemas/wire-type.ts';

const text = { kinds: ['string'] };
const number = { kinds: ['number'] };
const Base = { type: 'object', properties: { grant: { type: 'string' } } };
const schemas = {
  Base,
  Form: {
    allOf: [
      { $ref: '#/components/schemas/Base' },
      { $ref: '#/components/schemas/Ids' },
      { properties: { own: { type: 'integer' } } },
    ],
  },
  Ids: { type: 'object', properties: { ids: { type: 'array', items: { type: 'integer' } } } },
  Loop: { anyOf: [{ $ref: '#/components/schemas/Loop' }, { type: 'integer' }] },
};
const document = { dialect: '3.1', root: { components: { schemas } } } as unknown as Document;

test.each<[string, object, object]>([
  [
    'the members of every part of a schema that is put together, behind references',
    { $ref: '#/components/schemas/Form' },
    {
      kinds: ['object'],
      members: { grant: text, ids: { kinds: ['array'], items: number }, own: number },
    },
  ],
  [
    'members of its own beside those of its parts',
    { allOf: [Base], properties: { n: { type: 'number' } } },
    { kinds: ['object'], members: { grant: text, n: number } },
  ],
  [
    'a member that alternatives describe differently is read as either',
    { oneOf: [{ properties: { v: { type: 'string' } } }, { properties: { v: { type: 'integer' } } }] },
    { kinds: ['object'], members: { v: { kinds: ['string', 'number'] } } },
  ],
  [
    'a schema of items without a type is a list',
    { items: { type: 'string' } },
    { kinds: ['array'], items: text },
  ],
  [
    'items with types of their own come first',
    { prefixItems: [{ type: 'integer' }, {}], allOf: [{ items: { type: 'boolean' } }] },
    { kinds: ['array'], items: { kinds: ['boolean'] }, first: [number, text] },
  ],
  [
    'alternatives of which each has items of its own',
    {
      type: 'array',
      oneOf: [{ prefixItems: [{ type: 'integer' }] }, { prefixItems: [{}, { type: 'null' }] }],
    },
    { kinds: ['array'], first: [{ kinds: ['number', 'string'] }, { kinds: ['null'] }] },
  ],
  ['a schema that leads back to itself', { $ref: '#/components/schemas/Loop' }, number],
])('a text is read by its schema: %s', (_, schema, want) => {
  expect(wireType(schema, document)).toStrictEqual(want);
});
