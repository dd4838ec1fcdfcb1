import * as http from 'node:http';
import { attach, shutDown } from './api/server-runtime/node.js';
import { graceMs, port, server } from './router.js';

// Node would otherwise answer a request without a Host itself, and not as the API does.
const listening = http.createServer({ requireHostHeader: false });
attach(server, listening);
listening.listen(port, () => console.log(`http://localhost:${port}`));

process.once('SIGTERM', () => void shutDown(server, listening, { graceMs }));
