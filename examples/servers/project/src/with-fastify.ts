import fastify from 'fastify';
import { fastifyServer } from './api/server-runtime/fastify.js';
import { graceMs, port, server } from './router.js';

const app = fastify();
// A plugin has its own body parsers, so routes outside of it keep theirs.
await app.register(fastifyServer(server));
app.get('/health', () => ({ ok: true }));
// Before fastify closes: open calls end, and new ones are refused with an error of the API.
app.addHook('preClose', async () => {
  await server.shutdown({ graceMs });
});

await app.listen({ port });
console.log(`http://localhost:${port}`);

process.once('SIGTERM', () => void app.close());
