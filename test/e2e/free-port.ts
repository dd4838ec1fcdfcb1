import { createServer } from 'node:net';

/**
 * A port of this machine that nobody has, for a program that has to be told one. It lies below those that systems hand out
 * by themselves, so that no connection of anybody gets it before that program does; and no caller gets it twice. The one
 * after it is free as well: a mock takes that for its control API.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    next = next + 2 < END ? next + 2 : START;
    if ((await isFree(next)) && (await isFree(next + 1))) return next;
  }
}

// --- internal ---

const START = 20_000;
const END = 32_768;

/** Processes that ask at the same time begin far from each other. */
let next = START + ((process.pid * 61) % (END - START));

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
