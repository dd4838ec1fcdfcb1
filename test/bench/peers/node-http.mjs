/* The floor: answers given bytes and looks at nothing. */
import { createServer } from 'node:http';

const answer = process.env['ANSWER'] ?? '{}';
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
