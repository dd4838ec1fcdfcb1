import { documentOf } from './generated.ts';

const header = (schema: object, more: object = {}): object => ({ schema, ...more });

/** One operation with headers of every kind, and one without any. */
export const headersDocument = documentOf(
  { Level: { type: 'string', enum: ['low', 'high'] } },
  {
    '/things': {
      get: {
        operationId: 'listThings',
        responses: {
          200: {
            description: 'some',
            headers: {
              'X-Total': header({ type: 'integer', minimum: 0 }, { required: true }),
              Level: header({ $ref: '#/components/schemas/Level' }, { required: true }),
              Link: header({ type: 'string' }),
              'X-Sizes': header({ type: 'array', items: { type: 'integer' } }),
              'Content-Length': header({ type: 'integer' }, { required: true }),
              'X-Facts': {
                required: false,
                content: { 'application/json': { schema: { type: 'object', required: ['a'] } } },
              },
            },
            content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
          },
          '4XX': {
            description: 'no',
            headers: { 'X-Why': header({ type: 'string' }, { required: true }) },
          },
        },
      },
      head: { operationId: 'askThings', responses: { 204: { description: 'there are some' } } },
    },
    '/news': {
      get: {
        operationId: 'followNews',
        responses: {
          200: {
            description: 'events',
            headers: { 'X-From': header({ type: 'string' }, { required: true }) },
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
  },
);
