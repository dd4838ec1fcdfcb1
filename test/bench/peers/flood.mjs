/** A server that answers every request with a body that does not end. */
import { createServer } from 'node:http';

const chunk = Buffer.alloc(64 * 1024, 'x');
const server = createServer((request, response) => {
  request.resume();
  // The bench's own probe, by which a server counts as ready.
  if (request.headers['x-probe'] !== undefined) return void response.end('{}');
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', pour);
  };
  pour();
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
