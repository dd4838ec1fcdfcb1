import { expect, test } from 'vitest';
import { asOpenApi3 } from './openapi-2.ts';

test('bodies, parameters, lists, responses, references and the base path are moved to where version 3 has them', () => {
  const converted = asOpenApi3({
    swagger: '2.0',
    info: { title: 'Clips', version: '1' },
    basePath: '/api/v2/',
    paths: {
      '/clips/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, type: 'string', format: 'uuid' }],
        post: {
          operationId: 'setClip',
          parameters: [
            { name: 'clip', in: 'body', required: true, schema: { $ref: '#/definitions/clip' } },
            { name: 'tag', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
          ],
          responses: {
            200: { description: 'Done.', schema: { $ref: '#/definitions/clip' } },
            400: { $ref: '#/responses/Bad' },
            404: { description: 'None.' },
          },
        },
      },
    },
    definitions: { clip: { type: 'object' } },
    responses: { Bad: { description: 'Bad.', schema: { type: 'string' } } },
  });
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/clip' } } };
  expect(converted).toEqual({
    openapi: '3.0.3',
    info: { title: 'Clips', version: '1' },
    servers: [{ url: '/api/v2' }],
    paths: {
      '/clips/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
        post: {
          operationId: 'setClip',
          parameters: [
            {
              ...{ name: 'tag', in: 'query', required: false, style: 'form', explode: true },
              schema: { type: 'array', items: { type: 'string' } },
            },
          ],
          requestBody: { required: true, content },
          responses: {
            200: { description: 'Done.', content },
            400: { $ref: '#/components/responses/Bad' },
            404: { description: 'None.' },
          },
        },
      },
    },
    components: {
      schemas: { clip: { type: 'object' } },
      responses: {
        Bad: { description: 'Bad.', content: { 'application/json': { schema: { type: 'string' } } } },
      },
    },
  });
});
