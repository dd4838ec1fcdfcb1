import { expect, test } from 'vitest';
import { own } from '../mock/own-document.ts';

const document = (schemas: object): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Parcels', version: '1' },
    paths: {
      '/parcels': {
        post: {
          operationId: 'sendParcel',
          requestBody: {
            content: {
              'multipart/form-data': {
                schema: { $ref: '#/components/schemas/Parcel0' },
                encoding: { label: { contentType: 'application/xml' } },
              },
            },
          },
          responses: { '204': { description: 'Sent.' } },
        },
      },
    },
    components: { schemas },
  });

const labelled = {
  type: 'object',
  properties: { label: { type: 'object', properties: { to: { type: 'string' } } } },
};

async function schemaIn(schemas: object): Promise<unknown> {
  const { operations } = await own('parcels', document(schemas));
  return operations[0]?.requestBody?.content[0]?.schema;
}

test('an object in a part of XML is a text', async () => {
  expect(await schemaIn({ Parcel0: labelled })).toMatchObject({
    properties: { label: { type: 'string' } },
  });
});

test('a schema that two parts of each schema name is read once', async () => {
  const twice = (index: number): object => ({
    allOf: [
      { $ref: `#/components/schemas/Parcel${String(index + 1)}` },
      { $ref: `#/components/schemas/Parcel${String(index + 1)}` },
    ],
  });
  const depth = 40;
  const schemas = Object.fromEntries([
    ...Array.from({ length: depth }, (_, index) => [`Parcel${String(index)}`, twice(index)] as const),
    [`Parcel${String(depth)}`, labelled],
  ]);
  const schema = await schemaIn(schemas);
  let inner = schema as { readonly allOf?: readonly unknown[] };
  for (let index = 0; index < depth; index += 1) inner = inner.allOf?.[0] as typeof inner;
  expect(inner).toMatchObject({ properties: { label: { type: 'string' } } });
});
