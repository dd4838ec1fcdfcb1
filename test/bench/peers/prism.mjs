/* Prism's own command, on a free port. Even when it is told to be silent, its address has to be known. */
import { createRequire } from 'node:module';
import { createServer } from 'node:net';

const [, , command, document, verbosity] = process.argv;
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
process.stdout.write(`http://127.0.0.1:${port}\n`);
process.argv = [process.argv[0], command, 'mock', document, '-p', String(port), '-v', verbosity];
createRequire(import.meta.url)(command);
