import { documentOf } from './generated.ts';

/** Parameters of every place and style, bodies of two types, and schemas named as the machinery names its own. */
export const petDocument = documentOf(
  {
    Pet: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer' } },
    },
    /** Names of the machinery are a document's to use. */
    Server: { type: 'object' },
    Handler: { type: 'string' },
    /** Small enough that ajv writes it out where it is referred to. */
    Colour: { type: 'string', minLength: 3 },
  },
  {
    '/pets/{id}': {
      get: {
        operationId: 'readPet',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
          {
            name: 'tag',
            in: 'query',
            schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          },
          {
            name: 'near',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { type: 'object', properties: { lat: { type: 'number' }, exact: { type: 'boolean' } } },
          },
          {
            name: 'sizes',
            in: 'query',
            style: 'pipeDelimited',
            explode: false,
            schema: { type: 'array', items: { type: 'number' } },
          },
          {
            name: 'colours',
            in: 'query',
            schema: { type: 'array', items: { $ref: '#/components/schemas/Colour' } },
          },
          { name: 'X-Depth', in: 'header', schema: { type: 'integer' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'it',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          304: { description: 'not changed' },
        },
      },
      put: {
        operationId: 'writePet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Pet' } },
          },
        },
        responses: { 204: { description: 'done' } },
      },
    },
  },
);
