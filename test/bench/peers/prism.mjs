/* Prism's own command, a mock or a proxy to an address, on a free port. Even when it is told to be silent, its address has to be known. */
import Module, { createRequire } from 'node:module';
import { createServer } from 'node:net';

const [, , command, document, verbosity, upstream] = process.argv;
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
process.stdout.write(`http://127.0.0.1:${port}\n`);
const what = upstream === undefined ? ['mock', document] : ['proxy', document, upstream];
process.argv = [process.argv[0], command, ...what, '-p', String(port), '-v', verbosity];
const require = createRequire(import.meta.url);
// Our package pins an fp-ts that makes Prism faster. The peer runs on the one that npm gives it where it is alone.
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...others) {
  const [, rest] = /^fp-ts((?:\/.*)?)$/.exec(request) ?? [];
  return rest === undefined
    ? resolve.call(this, request, ...others)
    : require.resolve(`fp-ts-for-peers${rest}`);
};
require(command);
