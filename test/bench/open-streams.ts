import { connect, type Socket } from 'node:net';
import type { Server } from './measure.ts';

export interface StreamFigures {
  /** The longest time between the first and the last reader of one event, in milliseconds. */
  readonly latestMs: number;
  /** What the server grew by for each open stream. */
  readonly bytesEach: number;
  readonly events: number;
  /** What the server used while it was watched. */
  readonly cpuMicroseconds: number;
  readonly watchedSeconds: number;
}

/**
 * Opens streams of one job, all at once, and lets it run for some seconds.
 *
 * @param server with jobs of a self-hosted surface
 */
export async function openStreams(server: Server, count: number): Promise<StreamFigures> {
  const submitted = await fetch(`${server.url}/api/v2/jobs`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ 1: { class_type: 'Wait', inputs: { seconds: JOB_SECONDS } } }),
  });
  const { urls } = (await submitted.json()) as { urls: { events: string; cancel: string } };
  const before = { bytes: await server.memoryBytes(), cpu: await server.cpuMicroseconds() };
  /** By the text of an event: when the first and the last reader had it. */
  const arrivals = new Map<string, { first: number; last: number; readers: number }>();
  const sockets = Array.from({ length: count }, () =>
    reader(server.url, urls.events, (event) => {
      const now = performance.now();
      const known = arrivals.get(event);
      if (known === undefined) arrivals.set(event, { first: now, last: now, readers: 1 });
      else arrivals.set(event, { first: known.first, last: now, readers: known.readers + 1 });
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  const cpuMicroseconds = (await server.cpuMicroseconds()) - before.cpu;
  const bytesEach = ((await server.memoryBytes()) - before.bytes) / count;
  for (const socket of sockets) socket.destroy();
  await fetch(new URL(urls.cancel, server.url), { method: 'POST' });
  // Snapshots come as each stream opens; live events are those that everybody got.
  const live = [...arrivals.values()].filter(({ readers }) => readers === count).slice(1);
  return {
    latestMs: Math.max(0, ...live.map(({ first, last }) => last - first)),
    bytesEach,
    events: live.length,
    cpuMicroseconds,
    watchedSeconds: WATCH_MS / 1_000,
  };
}

// --- internal ---

const JOB_SECONDS = 60;
const WATCH_MS = 8_000;

function reader(url: string, path: string, heard: (event: string) => void): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let rest = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const at = part.indexOf('event: progress');
      if (at >= 0) heard(part.slice(at));
    }
  });
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  return socket;
}
