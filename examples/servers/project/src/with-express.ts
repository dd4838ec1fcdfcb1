import * as http from 'node:http';
import express from 'express';
import { expressServer } from './api/server-runtime/express.js';
import { shutDown } from './api/server-runtime/node.js';
import { graceMs, port, server } from './router.js';

const app = express();
// Before express.json(): the server reads its bodies itself. Paths outside the API are passed on to the next
// handler.
app.use(expressServer(server));
app.use(express.json());
app.get('/health', (_request, response) => {
  response.json({ ok: true });
});

const listening = http.createServer(app);
listening.listen(port, () => console.log(`http://localhost:${port}`));

process.once('SIGTERM', () => void shutDown(server, listening, { graceMs }));
