import { createServer } from 'node:net';

/**
 * A free port of this machine, for a program that has to be told one. It lies below those that systems hand out
 * themselves, so no other connection takes it before that program does. Each worker of Vitest has ports of its own: two
 * workers that saw the same port free would start two programs on it. The next port is free as well, since a mock takes it
 * for its control API.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    // Kept apart from `next`, which another call may move while this one waits.
    const port = (next = next + 2 < start + SHARE ? next + 2 : start);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

// --- internal ---

const START = 20_000;
const END = 32_768;

/** How many ports a worker has. */
const SHARE = 1_500;
const shares = Math.floor((END - START) / SHARE);
const start = START + (Number(process.env['VITEST_POOL_ID'] ?? process.pid) % shares) * SHARE;
/** Two runs at the same time on one machine begin at different ports. */
let next = start + ((process.ppid * 62) % SHARE);

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
