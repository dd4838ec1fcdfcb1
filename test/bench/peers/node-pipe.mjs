/* The floor of proxies: pipes both bodies, and looks at nothing. */
import { Agent, createServer, request as send } from 'node:http';

const { hostname, port } = new URL(process.env['UPSTREAM'] ?? '');
const agent = new Agent({ keepAlive: true });
const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const upstream = send({ hostname, port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => response.writableFinished || upstream.destroy());
  request.pipe(upstream);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
