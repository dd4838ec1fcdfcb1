/* A framework that parses and checks what comes in against a small schema, and judges no answer. */
import { fastify } from 'fastify';

const answer = process.env['ANSWER'] ?? '{}';
const app = fastify();
const query = { type: 'object', properties: { limit: { type: 'integer' }, cursor: { type: 'string' } } };
app.get('/v1/models', { schema: { querystring: query } }, (_request, reply) =>
  reply.type('application/json').send(answer),
);
app.post('/v1/models/:provider/:model', { schema: { body: { type: 'object' } } }, (_request, reply) =>
  reply.type('application/json').send(answer),
);
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
