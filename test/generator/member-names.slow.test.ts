// @module-tag long
import { expect, test } from 'vitest';
import { generate } from '../../generator/index.ts';
import { compilerErrors, contractOf, documentOf } from './generated.ts';

/** Names that every object has: literals and compilers treat them as something else. */
const inherited = Object.getOwnPropertyNames(Object.prototype);
const names = [
  ...inherited,
  ...['then', 'prototype', 'default', 'class', "it's", '"quoted"', '`ticks`', '${x}', 'back\\slash', 'größe'],
  ...['名前', '😀', 'two words', '0', '-1', '1e3', ''],
];
const identifiers = [...inherited, 'then', 'class'];

const mapOf = <Value>(keys: readonly string[], value: Value): Record<string, Value> =>
  Object.fromEntries(keys.map((key) => [key, value]));
const text = { type: 'string', enum: ['a', ...inherited] };
const ofAll = (schema: object): object => ({
  ...{ type: 'object', required: names, properties: mapOf(names, schema) },
});
const nested = ofAll({
  anyOf: [
    { type: 'integer' },
    { type: 'object', properties: mapOf(inherited, { type: ['boolean', 'null'] }) },
  ],
});
const headers = mapOf(identifiers, { schema: text });
const encoding = mapOf(names, { contentType: 'application/json', headers });
const contents = {
  'application/json': { schema: nested },
  'application/x-www-form-urlencoded': { schema: ofAll({ type: 'array', items: { type: 'integer' } }) },
  'multipart/form-data': { schema: nested, encoding },
};
const responses = {
  200: { description: 'Done.', headers, content: { 'application/json': { schema: nested } } },
  400: { description: 'No.', headers, content: { 'application/json': { schema: ofAll(text) } } },
};
const parameters = [
  ...names.filter((name) => name !== '').map((name) => ({ name, in: 'query', schema: text })),
  ...['header', 'cookie'].flatMap((place) => identifiers.map((name) => ({ name, in: place, schema: text }))),
  { name: 'deep', in: 'query', style: 'deepObject', schema: ofAll({ type: 'integer' }) },
  { name: 'json', in: 'query', content: { 'application/json': { schema: nested } } },
];

const document = {
  ...documentOf(
    {},
    {
      ...Object.fromEntries(
        identifiers.map((name) => [
          `/${name}/{${name}}`,
          {
            parameters: [{ name, in: 'path', required: true, schema: ofAll({ type: 'integer' }) }],
            get: {
              operationId: name,
              tags: [name],
              security: [{ [name]: [] }],
              responses: { 200: { description: 'Done.' } },
            },
          },
        ]),
      ),
      '/all': {
        post: {
          ...{
            operationId: 'all',
            parameters,
            requestBody: { required: true, content: contents },
            responses,
          },
        },
      },
    },
  ),
  components: {
    schemas: {
      ...mapOf(identifiers, ofAll(text)),
      Choice: {
        oneOf: ['constructor', 'toString'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
        discriminator: {
          propertyName: '__proto__',
          mapping: {
            valueOf: '#/components/schemas/constructor',
            ['__proto__']: '#/components/schemas/toString',
          },
        },
      },
    },
    securitySchemes: Object.fromEntries(
      identifiers.map((name) => [name, { type: 'apiKey', in: 'header', name: `X-${name}` }]),
    ),
  },
};

test('members of any name have their types in types, clients, guards and servers', async () => {
  const files = await generate([await contractOf(document)], { server: true });
  expect(compilerErrors(files)).toStrictEqual([]);
});
