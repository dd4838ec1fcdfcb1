import { expect, test } from 'vitest';
import { documentOf, filesOf, textOf } from './generated.ts';

const schemas = {
  Colour: { type: 'string', enum: ['red', 'blue'] },
  Filter: { type: 'object', properties: { colour: { $ref: '#/components/schemas/Colour' } } },
};

test.each<[string, object, string]>([
  ['a text', { type: 'string' }, 'singlePair'],
  ['a number or null', { type: ['integer', 'null'] }, 'singlePair'],
  ['one of some values, without a type', { enum: ['a', 1] }, 'singlePair'],
  ['a text by reference', { $ref: '#/components/schemas/Colour' }, 'singlePair'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'form'],
  ['a text or a list', { type: ['string', 'array'] }, 'form'],
  ['an object by reference', { $ref: '#/components/schemas/Filter' }, 'form'],
  ['alternatives', { oneOf: [{ type: 'string' }, { type: 'array' }] }, 'form'],
  ['anything', {}, 'form'],
])('%s in a query comes with the code that it needs', async (_, schema, style) => {
  const paths = {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [{ name: 'by', in: 'query', schema }],
        responses: { 200: { description: 'Things' } },
      },
    },
  };
  const client = textOf(await filesOf(documentOf(schemas, paths)), 'sample/client.ts');
  expect(client).toContain(`{ name: 'by', in: 'query', style: ${style} }`);
});
