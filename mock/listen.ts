import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EVERYWHERE } from './own-hosts.ts';

/** Resolves when the server listens; rejects when it cannot, for example on a port that is in use. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The address of a listening server. For one that listens on all addresses, an address of this machine. */
export function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const callable = EVERYWHERE[host] ?? host;
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return `${scheme}://${callable.includes(':') ? `[${callable}]` : callable}:${String(port)}`;
}

/** Cuts open connections and frees the port. */
export async function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  server.closeAllConnections();
  await closed;
}
