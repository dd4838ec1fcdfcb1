import { expect, test } from 'vitest';
import { servedApiOf } from '../../contract/served/served.ts';
import { own } from '../mock/own-document.ts';

async function amongOf(scale: object, schemas: object = {}): Promise<readonly string[] | undefined> {
  const contract = await own(
    'tiles',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Tiles', version: '1' },
      paths: {
        '/tiles/{y}{scale}': {
          get: {
            operationId: 'getTile',
            parameters: [
              { name: 'y', in: 'path', required: true, schema: { type: 'integer' } },
              { name: 'scale', in: 'path', required: true, schema: scale },
            ],
            responses: { '204': { description: 'A tile.' } },
          },
        },
      },
      components: { schemas },
    }),
  );
  const [operation] = servedApiOf(contract, (_, { name }) => name).operations;
  return operation?.parameters?.find(({ name }) => name === 'scale')?.among;
}

test.each<[string, object, readonly string[] | undefined]>([
  ['an enum', { type: 'string', enum: ['@2x', '@3x'] }, ['@2x', '@3x']],
  ['a constant', { const: '@2x' }, ['@2x']],
  ['alternatives', { oneOf: [{ const: '@2x' }, { enum: ['@3x', '@2x'] }] }, ['@2x', '@3x']],
  ['an alternative with any value', { oneOf: [{ const: '@2x' }, { type: 'string' }] }, undefined],
  ['a part of several', { allOf: [{ type: 'string' }, { enum: ['@2x'] }] }, ['@2x']],
  ['any text', { type: 'string' }, undefined],
])('the only values of a name beside another one: %s', async (_, schema, values) => {
  expect(await amongOf(schema)).toEqual(values);
});

test('a schema that two alternatives of each schema name is read once', async () => {
  const depth = 40;
  const named = (index: number): object => ({ $ref: `#/components/schemas/Scale${String(index)}` });
  const schemas = Object.fromEntries([
    ...Array.from(
      { length: depth },
      (_, index) => [`Scale${String(index)}`, { anyOf: [named(index + 1), named(index + 1)] }] as const,
    ),
    [`Scale${String(depth)}`, { enum: ['@2x'] }],
  ]);
  expect(await amongOf(named(0), schemas)).toEqual(['@2x']);
});
