/** The old side of most pairs: a small API with a part of every kind. */
export const base = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [
    { url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
  ],
  security: [{ Key: [] }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        tags: ['reading'],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
          { name: 'kind', in: 'query', schema: { enum: ['cat', 'dog'] } },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
          { name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        responses: {
          200: {
            description: 'ok',
            headers: {
              'X-Total': { required: true, schema: { type: 'integer' } },
              'X-Next': { schema: { type: 'string' } },
            },
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
      },
      post: {
        operationId: 'createPet',
        security: [{ Key: [] }, { Token: ['write'] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
        },
        responses: {
          201: {
            description: 'made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          422: {
            description: 'refused',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        },
      },
    },
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          default: {
            description: 'failed',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        },
      },
      delete: {
        operationId: 'deletePet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 204: { description: 'gone' } },
      },
    },
    '/notes': {
      put: {
        operationId: 'putNote',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } } },
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
          },
        },
      },
    },
  },
  webhooks: {
    adopted: {
      post: {
        operationId: 'petAdopted',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
        },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
  components: {
    securitySchemes: {
      Key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      Token: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://example.com/token', scopes: { write: 'w', admin: 'a' } },
        },
      },
    },
    schemas: {
      NewPet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 40 },
          age: { type: 'integer' },
          kind: { enum: ['cat', 'dog'] },
          nickname: { type: 'string' },
          code: { type: 'string', pattern: '^[A-Z]+$' },
          weights: { type: 'array', items: { type: 'number', multipleOf: 2 }, maxItems: 5 },
          home: { type: ['string', 'null'] },
        },
      },
      Pet: {
        type: 'object',
        required: ['id', 'name', 'status'],
        properties: {
          id: { type: 'string' },
          name: { type: 'string', maxLength: 40 },
          age: { type: 'integer' },
          status: { enum: ['free', 'sold'] },
          home: { type: ['string', 'null'] },
          owner: { $ref: '#/components/schemas/Owner' },
          food: { oneOf: [{ $ref: '#/components/schemas/Meat' }, { $ref: '#/components/schemas/Plant' }] },
          seen: { type: 'string', format: 'date-time' },
          tags: { type: 'object', additionalProperties: { type: 'string' } },
          parents: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        },
      },
      Owner: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' } },
        additionalProperties: false,
      },
      Meat: {
        type: 'object',
        required: ['is'],
        properties: { is: { const: 'meat' }, grams: { type: 'number' } },
      },
      Plant: { type: 'object', required: ['is'], properties: { is: { const: 'plant' } } },
      Fish: { type: 'object', required: ['is'], properties: { is: { const: 'fish' } } },
      Note: {
        type: 'object',
        required: ['text'],
        properties: {
          text: { type: 'string' },
          made: { type: 'string', readOnly: true },
          secret: { type: 'string', writeOnly: true },
        },
      },
      Event: {
        type: 'object',
        required: ['pet'],
        properties: { pet: { type: 'string' }, by: { type: 'string' } },
      },
      Problem: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    },
  },
};
