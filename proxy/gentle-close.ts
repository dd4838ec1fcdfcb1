import type { Socket } from 'node:net';

/** Connections that end after the answer in progress. Nothing that still arrives on them is a request. */
const ending = new WeakSet<Socket>();

export function isEnding(socket: Socket): boolean {
  return ending.has(socket);
}

/**
 * Makes the answer in progress the last one of a connection whose request has not arrived completely. What still arrives
 * is taken for a short time and dropped: a connection that is closed with unread bytes is reset, and the client could
 * lose the answer.
 */
export function endGently(socket: Socket): void {
  if (ending.has(socket)) return;
  ending.add(socket);
  // Node calls this after the last answer of a connection, and would close both directions at once.
  socket.destroySoon = () => {
    const limit = setTimeout(() => socket.destroy(), LONGEST_WAIT_MS);
    socket.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(limit));
    socket.end();
    socket.resume();
  };
}

// --- internal ---

/** Milliseconds. */
const LONGEST_WAIT_MS = 2_000;
