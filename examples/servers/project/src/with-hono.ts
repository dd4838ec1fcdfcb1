import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { honoServer } from './api/server-runtime/hono.js';
import { shutDown } from './api/server-runtime/node.js';
import { graceMs, port, server } from './router.js';

const app = new Hono();
app.all('*', honoServer(server));
// Paths outside the API are passed on to the next handler.
app.get('/health', (context) => context.json({ ok: true }));

const listening = serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`));

process.once('SIGTERM', () => void shutDown(server, listening, { graceMs }));
